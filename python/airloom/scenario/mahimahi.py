"""Rates of a wire from a trace of mahimahi (`mm-link(1)`).

Each line is a whole number of milliseconds: at that time one packet of 1,500 bytes may leave. From its end it repeats.
"""

from __future__ import annotations

import collections

from airloom.errors import RunError
from airloom.scenario.trace_steps import LONGEST_S, Step, changes, decimal, listed

PACKET_BITS = 8 * (1500 + 38)
"""Bits of such a packet on a wire here, which has Ethernet's 38 bytes around each."""


def is_one(text: str) -> bool:
    """Whether a text begins as such a trace does."""
    return text.partition("\n")[0].strip().isdecimal()


def script(text: str, shown: str) -> str:
    """The rate in each millisecond as TOML: what may leave at its end leaves until then.

    Raises:
        RunError: A line is no time, or earlier than the one before, or the last one is zero.
    """
    leaving = collections.Counter[int]()
    last = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        last = instant_ms(line.strip(), f"{shown}:{number}", last)
        leaving[last] += 1
    if not last:
        raise RunError(f"{shown}: a trace of mahimahi lasts for more than 0 ms, since it repeats from its end")
    # What may leave at zero is what may leave at the end of the repetition before.
    leaving[last] += leaving.pop(0, 0)
    said = listed("rate", changes(steps(leaving)))
    return f'{{ steps = {said}, repeat = "{decimal(last / 1000, 3)} s" }}'


def steps(leaving: collections.Counter[int]) -> list[Step]:
    """The rate from each millisecond on at which it may change."""
    end = max(leaving)
    begins = sorted({0, *(ms - 1 for ms in leaving), *leaving} - {end})
    return [Step(ms / 1000, f'"{leaving[ms + 1] * PACKET_BITS} kbit/s"') for ms in begins]


def instant_ms(said: str, place: str, last: int) -> int:
    """A time in milliseconds, no earlier than the one before."""
    ms = int(said) if said.isdecimal() and len(said) < len("86400000") + 1 else None
    if ms is None or ms > LONGEST_S * 1000:
        raise RunError(f"{place}: is {said[:40]!r}; a line is a whole number of milliseconds, up to a day")
    if ms < last:
        raise RunError(f"{place}: {ms} ms is earlier than the line before")
    return ms
