"""Frames of a video as ns-3's UdpTraceClient reads them: index, kind, time in ms and bytes, a frame a line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from airloom.errors import RunError
from airloom.scenario.trace_steps import Step, instant

if TYPE_CHECKING:
    from collections.abc import Iterator

FRAME = re.compile(r"\s*\d+\s+(?P<kind>[A-Z])\s+(?P<ms>\d+)\s+(?P<octets>\d+)\s*")
"""A line."""

LIKE = "it has a frame in each line, such as 1 I 0 534: index, kind, ms and bytes"


def is_one(text: str) -> bool:
    """Whether a text begins as such a file does."""
    return FRAME.fullmatch(text.partition("\n")[0]) is not None


def steps(text: str, shown: str) -> Iterator[Step]:
    """When how many bytes are sent, as ns-3 does (`UdpTraceClient::LoadTrace`, `Send`).

    The first frame leaves at once, and one of kind B with the frame in front of it.

    Raises:
        RunError: A line is no such frame.
    """
    begin, last = None, 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"{shown}:{number}"
        frame = FRAME.fullmatch(line)
        if frame is None or not int(frame["octets"]):
            what = "is no frame of ns-3's UdpTraceClient" if frame is None else "a frame of no bytes"
            raise RunError(f"{place}: {what}", LIKE)
        ms = last if frame["kind"] == "B" else int(frame["ms"])
        if begin is None:
            begin = ms
        if ms < last:
            raise RunError(f"{place}: {ms} ms is earlier than the frame before", LIKE)
        last = ms
        yield Step(instant(str((ms - begin) / 1000), place, "its time"), str(int(frame["octets"])))
