"""Runs a scenario from Python."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from airloom import _engine
from airloom.errors import RunError
from airloom.results.bundle import Run
from airloom.scenario.source import check_seed, overriding, read
from airloom.simulation.capture_settings import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from airloom.results.summary import Summary
    from airloom.scenario.grid import Overrides
    from airloom.simulation.capture_settings import CaptureSettings

    Progress = Callable[[float], object]


def run(
    scenario: str | os.PathLike[str],
    *,
    seed: int | None = None,
    set: Mapping[str, object] | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    capture: CaptureSettings | bool = False,
    progress: Progress | None = None,
) -> Run:
    """Runs a scenario and gives its bundle.

    Args:
        scenario: A scenario file, or a scenario's text (a string with a line break in it is text).
        seed: Takes the place of the scenario's own seed.
        set: Values that take the place of the scenario's, by dotted key: `{"flow.0.tcp.congestion": "newreno"}`.
        out: The bundle's folder, which must not exist yet; without it, a new temporary folder.
        force: Lets the bundle take the place of one that stands at `out`.
        capture: Writes captures too: `air.pcapng`, one for each host, `sockets.parquet`, `segments.parquet` and
            `transmissions.parquet`.
        progress: Called now and then with the fraction done, from 0 to 1.

    Raises:
        ScenarioError: There is a mistake in the scenario; nothing was run.
        RunError: The run could not be made or written; nothing is left behind.
    """
    text, file = read(scenario)
    overrides = overriding(set or {})
    if out is not None:
        return simulate(text, file, overrides, seed, Path(out), force=force, capture=capture, progress=progress)
    folder = Path(tempfile.mkdtemp(prefix="airloom-"))
    try:
        return simulate(text, file, overrides, seed, folder / "run", capture=capture, progress=progress)
    except BaseException:
        folder.rmdir()
        raise


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
    """Runs a scenario's text into a folder."""
    check_seed(seed)
    if not is_name(out):
        raise RunError(f"{out}: no folder can have such a name")
    kept = settings(capture)
    wanted = (kept.snap_length, *kept.nanoseconds()) if kept else None
    summary = json.loads(_engine.run(text, file, overrides, seed, out, force, wanted, progress, code()))
    return Run(out, cast("Summary", summary))


def is_name(path: Path) -> bool:
    """Whether a path can be one of this system's."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def engine() -> str:
    """What the engine is: its version, and the hash of its code, so that a rebuilt one does not pass for the old."""
    return f"{_engine.version()} {code()}"


@cache
def code() -> str:
    """The SHA-256 of the engine's code."""
    return hashlib.sha256(Path(_engine.__file__).read_bytes()).hexdigest()
