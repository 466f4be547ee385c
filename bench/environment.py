"""Where a benchmark ran: machine, kernel, file system, libraries, transport. Stands in every report."""
import os
import platform
import subprocess

from conditions import cgroup, disk, requests


def output(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def cpu():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else f"{os.cpu_count()} cores"


def memory():
    with open("/proc/meminfo", encoding="ascii") as file:
        return f"{int(file.readline().split()[1]) / 2**20:.1f} GiB"


def fuse_uring():
    path = "/sys/module/fuse/parameters/enable_uring"
    if not os.path.exists(path):
        return "not in this kernel"
    with open(path, encoding="ascii") as file:
        return "on" if file.read().strip() in ("Y", "1") else "off (enable_uring=N)"


def describe(lab, revision_of):
    """(name, value) pairs."""
    device = lab.device
    disk_text = f"{device}, read-ahead {disk.read_ahead_kib(device)} KiB" if device else "no block device"
    rows = [
        ("processors", cpu()),
        ("memory", memory()),
        ("kernel", platform.release()),
        ("data folder", f"{disk.file_system_of(lab.data_folder)}; disk {disk_text}"),
        ("cgroup", f"version {cgroup.version()}"),
        ("FUSE requests counted", "yes" if requests.available() else "no (kernel before 6.10)"),
        ("FUSE over io_uring", fuse_uring()),
        ("Python", platform.python_version()),
        ("ulhff", output(["git", "-C", revision_of, "describe", "--always", "--dirty"])),
    ]
    for name, command in lab.tools.daemons.items():
        version = output([command[0], "--version"]).replace("\n", ", ")
        rows.append((name, f"{' '.join([os.path.basename(command[0]), *command[1:]])} ({version})"))
    return rows
