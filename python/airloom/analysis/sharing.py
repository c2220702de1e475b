"""Which access points of a run share the air: how strongly those of overlapping channels receive each other."""

from __future__ import annotations

import math

from airloom import _engine
from airloom.support.formatting import number

MOST = 12
"""The most pairs that are named; of further ones the sentence has the number."""


def sharing(scenario: str) -> str:
    """A sentence for the access points of a resolved scenario whose channels overlap; empty without any or places."""
    pairs = [one for one in _engine.sharing(scenario) if math.isfinite(one[2])]
    told = [
        f"{one} and {other} {'hear' if heard else 'do not hear'} each other ({number(dbm)} dBm)"
        for one, other, dbm, heard in pairs[:MOST]
    ]
    more = [f"{len(pairs) - MOST} more pairs"] if len(pairs) > MOST else []
    return f"Access points whose channels overlap: {', '.join(told + more)}." if told else ""
