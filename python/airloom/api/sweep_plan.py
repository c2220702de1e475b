"""A grid as Python code gives it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import warn

from airloom.api.arguments import one_scenario
from airloom.errors import GridError, GridMistakesError, Mistake, RunError, ScenarioWarning
from airloom.scenario import source
from airloom.scenario.given import formed, overriding, subscripted
from airloom.scenario.toml_text import document, inline, quoted_key
from airloom.sweep import plan
from airloom.sweep.cell_warnings import of_cells

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airloom.scenario.given import Scenario
    from airloom.scenario.toml_text import Document, Value

GRID = Path("grid")
"""What messages of the rooms below call a grid that is no file."""

EXAMPLE = "for example axes={'station.0.distance': ['2 m', '5 m']}, or seeds=10"


def read(
    scenario: Scenario,
    axes: object,
    *,
    seeds: object,
    settings: object,
    sample: object,
    keep: str,
) -> plan.Plan:
    """The plan of `airloom.sweep`; warns of what its cells say and probably do not mean.

    Raises:
        GridError: The grid makes no sense, or the engine refuses one of its values.
        RunError: An argument is not what it should be.
    """
    if axes is None and seeds is None:
        asked = grid_file(scenario, settings=settings, sample=sample, keep=keep)
        warn_of(of_cells(asked))
        return asked
    base = one_scenario(scenario)
    made = written({} if axes is None else axes, seeds, settings, sample, keep)
    named = Path("scenario.toml") if base.file == "<scenario>" else Path(os.fspath(scenario))  # type: ignore[arg-type]
    try:
        asked = plan.parse(GRID, made.text, lambda _: (named, base.text))
        asked.check()
    except GridMistakesError as error:
        raise GridMistakesError([in_python(mistake, made) for mistake in error.mistakes]) from None
    warn_of(in_python(one, made) for one in of_cells(asked))
    return asked


def warn_of(found: Iterable[Mistake]) -> None:
    """Warns the caller of `airloom.sweep`."""
    for one in found:
        warn(str(one), ScenarioWarning, stacklevel=4)


def grid_file(scenario: Scenario, **others: object) -> plan.Plan:
    """The plan of a grid file, which says all by itself."""
    if not isinstance(scenario, (str, os.PathLike)) or "\n" in os.fspath(scenario):
        raise GridError("a scenario alone is no grid; say what is to be varied in it", EXAMPLE)
    if said := [name for name in ("settings", "sample") if others[name] is not None]:
        raise RunError(f"{said[0].replace('settings', 'set')}: a grid file says that itself; give it with axes")
    file = Path(os.fspath(scenario))
    if not plan.parsed(file, source.read(file, "grid")[0]).keys() & {"scenario", "axis"}:
        raise GridError(f"{file}: a scenario; say what is to be varied in it", EXAMPLE)
    asked = plan.read(file)
    asked.check()
    return asked


def written(axes: object, seeds: object, settings: object, sample: object, keep: object) -> Document:
    """The same as a grid file."""
    if not isinstance(axes, Mapping):
        raise RunError(f"axes: needs a dict of values by key, not {axes!r}")
    overriding(settings)  # type: ignore[arg-type]  # refuses what is no dict of values
    content: dict[str, Value] = {
        "scenario": "scenario.toml",
        "keep": keep,  # type: ignore[dict-item]
        "seeds": list(seeds) if isinstance(seeds, range) else seeds,  # type: ignore[dict-item]
        "set": settings or None,  # type: ignore[dict-item]
    }
    if sample is not None:
        if not (isinstance(sample, (tuple, list)) and len(sample) == 2):  # noqa: PLR2004 - two numbers
            raise RunError(f"sample: needs how many cells are drawn and a seed, such as (50, 1), not {sample!r}")
        content["sample"] = {"cells": sample[0], "seed": sample[1]}
    with formed("axes"):
        made = document(content)
        made.write("[axis]", ("axis",))
        for name, values in axes.items():
            made.write(f"{quoted_key(name)} = {inline(values)}", ("axis", name))
    return made


def in_python(mistake: Mistake, made: Document) -> Mistake:
    """A mistake whose place is an argument: `axes["station.0.distance"]` is no `grid:7:1`."""
    if mistake.file != str(GRID):
        return mistake
    if not mistake.line:
        return mistake._replace(file="axes")
    path = made.places[mistake.line - 1]
    name = subscripted({"axis": "axes"}.get(str(path[0]), str(path[0])), path[1:])
    return mistake._replace(file=name, line=0, column=0)
