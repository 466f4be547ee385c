"""Virtual environments of the peers that come from PyPI, each pinned, each of its own. mds brings torch: 6 GB."""
import os
import subprocess
import sys

from layouts.changed import REQUIREMENTS


def make(folder, names=tuple(REQUIREMENTS)):
    """Makes those that are not there; one that cannot be made is reported and left out."""
    os.makedirs(folder, exist_ok=True)
    for name in names:
        done = os.path.join(folder, f"{name}.ok")
        if os.path.exists(done):
            continue
        print(f"making the environment of {REQUIREMENTS[name][0]}", flush=True)
        path = os.path.join(folder, name)
        python = os.path.join(path, "bin", "python3")
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        try:
            subprocess.run([sys.executable, "-m", "venv", "--clear", path], check=True)
            subprocess.run([*pip, *REQUIREMENTS[name]], check=True)
        except subprocess.CalledProcessError as error:
            print(f"  not made: {error}", flush=True)
            continue
        with open(done, "w", encoding="ascii"):
            pass
