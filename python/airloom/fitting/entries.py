"""Reads the parts of a problem file: its tables and numbers, what is unknown, and what was measured."""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from airloom.fitting.measurement import Measurement
from airloom.fitting.parameter import Parameter
from airloom.results.aggregates import Over
from airloom.scenario.grid import written
from airloom.scenario.quantities import measured

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.scenario.complaints import Complaints

OF_RANGES = ("sets", "from", "to", "scale", "whole", "source", "in")
"""The keys of a `[parameter.NAME]` that lies on a range."""

OF_CHOICES = ("sets", "choices", "source", "in")
"""The keys of one that is one of a few."""

CHOICES = range(2, 13)
"""How many choices an unknown may have: more cannot be told apart by as few runs as there are."""

OF_MEASUREMENTS = ("name", "experiment", "metric", "of", "over", "value", "error", "discrepancy", "fold", "source")
"""The keys of a `[[measured]]`."""

SCALES = ("linear", "log")
"""On what scale all places are equally likely."""

SHARE = re.compile(r"(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*%")
"""A share of the measured value."""

USUAL_SEEDS, USUAL_WAVES, USUAL_WORLDS = 2, 3, 40
"""Runs of each point and experiment, waves, and worlds that are run, where the file names none."""

POINTS_FOR_EACH = 20
"""Points of a wave for each parameter where the file names none; an emulator needs ten (Loeppky et al. 2009)."""

MOST_SEEDS, MOST_WAVES, MOST_POINTS, MOST_WORLDS = 1000, 20, 2000, 1000
"""The most of them: the work of an emulator grows with the cube of all points."""

FEWEST_FOR_EACH = 5
"""Points for each parameter below which no emulator is worth its name."""


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


def number(content: Mapping[str, Any], key: str, usual: int, most: int, complaints: Complaints, table: str = "") -> int:
    """A whole number under a key, of a table or of the file itself."""
    found = content.get(key, usual)
    if type(found) is int and 1 <= found <= most:
        return found
    complaints.add(f"{table}.{key}" if table else key, f"`{key}` needs a whole number from 1 to {most:,}")
    return usual


def sizes(
    content: Mapping[str, Any], parameters: Sequence[Parameter], complaints: Complaints
) -> tuple[int, int, int, int]:
    """How many seeds, waves, points of a wave, and worlds that are run in the end."""
    seeds = number(content, "seeds", USUAL_SEEDS, MOST_SEEDS, complaints)
    waves = number(content, "waves", USUAL_WAVES, MOST_WAVES, complaints)
    points = number(content, "points", max(2, len(parameters)) * POINTS_FOR_EACH, MOST_POINTS, complaints)
    worlds = number(content, "worlds", USUAL_WORLDS, MOST_WORLDS, complaints)
    if points < FEWEST_FOR_EACH * len(parameters):
        least = FEWEST_FOR_EACH * len(parameters)
        complaints.add(
            "points",
            f"{points} points for {len(parameters)} unknowns: too few to see what each does",
            f"at least {least}",
        )
    return seeds, waves, points, worlds


def unknowns(content: Mapping[str, Any], complaints: Complaints) -> list[Parameter]:
    """The unknowns of a problem, of which there has to be one."""
    found = [parameter(name, one, complaints) for name, one in tables(content, "parameter", complaints)]
    if not found:
        complaints.add("parameter", "nothing is unknown: [parameter.distance] with sets, from and to says what is")
    return [one for one in found if one]


def parameter(name: str, content: Mapping[str, Any], complaints: Complaints) -> Parameter | None:
    """What a `[parameter.NAME]` says."""
    unknown(content, OF_CHOICES if "choices" in content else OF_RANGES, complaints)
    place = f"parameter.{name}"
    of_each, keys = keys_of(content.get("sets"))
    if not keys:
        complaints.add(place, f"`{name}` needs the key that it sets", 'sets = "station.0.distance"')
        return None
    found = (choice if "choices" in content else ranged)(name, content, keys, complaints)
    scenarios = names(content.get("in", []))
    if scenarios is None or (scenarios and of_each):
        wrong = f"`in` of `{name}` names scenario files of the paper, and `sets` does not"
        complaints.add(place, wrong, 'in = "upload.toml", or sets = { "upload.toml" = "station.0.snr" }')
    said, files = str(content.get("source", "")), tuple(of_each or scenarios or ())
    return replace(found, source=said, scenarios=files, of_each=of_each) if found else None


