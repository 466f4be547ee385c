"""Plain trees on the disk's own file system: Files, Files with hard links, and TDP."""
import os

from dataset import PAIRS_PER_DIRECTORY, files_name
from layouts.base import Layout, files_command, python_loader


class Files(Layout):
    """A media and a text per pair; media that have several texts are stored several times."""

    name = "files"
    loaders = ("python", "python-list", "native")
    stored = ("files",)
    linked = False

    def build(self, dataset, tools):
        root = dataset.path(*self.stored)
        first_of_media = None
        previous = None
        for pair, content, text in dataset.pair_records():
            if pair % PAIRS_PER_DIRECTORY == 0:
                os.makedirs(os.path.join(root, os.path.dirname(files_name(pair, "txt"))))
            path = os.path.join(root, files_name(pair, dataset.extension))
            if self.linked and content is previous:
                os.link(first_of_media, path)
            else:
                write(path, content)
                first_of_media, previous = path, content
            write(os.path.join(root, files_name(pair, "txt")), text)

    def start(self, run):
        return os.path.join(run.base, *self.stored)

    def command(self, run, root, loader):
        return files_command(run, root, loader)


class Linked(Files):
    """The same tree with the copies of a media as hard links."""

    name = "linked"
    stored = ("linked",)
    linked = True


class Tdp(Layout):
    """Table and media folder: each media once, texts in the loader's memory."""

    name = "tdp"  # the dataset itself: nothing to build

    def command(self, run, root, loader):
        return python_loader("tdp", run, root=os.path.join(root, "tdp"))


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
