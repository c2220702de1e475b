"""Which metrics a word may mean that is none of them."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

STANDS_FOR = {
    "throughput": ("goodput",),
    "bandwidth": ("goodput",),
    "speed": ("goodput",),
    "rate": ("goodput", "mac_rate", "ampdu_rate", "received_rate"),
    "latency": ("rtt", "delay"),
    "lag": ("rtt", "delay"),
    "ping": ("rtt",),
    "loss": ("lost", "retransmissions", "drops"),
    "losses": ("lost", "retransmissions", "drops"),
    "retries": ("mpdu_retries",),
    "window": ("cwnd",),
    "fairness": ("jain", "share"),
    "queue": ("discipline", "driver", "link"),
    "wire": ("link",),
    "snr": ("signal",),
    "utilization": ("airtime",),
}
"""Words that users of other tools have, with the beginnings of the names, or of parts of them, that they stand for."""

MOST = 12
"""Names that are offered."""

FEWEST = 3
"""Letters of what may be a word of a name."""


def meant(name: str, there: Sequence[str]) -> list[str]:
    """The names that may be meant by another: those in which it is a word, or what it stands for; else a similar one.

    Args:
        name: The name that there is not.
        there: Those that there are.
    """
    begins = [f"_{one}" for one in STANDS_FOR.get(plain(name), (plain(name),)) if len(one) >= FEWEST]
    found = [one for one in there if any(begin in f"_{plain(one)}" for begin in begins)]
    return found or difflib.get_close_matches(name, there, 1)


def plain(name: str) -> str:
    """A name in small letters, its words with underscores between them."""
    return re.sub(r"\W+", "_", name.lower()).strip("_")


def did_you_mean(name: str, there: Sequence[str]) -> str:
    """The same as a question; empty if nothing is near."""
    found = meant(name, there)
    rest = len(found) - MOST
    shown = [f"`{one}`" for one in (found if rest <= 1 else found[:MOST])]
    words = [*shown, *([f"one of {rest:,} more"] if rest > 1 else [])]
    return f"did you mean {' or '.join(filter(None, (', '.join(words[:-1]), words[-1])))}?" if found else ""
