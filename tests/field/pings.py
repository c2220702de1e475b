"""What `ping -D` prints."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

INTERVAL = 0.1024
"""Seconds between beacons."""


def beacons(_: float, come: float) -> float:
    """What comes to the access point waits for its next beacon; its clock is 40 ppm slow."""
    interval = INTERVAL * (1 + 4e-5)
    return (come // interval + 1) * interval + 0.002


def text(wait: Callable[[float, float], float], every: float = 0.71, count: int = 120) -> str:
    """What `ping -D` prints of round trips of 20 to 30 ms and a wait."""
    chance = random.Random(5)  # noqa: S311 - nothing is secret here
    lines = ["PING laptop (192.0.2.7) 56(84) bytes of data."]
    for number in range(count):
        sent = 1_700_000_000 % 1024 + number * every
        came = wait(sent, sent + 0.02 + 0.01 * chance.random())
        stamp, trip = 1_699_999_744 + came, 1000 * (came - sent)
        lines.append(f"[{stamp:.6f}] 64 bytes from laptop (192.0.2.7): icmp_seq={number + 1} ttl=64 time={trip:.3g} ms")
    return "\n".join([*lines, ""])
