"""A memory limit and a limit on disk reads around the processes of a cell, by cgroup v1 or v2. Needs root."""
import os
import time

ROOT = "/sys/fs/cgroup"
UNLIMITED = 1_000_000_000  # read operations/s; a rule must exist for version 1 to count at all


def write(path, value):
    with open(path, "w", encoding="ascii") as file:
        file.write(str(value))


def read(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def fields(text):
    """Lines of "name number" as a dictionary."""
    return {k: int(v) for k, v in (line.split()[:2] for line in text.splitlines() if " " in line)}


def version():
    """2 where the unified hierarchy has the memory controller, 1 where the old one is mounted, else 0."""
    try:
        if "memory" in read(f"{ROOT}/cgroup.controllers").split():
            return 2
    except OSError:
        pass
    return 1 if os.path.isdir(f"{ROOT}/memory") and os.path.isdir(f"{ROOT}/blkio") else 0


class CgroupV1:
    def __init__(self, name, device):
        self.device = device
        self.memory, self.blkio = f"{ROOT}/memory/{name}", f"{ROOT}/blkio/{name}"
        self.folders = [self.memory, self.blkio]
        for folder in self.folders:
            os.makedirs(folder, exist_ok=True)

    def limit_memory(self, size):
        write(f"{self.memory}/memory.limit_in_bytes", size if size else -1)

    def limit_reads(self, per_second):
        if self.device:
            rule = f"{self.device} {per_second or UNLIMITED}"
            write(f"{self.blkio}/blkio.throttle.read_iops_device", rule)

    def reads(self):
        """(operations, bytes) that the block layer counted for this group on the device so far."""

        def counted(name):
            for line in read(f"{self.blkio}/blkio.throttle.{name}").splitlines():
                words = line.split()
                if words[:2] == [self.device, "Read"]:
                    return int(words[2])
            return 0

        return counted("io_serviced"), counted("io_service_bytes")

    def kernel_bytes(self):
        """Slab and other kernel memory charged to the group: dentries, inodes, requests."""
        return int(read(f"{self.memory}/memory.kmem.usage_in_bytes"))

    def out_of_memory(self):
        return fields(read(f"{self.memory}/memory.oom_control")).get("oom_kill", 0) > 0


class CgroupV2:
    def __init__(self, name, device):
        self.device = device
        self.folder = f"{ROOT}/{name}"
        self.folders = [self.folder]
        write(f"{ROOT}/cgroup.subtree_control", "+memory +io")
        os.makedirs(self.folder, exist_ok=True)

    def limit_memory(self, size):
        write(f"{self.folder}/memory.max", size or "max")

    def limit_reads(self, per_second):
        if self.device:
            write(f"{self.folder}/io.max", f"{self.device} riops={per_second or 'max'}")

    def reads(self):
        for line in read(f"{self.folder}/io.stat").splitlines():
            device, *values = line.split()
            if device == self.device:
                counters = dict(value.split("=") for value in values)
                return int(counters["rios"]), int(counters["rbytes"])
        return 0, 0

    def kernel_bytes(self):
        return fields(read(f"{self.folder}/memory.stat")).get("kernel", 0)

    def out_of_memory(self):
        return fields(read(f"{self.folder}/memory.events")).get("oom_kill", 0) > 0


def make_group(name, device):
    """A group without limits on `device` ("major:minor", or None: reads are neither limited nor counted)."""
    return (CgroupV2 if version() == 2 else CgroupV1)(name, device)


def enter(group, pid):
    for folder in group.folders:
        write(f"{folder}/cgroup.procs", pid)


def remove(group):
    """Needs its processes gone; the kernel may take a moment to notice that."""
    for folder in group.folders:
        for _ in range(50):
            try:
                os.rmdir(folder)
                break
            except OSError:
                time.sleep(0.1)
