"""Where a benchmark ran: machine, kernel, file system, libraries, transport. Stands in every report."""
import contextlib
import os
import platform
import subprocess

from conditions import cgroup, disk, requests, uring


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
    if not os.path.exists(uring.SWITCH):
        return "not in this kernel"
    return "on" if uring.read_switch() == "Y" else "off (enable_uring=N)"


def transports(log):
    """How the daemons of the run said that requests come."""
    said = set()
    with contextlib.suppress(OSError), open(log, encoding="utf-8", errors="replace") as file:
        for line in file:
            if "requests come over " in line:
                said.add(line.split("requests come over ")[1].split(" (")[0].strip())
    return " and ".join(sorted(said)) or "unknown"


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
        ("mounts were served over", transports(lab.log)),
        ("Python", platform.python_version()),
        ("ulhff", output(["git", "-C", revision_of, "describe", "--always", "--dirty"])),
    ]
    for name, command in lab.tools.daemons.items():
        version = output([command[0], "--version"]).replace("\n", ", ")
        rows.append((name, f"{' '.join([os.path.basename(command[0]), *command[1:]])} ({version})"))
    return rows
