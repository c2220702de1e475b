"""Has the engine diagnose captures, and sees to it that they belong together."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple, cast

from airloom import _engine
from airloom.errors import CaptureError
from airloom.support.formatting import enumerated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from airloom.diagnosis.shapes import CaptureSeen, Diagnosis, Excerpt, Layers, Rule

APART = 300.0
"""Clocks of machines that are looked after differ by less, in seconds."""

ONE_AT_A_TIME = (
    "if one is of before a change and the other of after it, say so: airloom diagnose BEFORE --against AFTER"
)
"""What to do with captures that belong to different times."""

CAPTURES = (".pcap", ".pcapng", ".pcap.gz", ".pcapng.gz")
"""How the names of captures end."""


class OverTime(NamedTuple):
    """A diagnosis with what the captures show over time."""

    found: Diagnosis
    layers: Layers


class Closely(NamedTuple):
    """A diagnosis with all that a page shows of it; an excerpt for each finding."""

    found: Diagnosis
    layers: Layers
    excerpts: list[Excerpt]


def rules() -> list[Rule]:
    """All rules, in the order of their codes."""
    return cast("list[Rule]", json.loads(_engine.rules()))


def diagnose(files: Sequence[Path], progress: Callable[[float], object] | None = None) -> Diagnosis:
    """What the rules find in captures.

    Args:
        files: The captures, or folders of them.
        progress: Gets the fraction that has been read, now and then.

    Raises:
        CaptureError: There is no file, one is given twice or cannot be read as a capture, there is no record in any,
            or they are not of the same time.
    """
    return of_one_time(with_records(json.loads(_engine.diagnose(given(files), progress))))


def diagnose_over_time(files: Sequence[Path], progress: Callable[[float], object] | None = None) -> OverTime:
    """The same with what the captures show over time.

    Raises:
        CaptureError: As `diagnose`.
    """
    found, layers = map(json.loads, _engine.diagnose_over_time(given(files), progress))
    return OverTime(of_one_time(with_records(found)), layers)


def diagnose_closely(files: Sequence[Path], progress: Callable[[float], object] | None = None) -> Closely:
    """The same with records around each finding, for which the files are read once more.

    Raises:
        CaptureError: As `diagnose`.
    """
    found, layers, excerpts = map(json.loads, _engine.diagnose_closely(given(files), progress))
    return Closely(of_one_time(with_records(found)), layers, excerpts)


def given(files: Sequence[Path]) -> Sequence[Path]:
    """The files, if there are any, and each only once; of a folder, the captures in it."""
    if not files:
        raise CaptureError("no file to diagnose")
    for file in files:
        if not file.exists():
            raise CaptureError(f"{file}: no such file")
    captures = [capture for file in files for capture in (captures_in(file) if file.is_dir() else [file])]
    for file, other in pairs(captures):
        if file.samefile(other):
            raise CaptureError(f"{file}: is the same file as {other}; give each capture once")
    return captures


def pairs(files: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Each file with each one before it, of those that are there."""
    there = [file for file in files if file.is_file()]
    for place, file in enumerate(there):
        for earlier in there[:place]:
            yield file, earlier


def captures_in(folder: Path) -> Sequence[Path]:
    """The captures in a folder, such as `airloom collect` leaves; not those below it, which have no packets.

    Raises:
        CaptureError: There is none.
    """
    if not os.access(folder, os.R_OK | os.X_OK):
        raise CaptureError(f"{folder}: cannot be read: permission denied")
    found = [file for ending in CAPTURES for file in sorted(folder.glob(f"*{ending}"))]
    if not found:
        raise CaptureError(f"{folder}: has no capture in it, no {' or '.join(CAPTURES)}")
    return found


def named(capture: CaptureSeen) -> str:
    """The file, and the interface if the file has several."""
    return ", ".join(filter(None, (capture["file"], capture["interface"])))


def with_records(found: Diagnosis) -> Diagnosis:
    """The same, if the captures have anything in them."""
    if not any(capture["records"] for capture in found["captures"]):
        files = ", ".join(map(named, found["captures"]))
        raise CaptureError(
            f"{files}: has no record, so there is nothing to diagnose",
            *(f"{capture['file']}: {capture['stopped']}" for capture in found["captures"] if capture["stopped"]),
        )
    return found


def between(one: Sequence[float], other: Sequence[float]) -> float:
    """How many seconds lie between two spans; 0 or less if they have a time in common."""
    return max(one[0], other[0]) - min(one[1], other[1])


def odd_one(found: Diagnosis, first: CaptureSeen, other: CaptureSeen) -> tuple[str, str]:
    """Of two captures without a time in common the file that does not belong to all others, and those that it lacks.

    That is the one of which all clocks are, if no other has a time in common with it.
    """
    rest = [one for one in found["captures"] if one["file"] != first["file"]]
    spans = [one["span_s"] for one in rest if one["span_s"]]
    files = list(dict.fromkeys(one["file"] for one in rest))
    ours = first["span_s"]
    if len(files) > 1 and ours and all(between(ours, theirs) > 0 for theirs in spans):
        return first["file"], enumerated(files)
    return other["file"], first["file"]


def of_one_time(found: Diagnosis) -> Diagnosis:
    """The same, if all captures are of the same time as far as their stamps and their packets tell."""
    first = found["captures"][found["reference"]]
    # Interfaces of one file were captured together, whether or not each had something to capture then.
    for other in (capture for capture in found["captures"] if capture["file"] != first["file"]):
        clock, ours, theirs = other["clock"], first["span_s"], other["span_s"]
        if clock and abs(ahead := clock["ahead_ms"] / 1000) > APART:
            side = "ahead of" if ahead > 0 else "behind"
            raise CaptureError(
                f"{other['file']}: shares packets with {first['file']}, but is stamped {abs(ahead):,.0f} s {side} it: "
                "are they of the same time?",
                f"if a clock was wrong, correct it (`editcap -t {-ahead:.0f}`); {ONE_AT_A_TIME}",
            )
        if not clock and ours and theirs and (gap := between(ours, theirs)) > 0:
            odd, known = odd_one(found, first, other)
            raise CaptureError(
                f"{odd}: has no time in common with {known} ({gap:,.1f} s lie between them), "
                "and no packets: are they of the same time?",
                "leave out what is of another time; parts of one capture are put together by "
                "`mergecap -w whole.pcapng PART...`; "
                f"if a clock was wrong, correct it (`editcap -t SECONDS`); {ONE_AT_A_TIME}",
            )
    return found
