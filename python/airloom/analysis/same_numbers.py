"""Whether runs came to the same: not alike, but equal in all that is no rounding."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from airloom.results.summary import Summary

BITS = 30
"""Of a number that count, one in 10^9: those after them depend on the order in which it was summed up."""


def outcome(summary: Summary, *, queues: bool = True) -> tuple[float, ...]:
    """All numbers that a run came to, rounded, without what its scenario says.

    Args:
        summary: The run's.
        queues: Whether what waited in queues counts among them.
    """
    return tuple(numbers(parts(summary, queues=queues)))


def parts(summary: Summary, *, queues: bool) -> Mapping[str, object]:
    """What a run came to: its flows, nodes, drops and scans."""
    found: dict[str, object] = {key: value for key, value in summary.items() if key in ("flows", "drops", "scans")}
    leave = () if queues else ("queues",)
    nodes = [{key: value for key, value in node.items() if key not in leave} for node in summary["nodes"]]
    return found | {"nodes": nodes}


def numbers(content: object) -> Iterator[float]:
    """All numbers in something as JSON has it, in order and rounded."""
    if isinstance(content, int):
        yield content
    elif isinstance(content, float):
        yield rounded(content)
    elif isinstance(content, dict):
        for value in content.values():
            yield from numbers(value)
    elif isinstance(content, list):
        for value in content:
            yield from numbers(value)


def rounded(value: float) -> float:
    """A number with as many of its bits as count."""
    if not math.isfinite(value):
        return value
    part, power = math.frexp(value)
    return math.ldexp(round(math.ldexp(part, BITS)), power - BITS)


def coinciding(names: Sequence[str], runs: Sequence[Summary]) -> list[list[str]]:
    """The runs that have the same numbers as others, together with these."""
    same: dict[tuple[float, ...], list[str]] = {}
    for name, run in zip(names, runs, strict=True):
        same.setdefault(outcome(run), []).append(name)
    return [some for some in same.values() if len(some) > 1]
