"""Processes of a cell: loaders that answer line by line, daemons that mount, both inside its limits."""
import json
import os
import pwd
import select
import subprocess
import time

from conditions import cgroup, mounts


class LoaderFailed(Exception):
    """A loader died (often of its memory limit) or reported an error."""


class Credentials:
    """Who runs loaders and daemons: root, or an ordinary user."""

    def __init__(self, name):
        self.name = name
        self.entry = pwd.getpwnam(name)

    def take(self):
        """Called in a new process: from now on it is this user's."""
        if self.entry.pw_uid != os.getuid():
            os.setgroups([])
            os.setgid(self.entry.pw_gid)
            os.setuid(self.entry.pw_uid)


class Loader:
    """A loader process. It starts outside the limits, so that interpreters and libraries are not charged to them."""

    def __init__(self, command, credentials, log):
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            preexec_fn=credentials.take,
        )
        self.pid = self.process.pid

    def send(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise LoaderFailed("the loader died") from error

    def receive(self, timeout):
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            raise LoaderFailed(f"no answer in {timeout:.0f} s")
        line = self.process.stdout.readline()
        if not line:
            raise LoaderFailed(f"the loader died (status {self.process.wait()})")
        answer = json.loads(line)
        if "error" in answer:
            raise LoaderFailed(answer["error"])
        return answer

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Daemon:
    """A process that serves a mount, in the foreground, started inside the limits."""

    def __init__(self, command, mountpoint, group, credentials, log):
        self.mountpoint, self.command = mountpoint, command

        def prepare():
            cgroup.enter(group, os.getpid())
            credentials.take()

        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=prepare,
        )
        self.wait_for_mount()

    def wait_for_mount(self):
        for _ in range(600):
            if mounts.device_number(self.mountpoint):
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        self.close()
        raise LoaderFailed(f"{os.path.basename(self.command[0])} did not mount")

    def memory_kib(self):
        """(private memory now, its peak with shared pages), 0 where the daemon is gone."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
                fields = dict(line.split(":", 1) for line in file)
            return int(fields["RssAnon"].split()[0]), int(fields["VmHWM"].split()[0])
        except (OSError, KeyError):
            return 0, 0

    def close(self):
        mounts.unmount(self.mountpoint)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
