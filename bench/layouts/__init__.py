"""All layouts by name."""
from layouts.changed import CHANGED
from layouts.images import Erofs, SquashFs, SquashFuse, Tar
from layouts.records import FfRecord, FfSlim, FfSlimDirect, Floor, FloorDirect
from layouts.trees import Files, Linked, Tdp
from layouts.ulhff import BatchLibrary, DirectLibrary, HashLibrary, Library, Mount


def all_layouts(tools):
    """name -> layout; a mount for each of the tools' daemons."""
    plain = (
        Files(), Linked(), Tdp(), FfRecord(), FfSlim(), FfSlimDirect(), Floor(), FloorDirect(),
        SquashFs(), SquashFuse(), Erofs(), Tar(), Library(), DirectLibrary(), HashLibrary(),
        BatchLibrary(),
    )  # fmt: skip
    mounts = [Mount(name, daemon) for name, daemon in {**tools.daemons, **tools.ablations}.items()]
    return {layout.name: layout for layout in (*plain, *mounts, *CHANGED)}
