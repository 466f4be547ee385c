"""What is mounted, from the kernel's own list: root may not even stat a user's FUSE mount."""
import subprocess


def device_number(mountpoint):
    """(major, minor) of the file system last mounted at `mountpoint`, or None."""
    found = None
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            words = line.split()
            if words[4] == mountpoint:
                major, minor = words[2].split(":")
                found = int(major), int(minor)
    return found


def unmount(mountpoint):
    if device_number(mountpoint):
        subprocess.run(["umount", "-l", mountpoint], check=False)
