"""Runs a scenario from Python."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, cast

from airloom import _engine
from airloom.bundle import Run, is_bundle
from airloom.errors import RunError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from airloom.summary import Summary

    Progress = Callable[[float], object]


def run(
    scenario: str | os.PathLike[str],
    *,
    seed: int | None = None,
    set: Mapping[str, object] | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Runs a scenario and gives its bundle.

    Args:
        scenario: A scenario file, or a scenario's text (a string with a line break in it is text).
        seed: Takes the place of the scenario's own seed.
        set: Values that take the place of the scenario's, by dotted key: `{"flow.0.tcp.congestion": "newreno"}`.
        out: The bundle's folder, which must not exist yet; without it, a new temporary folder.
        force: Lets the bundle take the place of one that stands at `out`.
        progress: Called now and then with the fraction done, from 0 to 1.

    Raises:
        ScenarioError: There is a mistake in the scenario; nothing was run.
        RunError: The run could not be made or written; nothing is left behind.
    """
    text, file = read(scenario)
    overrides = [(key, str(value)) for key, value in (set or {}).items()]
    target = Path(out) if out is not None else Path(tempfile.mkdtemp(prefix="airloom-")) / "run"
    if force and target.exists():
        return replace(target, lambda fresh: simulate(text, file, overrides, seed, fresh, progress))
    return simulate(text, file, overrides, seed, target, progress)


def simulate(
    text: str,
    file: str,
    overrides: list[tuple[str, str]],
    seed: int | None,
    out: Path,
    progress: Progress | None = None,
) -> Run:
    """Runs a scenario's text into a folder that does not exist yet."""
    summary = json.loads(_engine.run(text, file, overrides, seed, out, progress))
    return Run(out, cast("Summary", summary))


def read(scenario: str | os.PathLike[str]) -> tuple[str, str]:
    """A scenario's text, and the name that messages about it use."""
    if isinstance(scenario, str) and "\n" in scenario:
        return scenario, "<scenario>"
    path = Path(scenario)
    try:
        return path.read_text(encoding="utf-8"), str(path)
    except FileNotFoundError:
        raise RunError(f"{path}: no such scenario file") from None
    except IsADirectoryError:
        raise RunError(f"{path}: a folder, not a scenario file") from None
    except UnicodeDecodeError:
        raise RunError(f"{path}: not a text file in UTF-8") from None
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}") from None


def replace(target: Path, make: Callable[[Path], Run]) -> Run:
    """Makes a bundle beside the one at `target`, and puts it in its place only when it is whole."""
    if not is_bundle(target) and not (target.is_dir() and not any(target.iterdir())):
        raise RunError(f"{target}: not a run bundle, so it is not replaced; name another folder with -o")
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as workshop:
        fresh = make(Path(workshop) / "new")
        old = Path(workshop) / "old"
        target.rename(old)
        fresh.path.rename(target)
        shutil.rmtree(old)
    return Run(target, fresh.summary)
