"""Runs a scenario's text into a bundle."""

from __future__ import annotations

import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from airloom import _engine
from airloom.errors import RunError
from airloom.own import brought
from airloom.results.bundle import BUNDLE, Run
from airloom.results.by_suffix import refuse_file_name
from airloom.scenario.source import check_seed
from airloom.simulation.capture_settings import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.results.summary import Summary
    from airloom.scenario.grid import Overrides
    from airloom.simulation.capture_settings import CaptureSettings

    Progress = Callable[[float], object]


def simulate(
    text: str,
    file: str,
    overrides: Overrides,
    seed: int | None,
    out: Path,
    *,
    force: bool = False,
    capture: CaptureSettings | bool = False,
    progress: Progress | None = None,
) -> Run:
    """Runs a scenario and gives its bundle.

    Args:
        text: The scenario.
        file: What messages call it.
        overrides: Values that take the place of its own.
        seed: Takes the place of its own seed.
        out: The bundle's folder, which must not exist yet.
        force: Lets the bundle take the place of one that stands at `out`.
        capture: Writes captures too.
        progress: Called now and then with the fraction done, from 0 to 1.

    Raises:
        ScenarioError: There is a mistake in the scenario; nothing was run.
        RunError: The run could not be made or written; nothing is left behind.
    """
    check_seed(seed)
    if not is_name(out):
        raise RunError(f"{out}: no folder can have such a name")
    refuse_file_name(out, BUNDLE, "its page is written into it by --report, and elsewhere by `airloom report BUNDLE`")
    kept = settings(capture)
    wanted = (kept.snap_length, *kept.nanoseconds()) if kept else None
    made_by = code(text, *dict(overrides).values())
    summary = json.loads(_engine.run(text, file, overrides, seed, out, force, wanted, progress, made_by))
    return Run(out, cast("Summary", summary))


def is_name(path: Path) -> bool:
    """Whether a path can be one of this system's."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def engine(*texts: str) -> str:
    """What the engine is: its version, and the hash of its code, so that a rebuilt one does not pass for the old.

    Args:
        texts: What it is given; classes that were brought are part of it where these name them.
    """
    return f"{_engine.version()} {code(*texts)}"


def code(*texts: str) -> str:
    """The SHA-256 of the engine's code; where these texts name classes that were brought, that of both together."""
    classes = brought.digest(texts)
    return hashlib.sha256((built() + classes).encode()).hexdigest() if classes else built()


@cache
def built() -> str:
    """The SHA-256 of the engine's code."""
    with Path(_engine.__file__).open("rb") as there:
        return hashlib.file_digest(there, "sha256").hexdigest()
