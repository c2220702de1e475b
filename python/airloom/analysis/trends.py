"""What still changes as a run ends: its means are then those of its duration, not of the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.support.formatting import count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airloom.results.summary import Summary

OF = {"goodput": "goodput", "in_flight": "the data in flight"}
"""What a trend is of, in words."""


MOST_BY_CHANCE = 0.1
"""The share of a sweep's runs of which nothing is said: chance alone finds a trend in one of fifty."""

LONGER = "longer may say something else"


def trends(summary: Summary) -> list[str]:
    """A sentence for each figure that rises or falls towards the end of a run, beyond its scatter.

    That is the second half of what was measured, or its last six seconds; a shorter run has none.
    """
    return [
        f"{OF.get(one['of'], one['of'])} {'rises' if one['change'] > 0 else 'falls'} "
        f"by {100 * abs(one['change']):.0f} % towards the end of the run: one that is {LONGER}"
        for one in summary.get("trends", ())
    ]


def cells(summaries: Iterable[Summary]) -> str:
    """How many runs of a sweep have such a figure, in words; nothing where few have."""
    runs = list(summaries)
    still = [[one["of"] for one in run["trends"]] for run in runs if run.get("trends")]
    if len(still) <= MOST_BY_CHANCE * len(runs):
        return ""
    kinds = " or ".join(words for of, words in OF.items() if any(of in found for found in still))
    return (
        f"{kinds} rises or falls towards the end of {len(still):,} of {count(len(runs), 'run')}: ones that are {LONGER}"
    )
