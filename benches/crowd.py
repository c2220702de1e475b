"""Measure what a saturated station more costs: speed and memory for one station to a thousand, and draw the curve.

Run it from anywhere, with the package's own Python: `.venv/bin/python benches/crowd.py`. It builds the engine for
release, runs saturated.toml with growing numbers of stations, and writes a table into docs/performance.md and the curve
into docs/img/crowd.svg. Setting a run up is left out of what a frame costs: that is the difference between a long run
and a short one.
"""

import re
import subprocess
import sys

import altair as alt

from instructions import HERE, build
from page import write

STATIONS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
SHORT, LONG = 10, 60


def run(program: str, stations: int, seconds: int) -> tuple[float, int, float]:
    """Run this number of stations for this time; return the wall time in s, the frames, and the memory in MiB."""
    overrides = [f"station.0.count={stations}", f"duration={seconds} s"]
    command = [program, str(HERE / "saturated.toml"), *overrides]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    wall = re.search(r"simulated in ([\d.]+) s", output)
    frames = re.search(r"(\d+) frames on the air", output)
    memory = re.search(r"at most ([\d.]+) MiB", output)
    if not (wall and frames and memory):
        sys.exit(f"crowd: not understood:\n{output}")
    return float(wall[1]), int(frames[1]), float(memory[1])


def main() -> None:
    """Print the table and draw the curve."""
    program = build("dist")
    rows = []
    lines = ["stations  x real time  us per frame  frames/s  MiB"]
    for stations in STATIONS:
        short, few, _ = run(program, stations, SHORT)
        wall, many, memory = run(program, stations, LONG)
        cost = 1e6 * (wall - short) / (many - few)
        rows.append({"stations": stations, "cost": cost})
        lines.append(f"{stations:8} {LONG / wall:12.0f} {cost:13.2f} {many / LONG:9.0f} {memory:5.1f}")
        sys.stdout.write(f"{lines[-1]}\n")
        sys.stdout.flush()
    write("crowd", "\n".join(["```", *lines, "```"]))
    chart = (
        alt.Chart(alt.Data(values=rows), width=480, height=220)
        .mark_line(point=True)
        .encode(
            x=alt.X("stations:Q", title="saturated stations").scale(type="log"),
            y=alt.Y("cost:Q", title="microseconds per frame on the air").scale(domainMin=0),
        )
    )
    chart.save(str(HERE.parent / "docs" / "img" / "crowd.svg"))


if __name__ == "__main__":
    main()
