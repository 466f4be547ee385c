"""A folder seen through slowfs (../native/slowfs.cc): each lookup, open and read takes some milliseconds longer."""
import json
import os
import signal
import subprocess
import time

from conditions.mounts import device_number, unmount


def delay_ms(kind):
    """Of a slow disk ("2ms"), or None: it is another kind of disk."""
    return int(kind[:-2]) if kind.endswith("ms") else None


class SlowFolder:
    def __init__(self, program, folder, mountpoint, scratch, milliseconds):
        self.mountpoint, self.statistics_file = mountpoint, f"{scratch}/slowfs.json"
        os.makedirs(mountpoint, exist_ok=True)
        self.process = subprocess.Popen([program, folder, mountpoint, str(1000 * milliseconds), self.statistics_file])
        for _ in range(100):
            if device_number(mountpoint):
                break
            time.sleep(0.05)
        else:
            raise RuntimeError("slowfs did not mount")
        self.slow = True

    def set_slow(self, slow):
        if slow != self.slow:
            self.process.send_signal(signal.SIGUSR2)
            self.slow = slow
            time.sleep(0.05)

    def statistics(self):
        """Counts since the last call, and reads in flight: the average while any was, and the most."""
        if os.path.exists(self.statistics_file):
            os.unlink(self.statistics_file)
        self.process.send_signal(signal.SIGUSR1)
        for _ in range(100):
            if os.path.exists(self.statistics_file):
                with open(self.statistics_file, encoding="ascii") as file:
                    return json.load(file)
            time.sleep(0.02)
        return {}

    def close(self):
        unmount(self.mountpoint)
        self.process.wait(10)
