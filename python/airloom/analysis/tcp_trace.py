"""A transfer as its sequence numbers tell it: what was sent and acknowledged, seen from two places at the sender.

TCP is one place, the network device below the host's queue the other. A capture is made at the device, so what waits in
between is seen late there: a segment that TCP had sent before an acknowledgment came may pass the device after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airloom.results.bundle import Run

Place = Literal["tcp", "device, sent"]

MODULO = 2**32
"""Sequence numbers wrap."""


@dataclass(frozen=True)
class Segment:
    """A segment with data.

    Attributes:
        time: When it was seen, in seconds.
        start: Its first byte, counted from the first of the flow.
        end: The byte after its last.
        again: Whether it was seen before.
        late: Whether all of it had been acknowledged by then.
    """

    time: float
    start: int
    end: int
    again: bool
    late: bool


@dataclass(frozen=True)
class Sender:
    """What went past one place, and the acknowledgments that came in.

    Attributes:
        segments: Segments with data, in order of time.
        acks: Time in seconds and bytes acknowledged, for every acknowledgment that came.
    """

    segments: list[Segment]
    acks: list[tuple[float, int]]

    def duplicates(self) -> list[tuple[float, int, int]]:
        """Runs of equal acknowledgments: when the last came, what they say, and how many follow the first."""
        runs: list[tuple[float, int, int]] = []
        for (_, before), (time, ack) in zip(self.acks, self.acks[1:], strict=False):
            if ack != before:
                continue
            if runs and runs[-1][1] == ack:
                runs[-1] = (time, ack, runs[-1][2] + 1)
            else:
                runs.append((time, ack, 1))
        return runs


def sender(run: Run, flow: str, place: Place) -> Sender:
    """A flow of a run with captures, at its sender.

    Raises:
        BundleError: The run was made without captures.
    """
    host = next(one["from"] for one in run.summary["flows"] if one["name"] == flow)
    segments: list[Segment] = []
    acks: list[tuple[float, int]] = []
    base: int | None = None
    highest = acknowledged = 0
    for time, where, seq, ack, payload in rows(run, flow, host):
        if where == "device, received":
            if base is not None:
                acknowledged = max(acknowledged, (ack - base) % MODULO)
                acks.append((time, (ack - base) % MODULO))
        elif payload and where == place:
            if base is None:
                base = seq
            start = (seq - base) % MODULO
            end = start + payload
            segments.append(Segment(time, start, end, again=end <= highest, late=end <= acknowledged))
            highest = max(highest, end)
    return Sender(segments, acks)


def rows(run: Run, flow: str, host: str) -> Iterator[tuple[float, str, int, int, int]]:
    """The rows of the log that concern a flow at one host: time, place, sequence and acknowledgment number, payload."""
    table = run.segments
    columns = [table[name] for name in ("flow", "host", "time", "place", "seq", "ack", "payload")]
    for name, at, time, place, seq, ack, payload in zip(*columns, strict=True):
        if (name, at) == (flow, host):
            yield time, place, int(seq), int(ack), int(payload)


def timeouts(run: Run, flow: str) -> list[float]:
    """When the sender's retransmission timer expired, in seconds: its state became that of loss."""
    return entered(run, flow, "loss")


def entered(run: Run, flow: str, wanted: str) -> list[float]:
    """When the sender's congestion state became this one, in seconds."""
    table = run.sockets
    times, names, states = (table[name] for name in ("time", "flow", "state"))
    found, before = [], "open"
    for time, name, state in zip(times, names, states, strict=True):
        if name != flow:
            continue
        if state == wanted != before:
            found.append(time)
        before = state
    return found


def holds(run: Run, host: str) -> list[tuple[float, float]]:
    """Spells in which the adapter of a host held back what it received, in seconds."""
    nodes = [node for node in run.summary["nodes"] if node["name"] == host and "bus" in node]
    return [(hold["start_s"], hold["end_s"]) for node in nodes for hold in node["bus"]["holds"]]
