"""Runs a scenario from Python."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from airloom import _engine, captures
from airloom.bundle import Run
from airloom.errors import RunError
from airloom.text import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from airloom.captures import CaptureSettings
    from airloom.grid import Overrides
    from airloom.summary import Summary

    Progress = Callable[[float], object]


LONGEST = 16 << 20
"""Bytes of the longest scenario file."""


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
    kept = captures.settings(capture)
    wanted = (kept.snap_length, *kept.nanoseconds()) if kept else None
    summary = json.loads(_engine.run(text, file, overrides, seed, out, force, wanted, progress))
    return Run(out, cast("Summary", summary))


def overriding(settings: Mapping[str, object]) -> Overrides:
    """Values over the scenario's by dotted key, as the engine takes them."""
    found = [(key, str(value)) for key, value in settings.items()]
    for key, value in found:
        if not is_text(key + value):
            raise RunError(f"{key}={value}: not text in UTF-8")
    return found


def is_name(path: Path) -> bool:
    """Whether a path can be one of this system's."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def is_text(given: str) -> bool:
    """Whether a string can be written: some stand for bytes of a command line that are no text."""
    try:
        given.encode()
    except UnicodeEncodeError:
        return False
    return True


@cache
def engine() -> str:
    """What the engine is: its version, and the hash of its code, so that a rebuilt one does not pass for the old."""
    code = hashlib.sha256(Path(_engine.__file__).read_bytes()).hexdigest()
    return f"{_engine.version()} {code}"


def check_seed(seed: int | None) -> None:
    """Refuses what cannot be a seed."""
    if seed is not None and not 0 <= seed < 1 << 64:
        raise RunError(f"seed {seed}: out of range; a seed is a whole number from 0 to 2^64 - 1")


def read(scenario: str | os.PathLike[str], what: str = "scenario") -> tuple[str, str]:
    """The text of a scenario, or of another such file, and the name that messages about it use."""
    if isinstance(scenario, str) and "\n" in scenario:
        if not is_text(scenario):
            raise RunError(f"the {what}: not text in UTF-8")
        return scenario, "<scenario>"
    path = Path(scenario)
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise RunError(f"{path}: not a regular file")
        if path.is_file() and path.stat().st_size > LONGEST:
            raise RunError(f"{path}: longer than {LONGEST >> 20} MiB; a {what} is a short text")
        return path.read_text(encoding="utf-8"), visible(str(path))
    except FileNotFoundError:
        raise RunError(f"{path}: no such {what} file") from None
    except IsADirectoryError:
        raise RunError(f"{path}: a folder, not a {what} file") from None
    except UnicodeDecodeError:
        raise RunError(f"{path}: not a text file in UTF-8") from None
    except ValueError:
        raise RunError(f"{path}: no file can have such a name") from None
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}") from None
