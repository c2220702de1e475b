"""What a comparison tells, in the words of its JSON."""

from __future__ import annotations

from filecmp import cmp
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from airloom.diagnosis.against.changes import Side, changes
from airloom.diagnosis.against.columns import columns
from airloom.diagnosis.against.explained import Judged, explained, judgement
from airloom.diagnosis.against.load import load
from airloom.diagnosis.against.times import times
from airloom.diagnosis.reading import diagnose_over_time, pairs
from airloom.errors import CaptureError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from airloom.diagnosis.against.changes import Change


class TimeSeen(Judged):
    """Captures of one time: how long data went in them, and what rules say of them."""

    files: list[str]
    data_s: float


class SideSeen(TypedDict):
    """The captures of before, or those of after."""

    times: list[TimeSeen]


class Comparison(TypedDict):
    """What changed from captures of before to captures of after."""

    before: SideSeen
    after: SideSeen
    changes: list[Change]


class Read(NamedTuple):
    """One side, as it is compared and as it is told."""

    side: Side
    seen: SideSeen


def against(
    before: Sequence[Path], after: Sequence[Path], progress: Callable[[float], object] | None = None
) -> Comparison:
    """What changed from captures of before to captures of after.

    Args:
        before: The earlier captures, or folders of them: one or several of each time, of one time or of several.
        after: The later ones.
        progress: Gets the fraction of the times that has been read, now and then.

    Raises:
        CaptureError: A side has no file, a capture is given twice or cannot be read as one, or captures of one time are
            not of one time.
    """
    sides = [times(before), times(after)]
    each_once(*([file for group in side for file in group] for side in sides))
    whole = sum(map(len, sides))

    def part(done: int) -> Callable[[float], object]:
        return lambda fraction: progress((done + fraction) / whole) if progress else None

    first = read(sides[0], part)
    second = read(sides[1], lambda place: part(len(sides[0]) + place))
    found = changes(first.side, second.side)
    for one in found:
        one["explained_by"], one["may_explain"] = explained(one, first.seen["times"], second.seen["times"])
    return Comparison(before=first.seen, after=second.seen, changes=found)


def each_once(before: Sequence[Path], after: Sequence[Path]) -> None:
    """Refuses a capture that is given twice, by whatever name: the second repeats nothing.

    Raises:
        CaptureError: One is on both sides, or has the same content as another.
    """
    for file, earlier in pairs([*before, *after]):
        if file.samefile(earlier):
            raise CaptureError(f"{file}: is before and after; give each capture once")
        if cmp(file, earlier, shallow=False):
            raise CaptureError(
                f"{file}: has the same content as {earlier}, as a copy has, or a second run of the same world with "
                "the same seed; give each capture once"
            )


def read(groups: Sequence[Sequence[Path]], part: Callable[[int], Callable[[float], object]]) -> Read:
    """Diagnoses the captures of each time and keeps what is compared."""
    of, loads, seen = [], [], []
    for place, group in enumerate(groups):
        told = diagnose_over_time(group, part(place))
        of.append(columns(told))
        loads.append(load(told.found))
        data_s = round(of[-1].count * of[-1].width, 3)
        seen.append(TimeSeen(files=[str(file) for file in group], data_s=data_s, **judgement(told.found)))
    return Read(Side(of, loads), SideSeen(times=seen))
