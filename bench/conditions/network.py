"""A network file system on this machine: sshfs of a folder through an sshd of our own on loopback."""
import os
import shutil
import socket
import subprocess
import time

from conditions.mounts import unmount

SSHD_CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey {scratch}/host_key
AuthorizedKeysFile {scratch}/user_key.pub
PidFile {scratch}/sshd.pid
PermitRootLogin yes
StrictModes no
UsePAM no
Subsystem sftp internal-sftp
"""


def missing():
    tools = [tool for tool in ("sshfs", "ssh", "ssh-keygen") if not shutil.which(tool)]
    if not os.path.exists("/usr/sbin/sshd"):
        tools.append("sshd")
    return f"{', '.join(tools)} not installed" if tools else None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class NetworkFolder:
    """`folder` as sshfs shows it at `mountpoint`. The server's reads are outside every limit."""

    def __init__(self, folder, mountpoint, scratch):
        self.mountpoint = mountpoint
        os.makedirs(mountpoint, exist_ok=True)
        os.makedirs("/run/sshd", exist_ok=True)
        for key in ("host_key", "user_key"):
            path = f"{scratch}/{key}"
            if not os.path.exists(path):
                subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
        port = free_port()
        with open(f"{scratch}/sshd_config", "w", encoding="ascii") as file:
            file.write(SSHD_CONFIG.format(port=port, scratch=scratch))
        self.server = subprocess.Popen(["/usr/sbin/sshd", "-D", "-f", f"{scratch}/sshd_config"])
        self.wait_for_port(port)
        options = (
            f"IdentityFile={scratch}/user_key,StrictHostKeyChecking=no,UserKnownHostsFile=/dev/null,"
            f"LogLevel=ERROR,ro,allow_other,default_permissions"
        )
        source = f"127.0.0.1:{folder}"
        subprocess.run(["sshfs", "-p", str(port), "-o", options, source, mountpoint], check=True)

    @staticmethod
    def wait_for_port(port):
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("sshd does not answer")

    def set_slow(self, slow):
        """The network is as slow as it is, warming up or not."""

    def statistics(self):
        return {}

    def close(self):
        unmount(self.mountpoint)
        self.server.terminate()
        self.server.wait()
