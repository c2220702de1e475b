"""What a fit leaves in its folder: `fit.json`, the posterior as a table, and its worlds as scenarios."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.fitting.posterior import known, shares, ties, told_apart
from airloom.fitting.words import LEAST_SHARE
from airloom.results.table import Column, Table
from airloom.support.atomic import whole
from airloom.support.document import named
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from airloom.fitting.emulator import Places
    from airloom.fitting.fit import Fit
    from airloom.fitting.parameter import Parameter
    from airloom.fitting.posterior import Known
    from airloom.fitting.problem import Problem
    from airloom.fitting.worlds import Worlds

JSON, POSTERIOR, WORLDS, PAGE = "fit.json", "posterior.parquet", "worlds", "report.html"
"""The names of what a fit leaves."""


def outcome(found: Fit, worlds: Worlds | None) -> dict[str, Any]:
    """What a fit found, as JSON has it."""
    problem = found.problem
    names = [one.name for one in problem.parameters]
    return {
        "airloom": _engine.version(),
        "results_version": _engine.results(),
        "title": problem.title,
        "parameters": parameters(problem, found.draws, worlds),
        "region": {
            "empty": found.region.empty,
            "share": 0.0 if found.region.empty else found.region.share,
            "bound": found.region.bound,
            "least": found.region.least,
            "waves": [
                {
                    "points": one.points,
                    "share": 0.0 if one.region.empty else one.region.share,
                    "least": one.region.least,
                }
                for one in found.waves
            ],
            "failed_runs": found.failed,
        },
        "posterior": None
        if found.draws is None or worlds is None
        else {
            "draws": len(found.draws),
            "worlds": len(worlds.points),
            "effective_worlds": worlds.effective,
            "surprise": found.surprise,
        },
        "unidentified": unidentified(problem, found.draws),
        "tied": [
            {"parameters": [names[a], names[b]], "correlation": correlation}
            for a, b, correlation in (ties(found.draws) if found.draws is not None else [])
            if not (problem.parameters[a].choices or problem.parameters[b].choices)
        ],
        "short": None if problem.short is None else {"points": len(found.compared), "off": off(found)},
        "aside": [problem.measurements[at].name for at in found.aside],
        "excluding": [
            {"measurements": [problem.measurements[at].name for at in chosen], "least": least}
            for chosen, least in found.excluding
        ],
        "predictions": predictions(found, worlds),
    }


def off(found: Fit) -> list[dict[str, Any]]:
    """How far full runs are off from what short ones say, by measurement and in its unit, and the spread of that.

    None of what no full run came near to.
    """
    return [
        {
            "name": found.problem.measurements[at].name,
            "mean": one.shift * one.scale if one.in_units else None,
            "spread": math.sqrt(one.noise + one.wandering) * one.scale if one.in_units else None,
        }
        for at, one in zip(found.fitted, found.emulators, strict=True)
    ]


def parameters(problem: Problem, draws: Places | None, worlds: Worlds | None) -> list[dict[str, Any]]:
    """The unknowns: where they might lie, and where they do; none of the latter where no world is plausible."""
    intervals = known(draws) if draws is not None else [None] * len(problem.parameters)
    likeliest = worlds.likeliest(within(problem, draws)) if worlds and draws is not None else [None] * len(intervals)
    return [
        {
            "name": one.name,
            "sets": list(one.keys),
            **(of_choices(one, None if draws is None else draws[:, at]) if one.choices else of_range(one, of)),
            "source": one.source,
            "likeliest": one.called(value) if one.choices and value is not None else value,
        }
        for at, (one, of, value) in enumerate(zip(problem.parameters, intervals, likeliest, strict=True))
    ]


def within(problem: Problem, draws: Places) -> Callable[[tuple[float, ...]], bool]:
    """Whether a point lies within the intervals of all unknowns, and has no choice that is ruled out."""
    intervals = known(draws)
    likely = [
        shares(draws[:, at], len(one.choices)) if one.choices else [] for at, one in enumerate(problem.parameters)
    ]

    def inside(point: tuple[float, ...]) -> bool:
        return all(
            each[int(value)] >= LEAST_SHARE if one.choices else one.at(of.low) <= value <= one.at(of.high)
            for one, of, each, value in zip(problem.parameters, intervals, likely, point, strict=True)
        )

    return inside


def unidentified(problem: Problem, draws: Places | None) -> list[str]:
    """The unknowns about which what was measured says next to nothing."""
    if draws is None:
        return []
    return [
        one.name
        for at, (one, of) in enumerate(zip(problem.parameters, known(draws), strict=True))
        if (not told_apart(shares(draws[:, at], len(one.choices))) if one.choices else of.unidentified)
    ]


def of_range(one: Parameter, of: Known | None) -> dict[str, Any]:
    """An unknown on a range: its ends, and its interval."""
    return {
        "unit": one.unit,
        "from": one.low,
        "to": one.high,
        "scale": "log" if one.logarithmic else "linear",
        "median": one.at(of.median) if of else None,
        "low": one.at(of.low) if of else None,
        "high": one.at(of.high) if of else None,
    }


def of_choices(one: Parameter, places: Places | None) -> dict[str, Any]:
    """An unknown that is one of a few: how likely each is, given what was measured."""
    size = len(one.choices)
    likely = [None] * size if places is None else shares(places, size)
    return {"choices": [{"value": text, "share": share} for text, share in zip(one.choices, likely, strict=True)]}


def predictions(found: Fit, worlds: Worlds | None) -> list[dict[str, Any]]:
    """What was measured, and what the worlds of the posterior say of it."""
    problem = found.problem
    fitted = set(problem.fitted)
    predicted = worlds.predictions if worlds else [None] * len(problem.measurements)
    return [
        {
            "name": one.name,
            "experiment": one.experiment,
            "metric": one.metric,
            "of": one.of,
            "measured": one.value,
            "tolerance": one.tolerance,
            "span": [one.value - one.half, one.value + one.half] if one.half else None,
            "held_out": at not in fitted,
            "aside": at in found.aside,
            "low": made.low if made else None,
            "median": made.median if made else None,
            "high": made.high if made else None,
            "holds": made.holds(one) if made else None,
        }
        for at, (one, made) in enumerate(zip(problem.measurements, predicted, strict=True))
    ]


def write(found: Fit, worlds: Worlds | None, said: dict[str, Any], folder: Path) -> None:
    """Writes all of it, each file whole or not at all; `said` is what `fit.json` says."""
    with whole(folder / JSON) as partial:
        partial.write_text(json.dumps(named("fit", said), indent=2) + "\n", encoding="utf-8")
    for old in (folder / WORLDS).glob("*.toml"):
        old.unlink()
    if found.draws is None or worlds is None:
        (folder / POSTERIOR).unlink(missing_ok=True)
        return
    problem = found.problem
    points = [problem.point(place) for place in found.draws.tolist()]
    columns = zip(problem.parameters, zip(*points, strict=True), strict=True)
    table = Table([column_of(one, column) for one, column in columns])
    with whole(folder / POSTERIOR) as partial:
        table.write(partial)
    (folder / WORLDS).mkdir(exist_ok=True)
    order = sorted(range(len(worlds.points)), key=lambda at: -worlds.weights[at])
    for rank, at in enumerate(order, 1):
        for experiment in problem.experiments:
            text = world(problem, worlds.points[at], experiment, float(worlds.weights[at]))
            suffix = f"-{list(problem.experiments).index(experiment) + 1}" if len(problem.experiments) > 1 else ""
            with whole(folder / WORLDS / f"{rank:02}{suffix}.toml") as partial:
                partial.write_text(text, encoding="utf-8")


def column_of(one: Parameter, values: Sequence[float]) -> Column:
    """An unknown's values in the posterior."""
    if one.choices:
        return Column(one.name, "text", [one.called(value) for value in values])
    return Column(one.name, "number", [float(value) for value in values], one.unit)


def world(problem: Problem, point: tuple[float, ...], experiment: str, weight: float) -> str:
    """A world as a scenario, all its defaults spelled out."""
    values = ", ".join(f"{one.name} {one.written(value)}" for one, value in zip(problem.parameters, point, strict=True))
    about = visible(f"Weight {weight:.3f}. {values}; experiment: {experiment}.")
    return problem.world(point, experiment, about)
