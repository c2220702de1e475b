"""What still changes as a run ends: its means are then those of its duration, not of the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.support.formatting import count, enumerated

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from airloom.results.summary import FlowSummary, Summary

OF = {"goodput": "goodput", "in_flight": "the data in flight"}
"""What a trend is of, in words."""


MOST_BY_CHANCE = 0.1
"""The share of a sweep's runs of which nothing is said: chance alone finds a trend in one of fifty."""

LONGER = "longer may say something else"

FEWEST_S = 6.0
"""Seconds measured, below which no trend is looked for (`trends.rs` of lab's metrics)."""


NAMED = 3
"""Flows that are named one by one; of more, how many there are."""

BOUNDED = ("bytes", "write", "traffic")
"""Keys of a flow that has not always more to send."""


def trends(summary: Summary, settings: Mapping[str, Any] | None = None) -> list[str]:
    """A sentence for each figure that rises or falls towards the end of a run, beyond its scatter.

    That is the second half of what was measured, or its last six seconds. A run that was measured for less than that,
    from a time of its own choice on, has a sentence which says so.

    Args:
        summary: What was measured.
        settings: The resolved scenario, where it is at hand: it has which flows always have more to send.
    """
    if too_short(summary):
        return [f"only {measured_s(summary):g} s were measured, too few to tell whether they have settled"]
    found = summary.get("trends", ())
    of = f" of {whose(summary, settings or {})}" if found else ""
    return [
        f"{OF.get(one['of'], one['of'])}{of} {'rises' if one['change'] > 0 else 'falls'} "
        f"by {100 * abs(one['change']):.0f} % towards the end of the run: one that is {LONGER}"
        for one in found
    ]


def whose(summary: Summary, settings: Mapping[str, Any]) -> str:
    """The flows that trends are of, all together: those of TCP that always have more to send (`trends.rs`)."""
    end = summary["duration_s"]
    looked_at = min((end + summary.get("warm_up_s", 0.0)) / 2, end - FEWEST_S)
    tcp = [flow for flow in summary["flows"] if flow["kind"] == "tcp" and "end_s" not in flow]
    throughout = [flow for flow in tcp if flow.get("start_s", 0.0) <= looked_at]
    names = [flow["name"] for flow in endless(throughout, settings)]
    if len(names) == 1:
        return names[0]
    if not settings or not names:
        return "TCP flows that always have more to send"
    return f"{enumerated(names) if len(names) <= NAMED else f'{len(names):,} TCP flows'} together"


def endless(flows: Iterable[FlowSummary], settings: Mapping[str, Any]) -> list[FlowSummary]:
    """Those of these flows that always have more to send, as far as the resolved scenario says."""
    bounded = {one.get("name") for one in settings.get("flow", ()) if any(key in one for key in BOUNDED)}
    return [flow for flow in flows if not bounded & {flow["name"], flow.get("group")}]


def unsettled(summary: Summary) -> bool:
    """Whether something still changes as a run ends, or too little was measured to tell."""
    return bool(summary.get("trends")) or too_short(summary)


def measured_s(summary: Summary) -> float:
    """The seconds of a run that were measured."""
    return summary["duration_s"] - summary.get("warm_up_s", 0.0)


def too_short(summary: Summary) -> bool:
    """Whether too little was measured to tell if TCP has settled, behind a warm-up that looks as if it had."""
    cold = not summary.get("warm_up_s", 0.0)
    return not cold and measured_s(summary) < FEWEST_S and any(flow["kind"] == "tcp" for flow in summary["flows"])


def cells(summaries: Iterable[Summary]) -> str:
    """How many runs of a sweep have such a figure, in words; nothing where few have."""
    runs = list(summaries)
    if short := [measured_s(run) for run in runs if too_short(run)]:
        return (
            f"only {min(short):g} s were measured in {len(short):,} of {count(len(runs), 'run')}, "
            "too few to tell whether they have settled"
        )
    still = [[one["of"] for one in run["trends"]] for run in runs if run.get("trends")]
    if len(still) <= MOST_BY_CHANCE * len(runs):
        return ""
    kinds = " or ".join(words for of, words in OF.items() if any(of in found for found in still))
    return (
        f"{kinds} rises or falls towards the end of {len(still):,} of {count(len(runs), 'run')}: ones that are {LONGER}"
    )
