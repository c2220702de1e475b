"""`airloom check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.cli.common import AsJson, Seed, Set, With, bring_along, overrides
from airloom.cli.refusal import as_dicts
from airloom.cli.terminal import of_command_line, print_file, print_json, say, warn, warn_of
from airloom.errors import Mistake, MistakesError, RunError
from airloom.scenario.source import check_seed, read, worded
from airloom.scenario.text_file import STDIN_NAME, STREAMS
from airloom.support.formatting import count
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom._engine import ScenarioWarning


def check(
    scenario: Path,
    /,
    *others: Path,
    resolved: bool = False,
    seed: Seed = None,
    settings: Set = (),
    modules: With = (),
    as_json: AsJson = False,
) -> None:
    """Check a scenario, or a grid or a fit's problem with its scenario, without running it.

    Examples:
        airloom check upload.toml
        airloom check upload.toml download.toml
        # every default spelled out, and a value that is tried
        airloom check upload.toml --set station.0.distance="20 m" --resolved

    Args:
        scenario: The scenario file, or the grid file; - is standard input.
        others: Further files, each by itself.
        resolved: Print the scenario with every default spelled out.
        seed: The seed, in place of the scenario's own.
        settings: A value over the scenario's, KEY=VALUE. May be repeated.
        modules: A module of classes that the scenario names.
        as_json: Print JSON for scripts and editors: ok, mistakes and warnings with their places.
    """
    bring_along(modules)
    if others:
        if resolved or as_json:
            raise RunError("--resolved and --json are for one file", "check them one by one")
        check_each([scenario, *others], seed, settings)
        return
    text, file = read(scenario)
    check_seed(seed)
    changed = worded(overrides(settings))
    from airloom.sweep import plan

    if not (resolved or changed or seed is not None) and plan.is_problem(plan.content_of(text)):
        check_problem(scenario, as_json=as_json)
        return
    plan.refuse_mixed(text, file)
    if plan.is_grid(text):
        if resolved or changed or seed is not None:
            raise RunError(f"{file}: a grid, which sets values and seeds itself", "check its scenario for that")
        if str(scenario) in STREAMS and file != STDIN_NAME:
            raise RunError(f"{file}: a sweep's grid, whose scenario is looked for beside it", "give the grid as a file")
        check_grid(text, Path(file) if str(scenario) in STREAMS else scenario, as_json=as_json)
        return
    toml = _engine.check(text, file, changed, seed)
    warnings = _engine.warnings(text, file, changed, seed)
    if as_json:
        shown = as_dicts([of_command_line(Mistake(**one)) for one in warnings])
        found = {"ok": True, "mistakes": [], "warnings": shown}
        print_json("check", found | {"resolved": toml} if resolved else found)
        return
    warn(warnings)
    warn(unheld(text, file, changed), "note")
    if resolved:
        print_file(toml.rstrip())
    else:
        say(f"{file}: fine" + (f", with {count(len(warnings), 'warning')}" if warnings else ""))


def unheld(text: str, file: str, changed: list[tuple[str, str]]) -> list[ScenarioWarning]:
    """What is written and does not hold; of a file in which every default is spelled out, what was set over it alone.

    Nobody wrote what `--resolved` spells out.
    """
    found = _engine.overridden(text, file, changed)
    if found and _engine.check(text, file, [], None).rstrip() == text.rstrip():
        return [one for one in found if one["setting"] is not None]
    return found


def check_each(files: Sequence[Path], seed: int | None, settings: Sequence[str]) -> None:
    """Checks several files, all of them whatever is wrong with the first.

    Raises:
        MistakesError: What is wrong with them, together.
    """
    mistakes: list[Mistake] = []
    for file in files:
        try:
            check(file, seed=seed, settings=tuple(settings))
        except MistakesError as error:
            mistakes += error.mistakes
    if mistakes:
        raise MistakesError(mistakes)


def check_grid(text: str, file: Path, *, as_json: bool) -> None:
    """Checks the text of a grid: its axes, and each of their values in the scenario."""
    from airloom.sweep import plan
    from airloom.sweep.cell_warnings import of_cells

    asked = plan.of_text(text, file)
    asked.check()
    found = of_cells(asked)
    if as_json:
        print_json("check", {"ok": True, "mistakes": [], "warnings": as_dicts(found), "cells": asked.size})
    else:
        warn_of(found)
        with_these = f", with {count(len(found), 'warning')}" if found else ""
        many = ", with --yes, since they are so many" if asked.size > plan.ASKED_ABOVE else ""
        size = count(asked.size, "cell")
        say(f"{visible(str(file))}: fine{with_these}, {size}; {plan.runs_it(str(file))}{many}")


def check_problem(file: Path, *, as_json: bool) -> None:
    """Checks a fit's problem: its unknowns, and each of their ends in the scenario."""
    from airloom.fitting.installed import needed

    needed()
    from airloom.fitting import problem_file

    asked = problem_file.read(file)
    asked.check()
    unknowns, measured = len(asked.parameters), len(asked.measurements)
    if as_json:
        print_json(
            "check", {"ok": True, "mistakes": [], "warnings": [], "unknowns": unknowns, "measurements": measured}
        )
    else:
        counted = f"{count(unknowns, 'unknown')}, {count(measured, 'measurement')}"
        say(f"{visible(str(file))}: fine, {counted}; `airloom fit {visible(str(file))}` fits it")
