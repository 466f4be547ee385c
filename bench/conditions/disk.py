"""The block device under a folder, and the page cache."""
import fcntl
import os
import struct
import subprocess


def device_of(path):
    """ "major:minor" of the whole disk that holds `path`, or None where no block device is (overlay, btrfs, tmpfs)."""
    number = os.stat(path).st_dev
    sysfs = f"/sys/dev/block/{os.major(number)}:{os.minor(number)}"
    if not os.path.exists(sysfs):
        return None
    sysfs = os.path.realpath(sysfs)
    if os.path.exists(f"{sysfs}/partition"):
        sysfs = os.path.dirname(sysfs)
    with open(f"{sysfs}/dev", encoding="ascii") as file:
        return file.read().strip()


def read_ahead_kib(device):
    with open(f"/sys/dev/block/{device}/queue/read_ahead_kb", encoding="ascii") as file:
        return int(file.read())


def file_system_of(path):
    command = ["findmnt", "-n", "-o", "FSTYPE,OPTIONS", "-T", path]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


EXT4_IOC_CHECKPOINT = 0x4004662B


def empty_journal(folder):
    """Without this, metadata that ext4 has not checkpointed stays in memory, and fresh trees look cached."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        fcntl.ioctl(fd, EXT4_IOC_CHECKPOINT, struct.pack("I", 0))
    except OSError:
        pass  # another file system, or a kernel before 5.15
    finally:
        os.close(fd)


def drop_caches(folder):
    """Nothing of the disk under `folder` is in memory afterwards."""
    os.sync()
    empty_journal(folder)
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
        file.write("3")


class LoopDisk:
    """An ext4 of its own in a file, on a loop device with direct I/O: for folders whose disk takes no limit."""

    def __init__(self, image, mountpoint, gibibytes):
        self.mountpoint = mountpoint
        if not os.path.exists(image):
            with open(image, "wb") as file:
                file.truncate(gibibytes << 30)
            subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True)
        os.makedirs(mountpoint, exist_ok=True)
        self.loop = attach_loop(image)
        subprocess.run(["mount", self.loop, mountpoint], check=True)

    def close(self):
        subprocess.run(["umount", self.mountpoint], check=False)
        subprocess.run(["losetup", "-d", self.loop], check=False)


def attach_loop(image, *options):
    """Direct I/O, so that no second copy of the image lies in the page cache outside the memory limit."""
    command = ["losetup", "--find", "--show", "--direct-io=on", *options, image]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
