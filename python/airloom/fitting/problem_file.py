"""Reads a problem file: a scenario, what of it is unknown, and what was measured."""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from airloom.errors import GridError
from airloom.fitting.measurement import Measurement
from airloom.fitting.parameter import Parameter
from airloom.fitting.problem import Problem
from airloom.fitting.table import OF_TABLES, rows_of
from airloom.results.aggregates import Over
from airloom.scenario import source
from airloom.scenario.complaints import Complaints
from airloom.scenario.quantities import measured
from airloom.support.visible import visible
from airloom.sweep.plan import parsed, settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from airloom.scenario.grid import Overrides

KEYS = (
    "title",
    "scenario",
    "set",
    "seeds",
    "waves",
    "points",
    "hold_out",
    "parameter",
    "experiment",
    "measured",
    "table",
)
"""The keys of a problem file."""

OF_PARAMETERS = ("sets", "from", "to", "scale", "whole", "source")
"""The keys of a `[parameter.NAME]`."""

OF_MEASUREMENTS = ("name", "experiment", "metric", "of", "over", "value", "error", "discrepancy", "fold", "source")
"""The keys of a `[[measured]]`."""

SCALES = ("linear", "log")
"""On what scale all places are equally likely."""

ONLY = "all"
"""The name of the one experiment of a problem that names none."""

SHARE = re.compile(r"(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*%")
"""A share of the measured value."""

USUAL_SEEDS, USUAL_WAVES = 2, 3
"""Runs of each point and experiment, and waves, where the file names none."""

POINTS_FOR_EACH = 20
"""Points of a wave for each parameter where the file names none; an emulator needs ten (Loeppky et al. 2009)."""

MOST_SEEDS, MOST_WAVES, MOST_POINTS = 1000, 20, 2000
"""The most of them: the work of an emulator grows with the cube of all points."""

FEWEST_FOR_EACH = 5
"""Points for each parameter below which no emulator is worth its name."""


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
    unknown(content, KEYS, complaints)
    if not isinstance(content.get("scenario"), str):
        complaints.add("scenario", 'needs the scenario that it varies: scenario = "home.toml", beside this file')
        complaints.check()
    scenario = file.parent / content["scenario"]
    base = source.read(scenario)[0]
    fixed = settings(content.get("set", {}), complaints)
    unknowns = [parameter(name, one, complaints) for name, one in tables(content, "parameter", complaints)]
    parameters = [one for one in unknowns if one]
    experiments, measurements = measured_in(file.parent, content, complaints)
    held = hold_out or str(content.get("hold_out", ""))
    check_fold(held, measurements, complaints)
    complaints.check()
    if not parameters:
        complaints.add("parameter", "nothing is unknown: [parameter.distance] with sets, from and to says what is")
    if not measurements:
        complaints.add("measured", "nothing was measured: [[measured]] with metric, of, value and error says what was")
    seeds = number(content, "seeds", USUAL_SEEDS, MOST_SEEDS, complaints)
    waves = number(content, "waves", USUAL_WAVES, MOST_WAVES, complaints)
    points = number(content, "points", max(2, len(parameters)) * POINTS_FOR_EACH, MOST_POINTS, complaints)
    if points < FEWEST_FOR_EACH * len(parameters):
        least = FEWEST_FOR_EACH * len(parameters)
        complaints.add(
            "points",
            f"{points} points for {len(parameters)} unknowns: too few to see what each does",
            f"at least {least}",
        )
    complaints.check()
    return Problem(file, text, scenario, base, fixed, parameters, experiments, measurements, seeds, waves, points, held)


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


def check_fold(held: str, measurements: Sequence[Measurement], complaints: Complaints) -> None:
    """Refuses a fold that no measurement is of, or that leaves nothing to be fitted."""
    folds = sorted({one.fold for one in measurements if one.fold})
    if held and held not in folds:
        complaints.add(
            "hold_out", f"no measurement has fold = {held!r}", f"there are {', '.join(folds)}" if folds else None
        )
    elif held and all(one.fold == held for one in measurements):
        complaints.add("hold_out", f"all measurements are of fold {held!r}: nothing is left to be fitted")


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


def unknown(content: Mapping[str, Any], known: Sequence[str], complaints: Complaints) -> None:
    """Refuses keys that a table does not have."""
    for key in content.keys() - set(known):
        near = difflib.get_close_matches(key, known, 1)
        complaints.add(
            key, f"unknown key `{key}`", f"did you mean `{near[0]}`?" if near else f"there are {', '.join(known)}"
        )


