"""Panels of the report as a chart that stands alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom.analysis.same_numbers import coinciding
from airloom.errors import AirloomError
from airloom.report import sequence_numbers
from airloom.report.comparison import compare
from airloom.report.origin import of_runs, signed
from airloom.report.page import timeline
from airloom.report.picture import Chart
from airloom.report.standalone import WIDTH, alone, noted, stacked, titled
from airloom.results.lookup import unknown
from airloom.support.formatting import enumerated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.results.bundle import Run

STACKED = 130
"""Pixels of a plot that has others above or below it."""


def run_chart(
    runs: Sequence[Run],
    panels: Sequence[str] = (),
    *,
    start: float | None = None,
    end: float | None = None,
    width: int = WIDTH,
    height: int | None = None,
    title: str | None = None,
) -> Chart:
    """Panels of the report on some runs, below each other.

    Args:
        runs: The runs; several are laid over each other, as in a comparison.
        panels: The panels' names, such as goodput and rtt; without any, all that the report has.
        start: From when on, in seconds; without it, from the beginning.
        end: Until when; without it, until the end.
        width: Pixels of a plot.
        height: Pixels of each plot likewise; without it, enough for one, and less for each of several.
        title: What stands above it; without it, the run's title and the panel's.

    Raises:
        AirloomError: There is no such panel, or no such span of time.
    """
    comparison = compare(runs)
    duration = max(one.run.summary["duration_s"] for one in comparison.runs)
    there: dict[str, list[Any]] = {}
    for entry in timeline(comparison, duration) + sequence_numbers.panels(runs[0], duration):
        there.setdefault(entry["panel"].id, []).append(entry["spec"])
    specs = [spec for name in panels or there for spec in known(name, there)]
    if not specs:
        raise AirloomError(f"{runs[0].path}: has nothing to draw; no series was recorded")
    span = (0.0 if start is None else start, duration if end is None else end)
    if not 0 <= span[0] < span[1] <= duration:
        raise AirloomError(f"from {span[0]:g} to {span[1]:g} s: no such span; the run takes {duration:g} s")
    if len(specs) == 1:
        made = titled(alone(specs[0], width=width, height=height, span=span), title)
    else:
        drawn = [alone(spec, width=width, height=height or STACKED, span=span) for spec in specs]
        made = stacked(drawn, runs[0].summary["title"] if title is None else title)
    same = coinciding([one.short for one in comparison.runs], [run.summary for run in runs])
    notes = [f"the lines of {enumerated(some)} coincide: these runs have the same numbers" for some in same]
    return Chart(signed(noted(made, notes), of_runs(runs)))


def known(name: str, there: Mapping[str, list[Any]]) -> list[Any]:
    """The charts of a panel: one, or small multiples."""
    if name not in there:
        raise unknown("panel", name, there)
    return there[name]
