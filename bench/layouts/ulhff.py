"""ULHFF: the mount, once per daemon under test, and libulhff called directly."""
import os
import subprocess

from layouts.base import Layout, build_once, files_command, native_loader, needs
from layouts.trees import Files

CONTAINER = "set.ulhff"


class Mount(Layout):
    """The converted Files tree, mounted: the unmodified loader finds the same names."""

    name = "mount"
    loaders = ("python", "python-list", "native")
    stored = (CONTAINER,)

    def __init__(self, name, daemon):
        self.name = name
        self.daemon = daemon  # words of the command, before the operands

    def missing(self, tools):
        return needs(tools.program("ulhff"), self.daemon[0])

    def build(self, dataset, tools):
        build_container(dataset, tools)

    def is_stale(self, dataset, tools):
        return container_is_stale(dataset, tools)

    def start(self, run):
        container, mountpoint = os.path.join(run.base, CONTAINER), run.mountpoint("mount")
        run.mount_daemon([*self.daemon, "-f", container, mountpoint], mountpoint)
        return mountpoint

    def command(self, run, root, loader):
        return files_command(run, root, loader)


class Library(Layout):
    """libulhff without a mount: an object a read. Its loader is C++ also where the others' is Python."""

    name = "libulhff"
    loaders = ("python", "native")
    stored = (CONTAINER,)
    options = {}

    def missing(self, tools):
        return needs(tools.program("ulhff"), tools.program("bench_loader"))

    def build(self, dataset, tools):
        build_container(dataset, tools)

    def is_stale(self, dataset, tools):
        return container_is_stale(dataset, tools)

    def command(self, run, root, loader):
        return native_loader("ulhff", run, path=os.path.join(root, CONTAINER), **self.options)


class DirectLibrary(Library):
    name = "libulhff-direct"
    options = {"direct": 1}


class HashLibrary(Library):
    """Table III: a hash table from pair to object instead of the format's own index."""

    name = "libulhff-hash"
    options = {"lookup": "hash"}


class BatchLibrary(Library):
    """64 pairs at a time, as a training loop that knows its next batch would ask for them."""

    name = "libulhff-batch"
    options = {"batch": 64}


def build_container(dataset, tools):
    """Converts the Files tree once for all ULHFF layouts."""
    if not container_is_stale(dataset, tools):
        return
    build_once(Files(), dataset, tools)
    container = dataset.path(CONTAINER)
    if os.path.exists(container):
        os.unlink(container)
    command = [tools.program("ulhff"), "convert", dataset.path("files"), container]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def container_is_stale(dataset, tools):
    """Made by an older converter, or not there."""
    container = dataset.path(CONTAINER)
    if not os.path.exists(container):
        return True
    return os.path.getmtime(container) < os.path.getmtime(tools.program("ulhff"))
