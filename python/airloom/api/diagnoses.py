"""`airloom.diagnose`: what went wrong in captures; `airloom.against`: what changed between captures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.api.arguments import path
from airloom.errors import CaptureError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from airloom.diagnosis.against.told import Comparison
    from airloom.diagnosis.shapes import Diagnosis


def diagnose(*files: str | os.PathLike[str]) -> Diagnosis:
    """What went wrong in captures of the same time, how sure that is and what it cost: as `airloom diagnose` has it.

    >>> import airloom
    >>> found = airloom.diagnose("out/seen/air.pcapng", "out/seen/laptop.pcapng")  # doctest: +SKIP
    >>> [finding["code"] for finding in found["findings"]]  # doctest: +SKIP
    ['W101']

    Args:
        files: Captures, pcap or pcapng, gzipped or not, or a folder of them, as `airloom collect` leaves it.

    Raises:
        CaptureError: There is no file, one is given twice or cannot be read as a capture, or there is no record in any.
    """
    from airloom.diagnosis import reading

    return reading.diagnose(paths(files))


def against(
    before: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    after: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
) -> Comparison:
    """What changed from captures of before to captures of after: as `airloom diagnose BEFORE --against AFTER` has it.

    >>> import airloom
    >>> found = airloom.against(["monday", "tuesday"], ["thursday", "friday"])  # doctest: +SKIP
    >>> [(one["measure"], one["verdict"]) for one in found["changes"]]  # doctest: +SKIP

    Args:
        before: The earlier captures, or folders of them: those in a folder are of one time, others if they overlap. A
            path by itself is one of them.
        after: The later ones.

    Raises:
        CaptureError: A side has no file, a file is on both or cannot be read as a capture, or captures of one time are
            not of one time.
    """
    from airloom.diagnosis.against import told

    return told.against(side(before), side(after))


def side(files: object) -> list[Path]:
    """Captures of one side, or the one that it is."""
    return paths(files if isinstance(files, list | tuple) else [files])


def paths(files: Iterable[object]) -> list[Path]:
    """Captures that are arguments, one by one.

    Raises:
        CaptureError: One is neither text nor a path.
    """
    return [path(file, "a capture", "air.pcapng", CaptureError) for file in files]
