"""Read-only file system images of the hard-linked tree: SquashFS (kernel and FUSE), EROFS (kernel), tar (ratarmount)."""
import os
import subprocess

from conditions.disk import attach_loop
from layouts.base import Layout, build_once, files_command, needs
from layouts.trees import Linked


def linked_tree(dataset, tools):
    """Images are made of the tree with hard links, so that each of them holds a media once."""
    build_once(Linked(), dataset, tools)
    return dataset.path("linked")


def run_quietly(command, **options):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)


class Image(Layout):
    """An image that the kernel mounts from a loop device."""

    loaders = ("python", "native")
    local_only = True
    file_system = ""

    def start(self, run):
        mountpoint = run.mountpoint(self.name)
        loop = attach_loop(os.path.join(run.base, *self.stored), "--read-only")
        run.defer(lambda: run_quietly(["losetup", "-d", loop]))
        run_quietly(["mount", "-t", self.file_system, "-o", "ro", loop, mountpoint])
        run.defer(lambda: run_quietly(["umount", "-l", mountpoint]))
        return mountpoint

    def command(self, run, root, loader):
        return files_command(run, root, loader)


class SquashFs(Image):
    """Uncompressed, since media are incompressible and its cache of decompressed blocks is small."""

    name = "squashfs"
    stored = ("squashfs.img",)
    file_system = "squashfs"

    def missing(self, tools):
        return needs("mksquashfs", "losetup")

    def build(self, dataset, tools):
        source = linked_tree(dataset, tools)
        options = ["-noD", "-noF", "-noI", "-no-xattrs", "-no-progress", "-quiet"]
        run_quietly(["mksquashfs", source, dataset.path(*self.stored), *options])


class SquashFuse(SquashFs):
    """The same image through squashfuse's low-level daemon."""

    name = "squashfuse_ll"
    stored = ("squashfuse.img",)

    def missing(self, tools):
        return needs("mksquashfs", "squashfuse_ll")

    def start(self, run):
        image, mountpoint = os.path.join(run.base, *self.stored), run.mountpoint(self.name)
        run.mount_daemon(["squashfuse_ll", "-f", image, mountpoint], mountpoint)
        return mountpoint


class Erofs(Image):
    name = "erofs"
    stored = ("erofs.img",)
    file_system = "erofs"

    def missing(self, tools):
        return needs("mkfs.erofs", "losetup")

    def build(self, dataset, tools):
        run_quietly(["mkfs.erofs", "--quiet", dataset.path(*self.stored), linked_tree(dataset, tools)])


class Tar(Image):
    """An uncompressed tar, mounted by ratarmount; its index is made beforehand."""

    name = "ratarmount"
    stored = ("archive.tar", "archive.tar.index.sqlite")

    def missing(self, tools):
        program = self.program(tools)
        return None if os.path.exists(program) else "ratarmount not installed (bench.sh --venvs)"

    def program(self, tools):
        return os.path.join(tools.venvs, "ratarmount", "bin", "ratarmount")

    def build(self, dataset, tools):
        source, archive = linked_tree(dataset, tools), dataset.path("archive.tar")
        run_quietly(["tar", "-C", source, "--sort=name", "-cf", archive, "."])
        mountpoint = dataset.path("ratarmount.index")
        os.makedirs(mountpoint, exist_ok=True)
        run_quietly([self.program(tools), archive, mountpoint])
        run_quietly(["fusermount3", "-u", mountpoint])
        os.rmdir(mountpoint)

    def start(self, run):
        archive, mountpoint = os.path.join(run.base, "archive.tar"), run.mountpoint(self.name)
        run.mount_daemon([self.program(run.tools), "-f", archive, mountpoint], mountpoint)
        return mountpoint
