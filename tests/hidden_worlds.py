"""Networks whose truth is hidden from a fit: how often its intervals hold it.

Each world is a home with two laptops and a call, of which four to eight things are unknown. What would be measured
comes from one run of it with a seed that no fit uses. `python tests/hidden_worlds.py [COUNT] [FOLDER]` prints the share
of truths within their intervals, by unknown; a folder that has a part of it goes on from there.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.batch.executor import Threads
from airloom.fitting import folder, problem_file
from small_cells import cell, flow, station

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.fitting.problem import Problem

COUNT = 40
"""Worlds where none are asked for."""

SCENARIO = cell(
    "A home",
    "4 s",
    station("near", "5 m", rate="minstrel"),
    station("far", "12 m", rate="minstrel"),
    flow("server", "near", name="download"),
    flow("far", "server", name="upload"),
    flow("server", "far", 'kind = "udp"', name="call", rate="1 Mbit/s"),
    queue='{ discipline = "fifo", limit = "300 packets" }',
    delay="10 ms",
).replace("1 Gbit/s", "200 Mbit/s")

UNKNOWN = {
    "exponent": ("air.path_loss.exponent", 2.2, 4.2, "", "linear"),
    "delay": ("server.0.link.delay", 2, 60, "ms", "log"),
    "limit": ("ap.0.queue.limit", 50, 1000, "packets", "log"),
    "near": ("station.0.distance", 2, 20, "m", "linear"),
    "far": ("station.1.distance", 2, 20, "m", "linear"),
    "fading": ("air.fading", 0, 6, "dB", "linear"),
    "link": ("server.0.link.rate", 30, 400, "Mbit/s", "log"),
    "call": ("flow.2.rate", 0.5, 20, "Mbit/s", "log"),
}
"""What may be unknown: its key, the ends of its range, the unit, the scale."""

MEASURED = (
    ("download", "goodput_mbps", 0.3),
    ("download", "rtt_median_ms", 0.5),
    ("download", "rtt_p95_ms", 0.5),
    ("upload", "goodput_mbps", 0.3),
    ("upload", "rtt_median_ms", 0.5),
    ("upload", "rtt_p95_ms", 0.5),
    ("call", "goodput_mbps", 0.03),
    ("call", "delay_median_ms", 0.5),
    ("call", "delay_p95_ms", 0.5),
    ("run", "airtime_idle", 0.005),
)
"""What would be measured, and how well it can be read where it is small."""

ERROR = 0.02
"""How well it can be read, as a share of it."""


def hidden(number: int, place: Path) -> tuple[Problem, dict[str, float]]:
    """The problem of a world, and the truth."""
    draw = random.Random(number)  # noqa: S311 - the same worlds for everybody
    names = sorted(draw.sample(sorted(UNKNOWN), draw.randint(4, 8)))
    place.mkdir(parents=True, exist_ok=True)
    (place / "home.toml").write_text(SCENARIO)
    tables = [table(name) for name in names]
    shown = [entry(of, metric, 1.0, 1.0) for of, metric, _ in MEASURED]
    blank = problem_file.read(written(place, tables, shown))
    truth = blank.point([draw.random() for _ in names])
    summary = json.loads(_engine.summarize(blank.base, "home.toml", blank.overrides(truth, "all"), 1000 + number))
    entries = []
    for one, (of, metric, least) in zip(blank.measurements, MEASURED, strict=True):
        value = one.of_run(summary)
        if value is not None:
            error = max(least, ERROR * abs(value))
            entries.append(entry(of, metric, value + draw.gauss(0.0, error), error))
    return problem_file.read(written(place, tables, entries)), dict(zip(names, truth, strict=True))


def table(name: str) -> str:
    """An unknown."""
    key, low, high, unit, scale = UNKNOWN[name]
    ends = [f'"{end} {unit}"' if unit else f"{end}" for end in (low, high)]
    whole = "\nwhole = true" if unit == "packets" else ""
    return f'[parameter.{name}]\nsets = "{key}"\nfrom = {ends[0]}\nto = {ends[1]}\nscale = "{scale}"{whole}\n'


def entry(of: str, metric: str, value: float, error: float) -> str:
    """A measurement."""
    said = {"name": f"{of} {metric}", "metric": metric, "of": of, "value": value, "error": error}
    return "\n".join(["[[measured]]", *(f"{key} = {json.dumps(one)}" for key, one in said.items()), ""])


def written(place: Path, tables: Sequence[str], entries: Sequence[str]) -> Path:
    """The problem's file."""
    head = 'scenario = "home.toml"\nseeds = 2\nwaves = 3\n'
    (place / "problem.toml").write_text("\n".join([head, *tables, *entries]))
    return place / "problem.toml"


def fitted(number: int, place: Path) -> tuple[dict[str, Any], dict[str, float]]:
    """What a fit says of a world, or said before, and the truth."""
    problem, truth = hidden(number, place)
    if (said := place / "out" / "fit.json").exists():
        return json.loads(said.read_text()), truth
    return folder.run(problem, place / "out", Threads(), lambda *_: None, lambda *_: None), truth


def say(line: str) -> None:
    """Shows a line at once: the next one takes minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(count: int, place: Path) -> None:
    """Prints the share of truths within their intervals."""
    within: dict[str, list[bool]] = defaultdict(list)
    empty = 0
    for number in range(1, count + 1):
        began = time.monotonic()
        said, truth = fitted(number, place / str(number))
        if said["region"]["empty"]:
            empty += 1
            say(f"{number}: {len(truth)} unknowns, no world found: wrong")
            for name in truth:
                within[name].append(False)
            continue
        for one in said["parameters"]:
            within[one["name"]].append(one["low"] <= truth[one["name"]] <= one["high"])
        held = sum(within[name][-1] for name in truth)
        say(f"{number}: {held} of {len(truth)} within, {time.monotonic() - began:.0f} s")
    for name, each in sorted(within.items()):
        say(f"{name:10} {sum(each):3} of {len(each):3}  {sum(each) / len(each):.0%}")
    every = [one for each in within.values() for one in each]
    say(f"all        {sum(every):3} of {len(every):3}  {sum(every) / len(every):.0%}; {empty} regions empty")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else COUNT, Path(given[1] if given[1:] else tempfile.mkdtemp(prefix="hidden-worlds-")))
