"""What a user picks who can change the loader: MDS, MindRecord, Arrow, WebDataset, each from its own environment."""
import os
import subprocess

from layouts.base import HERE, Layout, python_loader

# Pinned in the virtual environments that venvs.py makes.
REQUIREMENTS = {
    "mds": ("mosaicml-streaming==0.13.0",),
    "mindrecord": ("mindspore==2.10.0",),
    "arrow": ("datasets==5.2.0", "pillow==13.0.0"),  # images are stored undecoded, yet it asks for Pillow
    "webdataset": ("webdataset==1.0.2",),
    "ratarmount": ("ratarmount==1.3.0",),
}
SHUFFLE_BUFFER = 1000  # samples, as WebDataset's documentation suggests, where a quarter of the memory holds them


class Changed(Layout):
    """Written by layouts/write_<name>.py and read by loaders/<loader>.py, both in the environment of that name."""

    def __init__(self, name, loader, stored, path=None):
        self.name, self.loader = name, loader
        self.stored = stored
        self.opened = path or stored[0]  # what the loader is given

    def missing(self, tools):
        if os.path.exists(os.path.join(tools.venvs, f"{self.name}.ok")):
            return None
        return f"{REQUIREMENTS[self.name][0]} not installed (bench.sh --venvs)"

    def build(self, dataset, tools):
        script = os.path.join(HERE, "layouts", f"write_{self.name}.py")
        command = [tools.venv_python(self.name), script, dataset.folder]
        environment = os.environ | {"PYTHONPATH": HERE}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)

    def command(self, run, root, loader):
        options = {"path": os.path.join(root, self.opened), "buffer": shuffle_buffer(run)}
        return python_loader(self.loader, run, python=run.tools.venv_python(self.name), **options)


def shuffle_buffer(run):
    sample = run.dataset.info["media_bytes"] // run.dataset.media
    fitting = run.memory_limit // 4 // sample if run.memory_limit else SHUFFLE_BUFFER
    return max(16, min(SHUFFLE_BUFFER, fitting))


CHANGED = (
    Changed("mds", "mds", ("mds",)),
    Changed("mindrecord", "mindrecord", ("mindrecord",), "mindrecord/set.mindrecord"),
    Changed("arrow", "arrow", ("arrow",)),
    Changed("webdataset", "webdataset_shards", ("webdataset",)),
)
