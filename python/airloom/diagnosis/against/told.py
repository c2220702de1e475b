"""What a comparison tells, in the words of its JSON."""

from __future__ import annotations

from filecmp import cmp
from typing import TYPE_CHECKING, NamedTuple, NotRequired, TypedDict

from airloom.diagnosis.against.changes import Change, Side, changes
from airloom.diagnosis.against.columns import columns
from airloom.diagnosis.against.common import Alone, CommonParts, alone, common, strangers, without
from airloom.diagnosis.against.explained import Judged, explained, judgement
from airloom.diagnosis.against.load import load
from airloom.diagnosis.against.times import times
from airloom.diagnosis.against.who import Known
from airloom.diagnosis.reading import OverTime, diagnose_over_time, pairs
from airloom.errors import CaptureError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


class TimeSeen(Judged):
    """Captures of one time: how long data went in them, and what rules say of them."""

    files: list[str]
    data_s: float


class SideSeen(TypedDict):
    """The captures of before, or those of after, what they alone have, if anything, and the channel, if it shows."""

    times: list[TimeSeen]
    alone: NotRequired[list[Alone]]
    channel_mhz: NotRequired[int]


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
    each_once(*sides)
    whole = sum(map(len, sides))

    def part(done: int) -> Callable[[float], object]:
        return lambda fraction: progress((done + fraction) / whole) if progress else None

    told = read(sides[0], part), read(sides[1], lambda place: part(len(sides[0]) + place))
    first, second = seen(*told)
    found = changes(first.side, second.side)
    for one in found:
        one["explained_by"], one["may_explain"] = explained(one, first.seen["times"], second.seen["times"])
    return Comparison(before=first.seen, after=second.seen, changes=found)


def each_once(before: Sequence[Sequence[Path]], after: Sequence[Sequence[Path]]) -> None:
    """Refuses captures of one time that are given twice, by whatever name: the second repeat nothing.

    A sender's own capture of a stream at an even pace may be the same each time, while those beside it differ.

    Raises:
        CaptureError: One is on both sides, or all of one time have the same content as others.
    """
    groups = [*before, *after]
    files = [file for group in groups for file in group]
    times = {file: place for place, group in enumerate(groups) for file in group}
    copies: dict[tuple[int, int], list[tuple[Path, Path]]] = {}
    for file, earlier in pairs(files):
        if file.samefile(earlier):
            raise CaptureError(f"{file}: is before and after; give each capture once")
        if cmp(file, earlier, shallow=False):
            copies.setdefault((times[earlier], times[file]), []).append((file, earlier))
    for (first, second), same in copies.items():
        fewest = min(len(groups[first]), len(groups[second]))
        if first == second or len(same) >= fewest:
            file, earlier = same[0]
            raise CaptureError(
                f"{file}: has the same content as {earlier}, as a copy has, or a second run of the same world with "
                "the same seed; give each capture once"
            )


def read(groups: Sequence[Sequence[Path]], part: Callable[[int], Callable[[float], object]]) -> list[OverTime]:
    """Diagnoses the captures of each time."""
    return [diagnose_over_time(group, part(place)) for place, group in enumerate(groups)]


def seen(before: Sequence[OverTime], after: Sequence[OverTime]) -> tuple[Read, Read]:
    """Both sides as they are compared: by what all their captures have."""
    known = common(before, after)
    first, second = zip(before, known, strict=False), zip(after, known[len(before) :], strict=True)
    return side_of(list(first)), side_of(list(second))


def side_of(times: Sequence[tuple[OverTime, CommonParts]]) -> Read:
    """One side."""
    of, loads, told, apart = [], [], [], []
    for whole, what in times:
        one = without(whole, what)
        of.append(columns(one, what))
        loads.append(load(one.found, what.names, what.ways))
        files = list(dict.fromkeys(capture["file"] for capture in whole.found["captures"]))
        data_s = round(of[-1].count * of[-1].width, 3)
        known = Known(whole, what.names)
        told.append(TimeSeen(files=files, data_s=data_s, **judgement(whole.found, strangers(known, what))))
        apart += alone(known, what)
    found = SideSeen(times=told)
    if apart:
        found["alone"] = apart
    if (mhz := channel(*times[0])) is not None:
        found["channel_mhz"] = mhz
    return Read(Side(of, loads), found)


def channel(time: OverTime, what: CommonParts) -> int | None:
    """The channel of the network that is compared, in MHz; none without a capture that names it."""
    air = time.layers["air"]
    ap = what.network or (air["network"] if air else None)
    return next((one["channel_mhz"] for one in time.found["stations"] if one["mac"] == ap), None)
