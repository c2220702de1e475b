"""Measure the most memory that two long runs take: a day of twenty stations, ten minutes of a thousand.

Run it from anywhere, with the package's own Python, after `make setup`: `.venv/bin/python benches/memory.py`.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from airloom.support.itself import itself

HERE = Path(__file__).resolve().parent
RUNS = (("20 stations, 24 h", "24 h", 20), ("1000 stations, 10 min", "10 min", 1000))


def peak(duration: str, stations: int) -> float:
    """Run idle.toml for this time with this number of stations; return the peak of resident memory in MiB."""
    with tempfile.TemporaryDirectory() as folder:
        settings = ["--set", f"duration={duration}", "--set", f"station.0.count={stations}"]
        command = itself("run", str(HERE / "idle.toml"), *settings, "-o", f"{folder}/run")
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"memory: the run of {duration} failed")
    return usage.ru_maxrss / 1024


def main() -> None:
    """Print a line for each run."""
    for name, duration, stations in RUNS:
        sys.stdout.write(f"{name}: at most {peak(duration, stations):.0f} MiB\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
