"""What a layout is: a way to store a dataset's pairs, to make them readable, and to read one."""
import contextlib
import dataclasses
import os
import shutil
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclasses.dataclass
class Tools:
    """Where programs are: our own build, and the virtual environments of peers."""

    bin: str  # of the release build: ulhff, ulhff-fuse, bench_loader, slowfs
    venvs: str
    daemons: dict  # name -> words of an ulhff-fuse command
    ablations: dict  # the same, for the layouts that leave something out

    def program(self, name):
        return os.path.join(self.bin, name)

    def venv_python(self, name):
        return os.path.join(self.venvs, name, "bin", "python3")


class Layout:
    """One way to store and read a dataset. `name` is its key in plans, results and plots."""

    name = ""
    loaders = ("python",)
    local_only = False  # needs the disk itself: makes no sense on a network file system
    stored = ()  # what it keeps, relative to the dataset's folder

    def missing(self, tools):
        """Why it cannot run here, or None."""

    def build(self, dataset, tools):
        """Writes what `stored` names. Called once per dataset."""

    def start(self, run):
        """Makes the data readable and returns their root; `run` is a cell.Run."""
        return run.base

    def command(self, run, root, loader):
        """The loader's argument list; its process speaks the protocol of loaders/serve.py."""
        raise NotImplementedError


def needs(*tools):
    """ "x, y not installed" for the programs that are not on PATH, else None."""
    absent = [tool for tool in tools if not (os.path.exists(tool) or shutil.which(tool))]
    return f"{', '.join(absent)} not installed" if absent else None


def build_once(layout, dataset, tools):
    """Builds unless a finished build is there; an interrupted one is thrown away."""
    marker = dataset.meta(f"built-{layout.name}")
    if os.path.exists(marker) and not is_stale(layout, dataset, tools):
        return
    with contextlib.suppress(FileNotFoundError):
        os.unlink(marker)
    for name in layout.stored:
        remove(dataset.path(name))
    layout.build(dataset, tools)
    with open(marker, "w", encoding="ascii"):
        pass


def is_stale(layout, dataset, tools):
    return hasattr(layout, "is_stale") and layout.is_stale(dataset, tools)


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.unlink(path)


def python_loader(module, run, python=sys.executable, **options):
    """The command of loaders/<module>.py with `options`."""
    words = [f"{key}={value}" for key, value in {**expected(run), **options}.items()]
    return [python, os.path.join(HERE, "loaders", f"{module}.py"), *words]


def native_loader(kind, run, **options):
    """The command of the C++ loader `kind`."""
    words = [f"{key}={value}" for key, value in {**expected(run), **options}.items()]
    return [run.tools.program("bench_loader"), kind, *words]


def expected(run):
    """Fingerprints come from the dataset itself, never through what is measured."""
    return {"sampled": run.dataset.meta("sampled.u32"), "full": run.dataset.meta("full.u32")}


def files_command(run, root, loader):
    """The unmodified loader of plain files in Python or C++, `-list` listing the directories first."""
    options = {"root": root, "extension": run.dataset.extension}
    if loader == "native":
        return native_loader("files", run, **options)
    return python_loader("files", run, **options, list=int(loader == "python-list"))
