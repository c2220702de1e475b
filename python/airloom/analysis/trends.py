"""What still changes as a run ends: its means are then those of its duration, not of the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.support.formatting import count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airloom.results.summary import Summary

OF = {"goodput": "goodput", "in_flight": "the data in flight"}
"""What a trend is of, in words."""


def trends(summary: Summary) -> list[str]:
    """A sentence for each figure that rises or falls over the second half of a run, beyond its scatter."""
    return [
        f"{OF.get(one['of'], one['of'])} is still {'rising' if one['change'] > 0 else 'falling'} "
        f"at the end of the run, by {100 * abs(one['change']):.0f} % over its second half: run longer"
        for one in summary.get("trends", ())
    ]


def cells(summaries: Iterable[Summary]) -> str:
    """How many runs of a sweep have such a figure, in words; nothing where none has."""
    runs = list(summaries)
    still = [[one["of"] for one in run["trends"]] for run in runs if run.get("trends")]
    if not still:
        return ""
    kinds = " or ".join(words for of, words in OF.items() if any(of in found for found in still))
    return f"{kinds} is still rising or falling at the end of {len(still):,} of {count(len(runs), 'run')}: run longer"
