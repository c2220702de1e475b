"""Measure what `airloom diagnose` takes for captures of a gigabyte: time and the most memory, with and without a page.

Run it from anywhere, with the package's own Python, after `make setup`: `.venv/bin/python benches/diagnosing.py`. It
takes two gigabytes of disk and three minutes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from airloom.support.itself import itself
from long_captures import at_once, one_after_another, source, stations, write

SCENARIO = """
title = "A transfer for captures"
duration = "{duration}"
[air]
standard = "802.11n"
band = "2.4 GHz"
width = "20 MHz"
[[ap]]
name = "ap"
adapter = "ath9k"
[[station]]
name = "laptop"
host = "linux-6.18"
adapter = "ath9k"
distance = "4 m"
rate = "minstrel"
power_save = {{ timeout = "20 ms" }}
[[server]]
name = "server"
host = "linux-6.18"
link = {{ rate = "{rate}", delay = "10 ms", loss = 0.01 }}
[[flow]]
from = "server"
to = "laptop"
tcp = {{ congestion = "cubic" }}
{more}
"""

GIGABYTE = 10**9
MOST_AT_ONCE = 2048
ALL = 100_000
RADIOS = 1000

BESIDE = """
import resource, subprocess, sys, time
begin = time.monotonic()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""A small process that starts the command: what a process took at most counts what its parent held when it began."""


def simulated(out: Path, duration: str, rate: str, more: str = "") -> Path:
    """Runs a download with captures; returns the folder."""
    out.parent.mkdir(exist_ok=True)
    scenario = out.with_suffix(".toml")
    scenario.write_text(SCENARIO.format(duration=duration, rate=rate, more=more), encoding="utf-8")
    command = itself("run", str(scenario), "-o", str(out), "--capture")
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return out


def made(kind: str, folder: Path, octets: int) -> Path:
    """A capture of a kind with about so many octets.

    `host` and `monitor` are of long connections, one after another; `at once` of 2,048 connections, `short` of 100,000,
    `crowd` of a thousand stations.
    """
    out = folder / f"{kind}-{octets}.pcapng".replace(" ", "-")
    if kind in ("host", "monitor"):
        run = simulated(folder / f"run-{kind}", "3 s", "100 Mbit/s")
        of = source(run / ("server.pcapng" if kind == "host" else "air.pcapng"))
        write(out, of, one_after_another(of, ALL), octets)
    elif kind == "at once":
        of = source(simulated(folder / "run-slow", "60 s", "1 Mbit/s") / "server.pcapng")
        write(out, of, at_once(of, MOST_AT_ONCE), octets)
    elif kind == "short":
        of = source(simulated(folder / "run-short", "3 s", "100 Mbit/s", 'bytes = "60 kB"') / "server.pcapng")
        write(out, of, one_after_another(of, ALL), octets)
    else:
        pieces = 'write = { size = "12 kB", every = "150 ms" }'
        of = source(simulated(folder / "run-crowd", "60 s", "100 Mbit/s", pieces) / "air.pcapng")
        write(out, of, stations(of, RADIOS), octets)
    return out


def taken(*arguments: str | Path) -> tuple[float, float]:
    """What `airloom diagnose` takes: seconds, and MiB of resident memory at most."""
    command = itself("diagnose", *map(str, arguments))
    told = subprocess.run([sys.executable, "-c", BESIDE, *command], stdout=subprocess.PIPE, text=True, check=True)
    seconds, kibibytes = told.stdout.split()
    return float(seconds), int(kibibytes) / 1024


def main() -> None:
    """Print two lines for each kind of capture."""
    for kind in ("host", "monitor", "at once", "short", "crowd"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            capture = made(kind, folder, GIGABYTE)
            for what, more in (("", ()), (", with a page", ("-o", folder / "page"))):
                seconds, most = taken(capture, *more)
                sys.stdout.write(f"{kind}{what}: {seconds:.1f} s, at most {most:.0f} MiB\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