def tables(content: Mapping[str, Any], key: str, complaints: Complaints) -> list[tuple[str, dict[str, Any]]]:
    """The tables by name under a key."""
    found = content.get(key, {})
    if isinstance(found, dict) and all(isinstance(one, dict) for one in found.values()):
        return list(found.items())
    complaints.add(key, f"`{key}` needs tables with names: [{key}.near]")
    return []


def listed(content: Mapping[str, Any], key: str, complaints: Complaints) -> list[dict[str, Any]]:
    """The tables of a list under a key."""
    found = content.get(key, [])
    if isinstance(found, list) and all(isinstance(one, dict) for one in found):
        return found
    complaints.add(key, f"`{key}` needs to be a list of tables: [[{key}]]")
    return []


def number(content: Mapping[str, Any], key: str, usual: int, most: int, complaints: Complaints) -> int:
    """A whole number under a key."""
    found = content.get(key, usual)
    if type(found) is int and 1 <= found <= most:
        return found
    complaints.add(key, f"`{key}` needs a whole number from 1 to {most:,}")
    return usual


def parameter(name: str, content: Mapping[str, Any], complaints: Complaints) -> Parameter | None:
    """What a `[parameter.NAME]` says."""
    unknown(content, OF_PARAMETERS, complaints)
    place = f"parameter.{name}"
    keys = content.get("sets")
    keys = [keys] if isinstance(keys, str) else keys
    if not isinstance(keys, list) or not keys or not all(isinstance(key, str) for key in keys):
        complaints.add(place, f"`{name}` needs the key that it sets", 'sets = "station.0.distance"')
        return None
    ends = measured([content.get("from"), content.get("to")])
    if ends is None:
        complaints.add(place, f"`{name}` needs its ends, two numbers of one unit", 'from = "2 m", to = "30 m"')
        return None
    low, high = map(float, ends[0])
    if low >= high:
        complaints.add(place, f"`{name}` goes from {low:g} to {high:g}: the lesser comes first")
        return None
    scale = content.get("scale", SCALES[0])
    if scale not in SCALES or (scale == "log" and low <= 0):
        complaints.add(place, f"`scale` of `{name}` is linear, or log where all is above zero")
        return None
    whole = content.get("whole", False)
    if not isinstance(whole, bool) or (whole and math.floor(high) <= math.ceil(low)):
        wrong = "is true or false" if not isinstance(whole, bool) else f"has no two of them from {low:g} to {high:g}"
        complaints.add(place, f"`whole` of `{name}` {wrong}")
        return None
    return Parameter(name, tuple(keys), low, high, ends[1], scale == "log", whole, str(content.get("source", "")))


def measurement(content: Mapping[str, Any], name: str, complaints: Complaints) -> Measurement | None:
    """What a `[[measured]]` says."""
    unknown(content, OF_MEASUREMENTS, complaints)
    name = str(content.get("name") or name)
    metric, value = content.get("metric"), content.get("value")
    if not isinstance(metric, str):
        complaints.add("measured", f"{name} needs the metric that it is", 'metric = "goodput_mbps"')
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        complaints.add("measured", f"{name} needs its value, a number", "value = 12.3")
        return None
    spreads = [spread(content.get(key, 0), value) for key in ("error", "discrepancy")]
    if None in spreads:
        complaints.add(
            "measured", f"error and discrepancy of {name} are numbers from 0 on, or shares of it", 'error = "5 %"'
        )
        return None
    error, discrepancy = (each or 0.0 for each in spreads)
    if error == discrepancy == 0:
        complaints.add(
            "measured",
            f"{name} has neither error nor discrepancy: no run meets a number to the last digit",
            'error = "5 %"',
        )
        return None
    over = content.get("over")
    if over is not None and over not in get_args(Over):
        complaints.add("measured", f"`over` of {name} is one of {', '.join(get_args(Over))}")
        return None
    texts = [str(content.get(key, "")) for key in ("experiment", "of", "fold", "source")]
    return Measurement(name, texts[0], metric, texts[1] or "run", over, float(value), error, discrepancy, *texts[2:])


def spread(given: object, value: float) -> float | None:
    """A standard deviation: a number, or a share of the value."""
    if isinstance(given, str) and (share := SHARE.fullmatch(given.strip())):
        return abs(value) * float(share[1]) / 100
    if isinstance(given, (int, float)) and not isinstance(given, bool) and 0 <= given < math.inf:
        return float(given)
    return None


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
