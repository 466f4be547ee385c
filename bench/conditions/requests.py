"""Counts FUSE requests by opcode with the kernel's own tracepoint (6.10 and later), whatever daemon answers.

One ring-buffer instance per opcode, each with a filter: the kernel counts, nothing is copied out. It costs about a
microsecond per request, so only runs made for counting turn it on.
"""
import os
import subprocess

from conditions.mounts import device_number

OPCODES = {
    "LOOKUP": 1, "GETATTR": 3, "OPEN": 14, "READ": 15, "RELEASE": 18, "FLUSH": 25,
    "OPENDIR": 27, "READDIR": 28, "IOCTL": 39, "READDIRPLUS": 44,
}  # fmt: skip
TRACING = "/sys/kernel/tracing"
EVENT = "events/fuse/fuse_request_send"


def write(path, value):
    with open(path, "w", encoding="ascii") as file:
        file.write(value)


def available():
    if not os.path.exists(f"{TRACING}/events"):
        subprocess.run(["mount", "-t", "tracefs", "none", TRACING], stderr=subprocess.DEVNULL, check=False)
    return os.path.exists(f"{TRACING}/instances") and os.path.exists(f"{TRACING}/{EVENT}")


class RequestCounter:
    """Counts the requests of the mount at `mountpoint` from construction to close()."""

    def __init__(self, mountpoint):
        _, connection = device_number(mountpoint)
        self.instances = {}
        for name, opcode in OPCODES.items():
            folder = f"{TRACING}/instances/ulhff_bench_{name}"
            os.makedirs(folder, exist_ok=True)
            write(f"{folder}/buffer_size_kb", "16")
            write(f"{folder}/{EVENT}/filter", f"connection=={connection}&&opcode=={opcode}")
            write(f"{folder}/{EVENT}/enable", "1")
            self.instances[name] = folder

    def counts(self):
        return {name: self.count(folder) for name, folder in self.instances.items()}

    @staticmethod
    def count(folder):
        """Events kept in the ring buffers plus those already overwritten."""
        total = 0
        for cpu in os.listdir(f"{folder}/per_cpu"):
            with open(f"{folder}/per_cpu/{cpu}/stats", encoding="ascii") as file:
                for line in file:
                    name, _, value = line.partition(":")
                    if name in ("entries", "overrun"):
                        total += int(value)
        return total

    def close(self):
        for folder in self.instances.values():
            write(f"{folder}/{EVENT}/enable", "0")
            os.rmdir(folder)
