"""Measure offices of several access points: how much faster than real time they run, with places and without.

Run it from anywhere: `python3 benches/networks.py`. It builds the engine as a checkout does, writes two scenarios, and
runs each for a short and a long time; what a simulated second costs is the difference, in the processor's own time. The
table goes into docs/performance.md.
"""

import math
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from instructions import build
from page import write

SHORT_S, LONG_S = 0.1, 4.1
CHANNELS = (36, 40, 44)
HEAD = """title = "Several access points"
[air]
standard = "802.11ax"
band = "5 GHz"
width = "20 MHz"
[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "10 Gbit/s", delay = "2 ms" }
"""
DOWNLOAD = 'kind = "tcp"'
LIGHT = 'kind = "udp"\nrate = "2 Mbit/s"\nspacing = "poisson"'


def networks(access_points: int, stations: int, apart_m: int, flow: str, every: int, *, places: bool) -> str:
    """So many access points in rows of ten, stations around each, and a flow to every so manieth of these."""
    parts = [HEAD]
    for a in range(access_points):
        x, y = apart_m * (a % 10), apart_m * (a // 10)
        where = f'position = ["{x} m", "{y} m"]' if places else ""
        parts.append(f'[[ap]]\nname = "ap{a}"\nadapter = "edca-ax"\nchannel = {CHANNELS[a % 3]}\n{where}\n')
        for n in range(stations):
            metres, turn = 3 + n % 6, 2 * math.pi * n / stations
            there = f'["{x + metres * math.cos(turn):.1f} m", "{y + metres * math.sin(turn):.1f} m"]'
            place = f"position = {there}" if places else f'distance = "{metres} m"'
            radio = 'host = "linux-6.18"\nadapter = "edca-ax"'
            parts.append(f'[[station]]\nname = "s{a}-{n}"\nap = "ap{a}"\n{radio}\n{place}\n')
            if n % every == 0:
                parts.append(f'[[flow]]\nfrom = "server"\nto = "s{a}-{n}"\n{flow}\n')
    return "\n".join(parts)


def run(program: str, scenario: Path, seconds: float) -> tuple[float, int]:
    """Run for this time; return the processor's time in s and the frames on the air."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [program, str(scenario), f"duration={seconds} s"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    frames = re.search(r"(\d+) frames on the air", output)
    if not frames:
        sys.exit(f"networks: not understood:\n{output}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, int(frames[1])


def main() -> None:
    """Print the table."""
    program = build("release")
    cases = {
        "10 with 30 stations each, half of them downloading": (10, 30, 20, DOWNLOAD, 2),
        "50 with 2 stations each, 2 Mbit/s to each": (50, 2, 10, LIGHT, 1),
    }
    lines = [
        "| access points on three channels | places | x real time | us per frame | frames/s |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for name, case in cases.items():
            for places in (False, True):
                scenario = Path(folder) / "networks.toml"
                scenario.write_text(networks(*case, places=places))
                short, few = run(program, scenario, SHORT_S)
                long, many = run(program, scenario, LONG_S)
                cost, frames = (long - short) / (LONG_S - SHORT_S), (many - few) / (LONG_S - SHORT_S)
                known = "yes" if places else "no"
                lines.append(f"| {name} | {known} | {1 / cost:.0f} | {1e6 * cost / frames:.1f} | {frames:.0f} |")
                sys.stdout.write(f"{lines[-1]}\n")
                sys.stdout.flush()
    write("networks", "\n".join(lines))


if __name__ == "__main__":
    main()
