"""The frames of a capture of the air, as a monitor station heard them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from airloom import _engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class AirFrame(NamedTuple):
    """One frame.

    Attributes:
        end_ns: When it ended, in nanoseconds of the run.
        start_us: When its transmission (for a frame in an A-MPDU: that of the whole A-MPDU) began, in microseconds.
        kind: `data`, `null`, `beacon`, `rts`, `cts`, `ack`, `block_ack`, `block_ack_req`, `ps_poll`, or `other`.
        sender: The MAC address that sent it, in frames that tell.
        receiver: The MAC address that it is for.
        seq: The sequence number, in frames that have one.
        retry: The retry bit.
        sleep: The power-management bit: PM=1.
        ampdu: The number of the A-MPDU that it came in.
        indicates: Whether this beacon's TIM says that frames wait for a dozing station.
        length: Its length in bytes, with the radiotap header.
        channel_mhz: The centre of the primary channel on which it was heard.
    """

    end_ns: int
    start_us: int | None
    kind: str
    sender: str | None
    receiver: str | None
    seq: int | None
    retry: bool
    sleep: bool
    ampdu: int | None
    indicates: bool
    length: int
    channel_mhz: int | None

    @property
    def end(self) -> float:
        """When it ended, in seconds."""
        return self.end_ns * 1e-9

    @property
    def start(self) -> float:
        """When its transmission began, in seconds."""
        return self.end if self.start_us is None else self.start_us * 1e-6


class Frames(Sequence[AirFrame]):
    """The frames of a capture file, in its order: a read-only list that makes each frame when it is asked for."""

    def __init__(self, rows: _engine.Frames) -> None:
        """Shows what the engine has read."""
        self._rows = rows

    def __len__(self) -> int:
        """How many there are."""
        return len(self._rows)

    def __iter__(self) -> Iterator[AirFrame]:
        """From the first to the last."""
        return (AirFrame(**self._rows[place]) for place in range(len(self)))

    @overload
    def __getitem__(self, at: int) -> AirFrame: ...
    @overload
    def __getitem__(self, at: slice) -> list[AirFrame]: ...
    def __getitem__(self, at: int | slice) -> AirFrame | list[AirFrame]:
        """The frame at a place, from the end if negative; or those of a slice."""
        places = range(len(self))[at]
        if isinstance(places, range):
            return [AirFrame(**self._rows[place]) for place in places]
        return AirFrame(**self._rows[places])


def read(capture: Path) -> Frames:
    """The frames of a capture file, in its order."""
    return Frames(_engine.frames(capture))


def address(node: int) -> str:
    """The MAC address of a node, by its place among the nodes of the summary."""
    return f"02:00:00:00:{node >> 8:02x}:{node & 255:02x}"
