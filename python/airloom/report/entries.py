"""Plots of the timeline as its page shows them: each with what stands beside it, and with what its script needs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from airloom.report.standalone import Column, axis, describe, quantity
from airloom.results.series import rounded
from airloom.support.formatting import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.report.traces import Band, Plot, Trace

LEGEND = 6
"""Lines of a plot whose names stand one below the other; more of them share lines of text."""


def entries(
    plots: Sequence[Plot], specs: Sequence[dict[str, Any]], subtitle: str, *, crowded: bool
) -> list[dict[str, Any]]:
    """The entries of plots with their charts; `crowded` if the page has many lines."""
    return [
        {
            "panel": plot.panel,
            "title": plot.title,
            "id": f"{plot.panel.id}-{place}" if continued(plots, place) else plot.panel.id,
            "facet": plot.facet,
            "crowded": crowded or len(plot.traces) > LEGEND,
            "continued": continued(plots, place) and plots[place - 1].title == plot.title,
            "caption": plot.panel.caption,
            "legend": [*(legend(plot, trace) for trace in plot.traces), *(band_legend(band) for band in plot.bands)],
            "last": plot is plots[-1],
            "spec": savable(spec, plot, subtitle),
        }
        for place, (plot, spec) in enumerate(zip(plots, specs, strict=True))
    ]


def scripted(shown: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the page's script needs of entries."""
    keys = ("label", "colour", "values", "start", "bin", "weights", "longest")
    return [
        {
            "id": entry["id"],
            "spec": entry["spec"],
            "lines": [{key: line[key] for key in keys if key in line} for line in entry["legend"]],
        }
        for entry in shown
    ]


def savable(spec: dict[str, Any], plot: Plot, subtitle: str) -> dict[str, Any]:
    """A plot's chart, with what is needed to save it."""
    panel = plot.panel
    what = f"{plot.title}, {plot.facet}" if plot.facet else plot.title
    columns = [Column("t", "time (s)"), Column("k", "series"), Column("v", quantity(plot.title, panel.unit))]
    if plot.bands:
        ends = [Column(end, quantity(end, panel.unit), "") for end in ("low", "high")]
        columns = [*columns[:2], Column("v", quantity(plot.title, panel.unit), ""), *ends]
    return describe(
        spec,
        title=what,
        subtitle=subtitle,
        name=f"{subtitle}-{panel.id}{f'-{plot.facet}' if plot.facet else ''}",
        x="Time, s",
        y=axis(plot.title, panel.unit),
        columns=columns,
    )


def continued(plots: Sequence[Plot], place: int) -> bool:
    """Whether a plot is one more of the panel before it."""
    return place > 0 and plots[place - 1].panel is plots[place].panel


def legend(plot: Plot, trace: Trace) -> dict[str, object]:
    """A line's entry beside its chart: its colour, and its means over the run and within scans."""
    scale = plot.panel.scale
    told: dict[str, object] = {
        "label": trace.label,
        "colour": trace.colour,
        "quantity": trace.quantity,
        "mean": number(scale * trace.mean),
        "scanning": None if math.isnan(trace.scanning) else number(scale * trace.scanning),
        "values": [rounded(scale * value, 4) for value in trace.series.values],
        "start": trace.series.times[0],
        "bin": trace.series.width,
    }
    if trace.weights is not None:
        told["weights"] = [rounded(weight, 4) for weight in trace.weights]
    return told | {"longest": True} if trace.longest else told


def band_legend(band: Band) -> dict[str, object]:
    """A band's entry beside its chart."""
    return {
        "label": band.label,
        "colour": band.colour,
        "opacity": band.opacity,
        "quantity": 0,
        "mean": "",
        "scanning": None,
        "values": None,
        "start": 0,
        "bin": 1,
    }
