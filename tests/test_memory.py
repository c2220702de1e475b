"""What a run takes of memory does not grow with its length: its series is written as it comes."""

from __future__ import annotations

from memory import peak


def test_memory_does_not_grow_with_time() -> None:
    short, long = peak("10 min", 20), peak("4 h", 20)
    # Fourteen thousand seconds of 22 nodes and 20 flows are 3,024,000 rows, of 24 bytes and more in memory each.
    assert long < short + 15, f"{short:.0f} MiB for ten minutes, {long:.0f} MiB for four hours"
