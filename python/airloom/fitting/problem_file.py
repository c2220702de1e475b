"""Reads a problem file: a scenario, what of it is unknown, and what was measured."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from airloom.errors import GridError
from airloom.fitting.entries import listed, measurement, sizes, tables, unknown, unknowns
from airloom.fitting.folds import check_fold
from airloom.fitting.paper_file import read_paper
from airloom.fitting.problem import Problem
from airloom.fitting.short import OF_SCENARIOS, short
from airloom.fitting.table import OF_TABLES, rows_of
from airloom.scenario import source
from airloom.scenario.complaints import Complaints
from airloom.support.visible import visible
from airloom.sweep.plan import parsed, settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from airloom.fitting.measurement import Measurement
    from airloom.scenario.grid import Overrides

KEYS = (
    "title",
    "scenario",
    "paper",
    "set",
    "seeds",
    "waves",
    "points",
    "worlds",
    "short",
    "hold_out",
    "parameter",
    "experiment",
    "measured",
    "table",
)
"""The keys of a problem file."""

ONLY = "all"
"""The name of the one experiment of a problem that names none."""


def read(file: Path, *, hold_out: str = "") -> Problem:
    """Reads a problem file.

    Args:
        file: The file.
        hold_out: The fold to be predicted, in place of the file's own.

    Raises:
        GridMistakesError: All that is wrong with it.
    """
    text, _ = source.read(file, "problem")
    content = parsed(file, text)
    refuse_other(content, str(file))
    complaints = Complaints(visible(str(file)), text)
    if "paper" in content:
        return read_paper(file, text, content, hold_out, complaints)
    unknown(content, KEYS, complaints)
    if not isinstance(content.get("scenario"), str):
        complaints.add("scenario", 'needs the scenario that it varies: scenario = "home.toml", beside this file')
        complaints.check()
    scenario = file.parent / content["scenario"]
    base = source.read(scenario)[0]
    fixed = settings(content.get("set", {}), complaints)
    parameters = unknowns(content, complaints)
    for one in parameters:
        if one.scenarios:
            complaints.add(f"parameter.{one.name}", f"`in` of `{one.name}` is for papers, of several scenarios")
    experiments, measurements = measured_in(file.parent, content, complaints)
    held = hold_out or str(content.get("hold_out", ""))
    check_fold(held, measurements, complaints)
    complaints.check()
    if not measurements:
        complaints.add("measured", "nothing was measured: [[measured]] with metric, of, value and error says what was")
    seeds, waves, points, worlds = sizes(content, parameters, complaints)
    in_waves = short(content, OF_SCENARIOS, seeds, 1, complaints)
    complaints.check()
    given = (file, text, scenario, base, fixed, parameters, experiments, measurements)
    return Problem(*given, seeds, waves, points, held, worlds, short=in_waves)


def measured_in(
    folder: Path, content: Mapping[str, Any], complaints: Complaints
) -> tuple[dict[str, Overrides], list[Measurement]]:
    """What was set in each experiment, and what was measured: by the file itself, and by tables beside it."""
    experiments = {
        name: settings(one.get("set", {}), complaints) for name, one in tables(content, "experiment", complaints)
    }
    entries = listed(content, "measured", complaints)
    found = [measurement(one, f"measurement {at}", complaints) for at, one in enumerate(entries, 1)]
    for one in listed(content, "table", complaints):
        unknown(one, OF_TABLES, complaints)
        for name, sets, of_row in rows_of(folder, one, complaints):
            if name in experiments:
                complaints.add("table", f"two experiments are called {name!r}", "rows differ in what `set` names")
            experiments[name] = settings(sets, complaints)
            found += [measurement({**entry, "experiment": name}, entry["name"], complaints) for entry in of_row]
    experiments = experiments or {ONLY: []}
    measurements = assigned([one for one in found if one], experiments, complaints)
    if measurements:
        idle = experiments.keys() - {one.experiment for one in measurements}
        for name in sorted(idle):
            complaints.add(name, f"nothing was measured in the experiment {name!r}", "leave it out")
    return experiments, measurements


def refuse_other(content: Mapping[str, Any], file: str) -> None:
    """Refuses a scenario or a grid, in one line.

    Raises:
        GridError: It is one.
    """
    what = "a scenario" if "air" in content else "a sweep's grid" if "axis" in content else ""
    if what:
        raise GridError(
            f"{file}: {what}, not a fit's problem",
            "docs/fit.md shows one: a scenario beside it, [parameter.NAME], [[measured]]",
        )


def assigned(found: list[Measurement], experiments: Mapping[str, object], complaints: Complaints) -> list[Measurement]:
    """The measurements with their experiments: the only one where none is named; each by a name of its own."""
    names: set[str] = set()
    made = []
    for one in found:
        if one.name in names:
            complaints.add("measured", f"two measurements are called {one.name!r}")
        names.add(one.name)
        if one.experiment in experiments:
            made.append(one)
        elif not one.experiment and len(experiments) == 1:
            made.append(replace(one, experiment=next(iter(experiments))))
        else:
            complaints.add("measured", f"{one.name} needs its experiment", f"there are {', '.join(experiments)}")
    return made