def ranged(name: str, content: Mapping[str, Any], keys: tuple[str, ...], complaints: Complaints) -> Parameter | None:
    """An unknown on a range."""
    place = f"parameter.{name}"
    ends = measured([content.get("from"), content.get("to")])
    if ends is None:
        hint = 'from = "2 m", to = "30 m"; or choices = ["cubic", "bbr"], if it is one of a few'
        complaints.add(place, f"`{name}` needs its ends, two numbers of one unit", hint)
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
    return Parameter(name, keys, low, high, ends[1], scale == "log", whole)


def choice(name: str, content: Mapping[str, Any], keys: tuple[str, ...], complaints: Complaints) -> Parameter | None:
    """An unknown that is one of a few."""
    given = content["choices"]
    found = {str(one): written(one) for one in given} if isinstance(given, list) else {}
    if isinstance(given, dict):
        found = {name: written(one) for name, one in given.items()}
    if len(found) not in CHOICES or len({*found.values()}) < len(given):
        wrong = f"`choices` of `{name}` needs from {CHOICES[0]} to {CHOICES[-1]} different values"
        complaints.add(f"parameter.{name}", wrong, 'choices = ["cubic", "bbr"]')
        return None
    return Parameter(name, keys, 0.0, len(found) - 1.0, choices=found)


def keys_of(given: object) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """What an unknown `sets`: the keys by a paper's scenario, if it says so, and all of them; none of anything else."""
    if not isinstance(given, dict):
        return {}, tuple(names(given) or ())
    found = {file: names(keys) for file, keys in given.items()}
    of_each = {file: tuple(keys) for file, keys in found.items() if keys}
    whole = tuple(dict.fromkeys(key for keys in of_each.values() for key in keys))
    return (of_each, whole) if len(of_each) == len(found) else ({}, ())


def names(given: object) -> list[str] | None:
    """A name, or a list of them; none of anything else."""
    found = [given] if isinstance(given, str) else given
    return found if isinstance(found, list) and all(isinstance(one, str) for one in found) else None


def measurement(content: Mapping[str, Any], name: str, complaints: Complaints) -> Measurement | None:
    """What a `[[measured]]` says."""
    unknown(content, OF_MEASUREMENTS, complaints)
    name = str(content.get("name") or name)
    metric = content.get("metric")
    if not isinstance(metric, str):
        complaints.add("measured", f"{name} needs the metric that it is", 'metric = "goodput_mbps"')
        return None
    read = span(content.get("value"))
    if read is None:
        complaints.add("measured", f"{name} needs its value, a number or a span", "value = 12.3, or value = [10, 15]")
        return None
    value, half = read
    spreads = [spread(content.get(key, 0), value) for key in ("error", "discrepancy")]
    if None in spreads:
        complaints.add(
            "measured", f"error and discrepancy of {name} are numbers from 0 on, or shares of it", 'error = "5 %"'
        )
        return None
    error, discrepancy = (each or 0.0 for each in spreads)
    if error == discrepancy == half == 0:
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
    named = (name, texts[0], metric, texts[1] or "run", over)
    return Measurement(*named, value, error, discrepancy, texts[2], texts[3], half)


def span(given: object) -> tuple[float, float] | None:
    """A number, or the two ends of a span, the lesser first: its middle, and half of its width."""
    ends = given if isinstance(given, list) else [given, given]
    if any(isinstance(one, bool) or not isinstance(one, (int, float)) for one in ends):
        return None
    match list(map(float, ends)):
        case [low, high] if (
            math.isfinite(low) and math.isfinite(high - low) and (low < high or not isinstance(given, list))
        ):
            return low + (high - low) / 2, (high - low) / 2
    return None


def spread(given: object, value: float) -> float | None:
    """A standard deviation: a number, or a share of the value."""
    if isinstance(given, str) and (share := SHARE.fullmatch(given.strip())):
        return abs(value) * float(share[1]) / 100
    if isinstance(given, (int, float)) and not isinstance(given, bool) and 0 <= given < math.inf:
        return float(given)
    return None
