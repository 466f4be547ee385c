"""FUSE over io_uring is off in most kernels: it is switched on while a benchmark runs."""
import contextlib
import os

SWITCH = "/sys/module/fuse/parameters/enable_uring"


def read_switch():
    with open(SWITCH, encoding="ascii") as file:
        return file.read().strip()


@contextlib.contextmanager
def switched_on():
    """Where the kernel has it."""
    before = read_switch() if os.path.exists(SWITCH) else "Y"
    if before != "Y":
        write_switch("Y")
    try:
        yield
    finally:
        if before != "Y":
            write_switch(before)


def write_switch(value):
    with open(SWITCH, "w", encoding="ascii") as file:
        file.write(value)
