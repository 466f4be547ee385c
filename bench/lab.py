"""What all cells of a run share: data, tools, the disk, and the network and slow folders while they are needed."""
import contextlib
import os
import tempfile

from conditions import disk, network
from conditions.network import NetworkFolder
from conditions.slow import SlowFolder, delay_ms
from generate import generate
from shapes import SHAPES


class Lab:
    def __init__(self, data_folder, tools, scale, log, seed=1):
        self.data_folder, self.tools, self.scale, self.seed = data_folder, tools, scale, seed
        self.log = log  # what loaders and daemons say
        self.device = disk.device_of(data_folder)
        self.undo = contextlib.ExitStack()
        self.scratch = self.undo.enter_context(tempfile.TemporaryDirectory(prefix="ulhff-bench-"))
        os.chmod(self.scratch, 0o755)
        self.datasets, self.folders = {}, {}

    def dataset(self, shape):
        if shape not in self.datasets:
            folder = os.path.join(self.data_folder, f"{shape}-{self.scale:g}")
            self.datasets[shape] = generate(SHAPES[shape], self.scale, self.seed, folder)
        return self.datasets[shape]

    def missing(self, cell):
        """Why the cell's condition cannot be had here, or None."""
        if cell.disk == "sshfs":
            return network.missing()
        if delay_ms(cell.disk):
            return None if os.path.exists(self.tools.program("slowfs")) else "slowfs not built"
        if cell.disk.isdigit() and not self.device:
            return "the data folder's disk takes no read limit: use --loop-disk"
        return None

    def folder(self, kind, data):
        """(the slow folder or None, where the dataset's folder is seen through it)."""
        if kind != "sshfs" and not delay_ms(kind):
            return None, data.folder
        key = (kind, data.folder)
        if key not in self.folders:
            self.folders[key] = self.undo.enter_context(contextlib.closing(self.make(kind, data)))
        return self.folders[key], self.folders[key].mountpoint

    def make(self, kind, data):
        mountpoint = os.path.join(self.scratch, f"{kind}-{data.name}")
        if kind == "sshfs":
            return NetworkFolder(data.folder, mountpoint, self.scratch)
        return SlowFolder(self.tools.program("slowfs"), data.folder, mountpoint, self.scratch, delay_ms(kind))

    def close(self):
        self.undo.close()
