"""What has to be known beside the figures of several runs, in sentences: the same on a terminal, a page and in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.analysis.idle_settings import between
from airloom.analysis.own_times import in_runs
from airloom.analysis.standstill import standstills
from airloom.analysis.starved import sentences
from airloom.analysis.stranded import stranded
from airloom.analysis.trends import measured_s, trends
from airloom.results.differing import by_chance
from airloom.support.formatting import some

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.results.summary import Summary

ALIKE = 0.01
"""The share by which measured times may differ and counts still be compared: programs in real time end as they do."""


AIR = (
    "with several networks at their places on one channel, air is idle while none of them sends, "
    "and lost to collisions while frames collide at any place, even if others are received elsewhere"
)
"""What docs/bundle.md has of `airtime` where radios have places."""


def notes(names: Sequence[str], runs: Sequence[Summary], apart: Mapping[str, Sequence[str]]) -> list[str]:
    """All that is said of runs beside their figures.

    Args:
        names: Their names.
        runs: The runs.
        apart: What differs in their scenarios, a value for each run.
    """
    return [*wrong(names, runs), *unsettled(names, runs), *of_figures(names, runs), *of_scenarios(names, runs, apart)]


def wrong(names: Sequence[str], runs: Sequence[Summary]) -> list[str]:
    """What is wrong with a run: flows that delivered nothing, or stood still, and stations that are cut off."""
    told = [[*sentences(run), *stranded(run), *standstills(run)] for run in runs]
    return [f"{name}: {text}" for name, texts in zip(names, told, strict=True) for text in texts]


def unsettled(names: Sequence[str], runs: Sequence[Summary]) -> list[str]:
    """What has not settled in a run."""
    return [f"{name}: {text}" for name, run in zip(names, runs, strict=True) for text in trends(run)]


def of_figures(names: Sequence[str], runs: Sequence[Summary]) -> list[str]:
    """What figures are of."""
    return [*in_runs(runs, names), *of_counts(runs), *of_air(runs)]


def of_scenarios(names: Sequence[str], runs: Sequence[Summary], apart: Mapping[str, Sequence[str]]) -> list[str]:
    """What makes of what differs nothing, or chance; none if nothing differs."""
    return [*by_chance(apart), *between(names, apart, runs)] if apart else []


def of_counts(runs: Sequence[Summary]) -> list[str]:
    """That counts are of times that differ, if they do."""
    if measured_alike(runs):
        return []
    times = list(dict.fromkeys(f"{measured_s(run):.4g} s" for run in runs))
    return [f"the measured times differ ({some(times)}): counts are of these, and have no distance from each other"]


def measured_alike(runs: Sequence[Summary]) -> bool:
    """Whether runs were measured for the same time, so that counts can be compared."""
    times = [measured_s(run) for run in runs]
    return max(times) - min(times) <= ALIKE * max(times)


def of_air(runs: Sequence[Summary]) -> list[str]:
    """What shares of the air are where networks at their places have one channel: shares of them all together."""
    return [AIR] if any(map(apart_in_space, runs)) else []


def apart_in_space(run: Summary) -> bool:
    """Whether a run has several access points on one channel, and radios with places."""
    placed = any("signal_median_db" in node for node in run["nodes"])
    return placed and any(len(channel["aps"]) > 1 for channel in run["airtime"].get("channels", []))
