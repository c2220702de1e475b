"""Sleeping periods, found in the frames that a monitor heard, without the simulator's own knowledge."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from airloom.results.frames import AirFrame

PAUSE = 0.010
"""A train of null frames is over when no other null frame follows for this long, in seconds."""

SMALL = ("null", "beacon", "rts", "cts", "ack")
"""Frames without upper-layer data, those of aggregation aside."""


@dataclass
class NullFrameTrain:
    """Null frames in a row with the same power-management bit, with the RTS, CTS and ACKs that belong to them.

    Attributes:
        sleep: Whether they announce sleep (PM=1) or the return (PM=0).
        frames: The null frames, and every RTS, CTS and ACK among them.
    """

    sleep: bool
    frames: list[AirFrame] = field(default_factory=list)

    @property
    def nulls(self) -> list[AirFrame]:
        """The null frames alone."""
        return [frame for frame in self.frames if frame.kind == "null"]

    @property
    def start(self) -> float:
        """When the first frame began, in seconds."""
        return self.frames[0].start

    @property
    def end(self) -> float:
        """When the last frame ended, in seconds."""
        return self.frames[-1].end

    @property
    def length(self) -> float:
        """In seconds."""
        return self.end - self.start

    @property
    def retries(self) -> int:
        """Null frames sent again."""
        return sum(frame.retry for frame in self.nulls)

    def asked(self) -> list[bool]:
        """Of each null frame, whether RTS and CTS went before it."""
        kinds = [frame.kind for frame in self.frames]
        places = [place for place, kind in enumerate(kinds) if kind == "null"]
        return [kinds[max(0, place - 2) : place] == ["rts", "cts"] for place in places]


@dataclass(frozen=True)
class Sleep:
    """One sleeping period: two trains, and what was heard in between."""

    leaving: NullFrameTrain
    between: list[AirFrame]
    returning: NullFrameTrain

    @property
    def beacons(self) -> list[AirFrame]:
        """The beacons that the station slept through."""
        return [frame for frame in self.between if frame.kind == "beacon"]

    @property
    def wait(self) -> float:
        """Time between the trains, in seconds."""
        return self.returning.start - self.leaving.end

    @property
    def length(self) -> float:
        """From the first null frame to the end of the last exchange, in seconds."""
        return self.returning.end - self.leaving.start

    @property
    def frames(self) -> list[AirFrame]:
        """All small frames of it, in order."""
        return [*self.leaving.frames, *self.between, *self.returning.frames]


def periods(frames: Iterable[AirFrame], station: str) -> list[Sleep]:
    """The sleeping periods of the station with this MAC address, those heard from beginning to end."""
    heard = [frame for frame in frames if frame.kind in SMALL]
    channel = next((frame.channel_mhz for frame in heard if frame.sender == station), None)
    small = [frame for frame in heard if frame.channel_mhz == channel]
    found = []
    trains = trains_of(small, station)
    for (leaving, last), (returning, first) in zip(
        [(train, span[1]) for train, span in trains], [(train, span[0]) for train, span in trains[1:]], strict=False
    ):
        if leaving.sleep and not returning.sleep:
            found.append(Sleep(leaving, small[last + 1 : first], returning))
    return found


def trains_of(small: Sequence[AirFrame], station: str) -> list[tuple[NullFrameTrain, tuple[int, int]]]:
    """The station's trains, each with the places of its first and its last frame."""
    trains: list[tuple[NullFrameTrain, tuple[int, int]]] = []
    groups: list[list[int]] = []
    for place, frame in enumerate(small):
        if frame.kind != "null" or frame.sender != station:
            continue
        before = small[groups[-1][-1]] if groups else None
        if before and before.sleep == frame.sleep and frame.start - before.end < PAUSE:
            groups[-1].append(place)
        else:
            groups.append([place])
    for group in groups:
        first, last = opening(small, group[0], station), closing(small, group[-1], station)
        own = [frame for frame in small[first : last + 1] if station in (frame.sender, answered(frame))]
        trains.append((NullFrameTrain(small[group[0]].sleep, own), (first, last)))
    return trains


def opening(small: Sequence[AirFrame], null: int, station: str) -> int:
    """The place of the first frame of the exchange of this null frame: its RTS, its CTS or itself."""
    place = null
    if place > 0 and small[place - 1].kind == "cts" and small[place - 1].receiver == station:
        place -= 1
    if place > 0 and small[place - 1].kind == "rts" and small[place - 1].sender == station:
        place -= 1
    return place


def closing(small: Sequence[AirFrame], null: int, station: str) -> int:
    """The place of the last frame of the exchange of this null frame: its ACK or itself."""
    after = null + 1
    heard = after < len(small) and small[after].kind == "ack" and small[after].receiver == station
    return after if heard else null


def answered(frame: AirFrame) -> str | None:
    """The station that a frame answers, if it is an answer."""
    return frame.receiver if frame.kind in ("cts", "ack") else None
