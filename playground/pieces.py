"""What the page takes from the report page: its panels, and the pieces of its charts, as that page's code makes them.

The pieces come without data; `src/charts.js` puts these in.
"""

from __future__ import annotations

from dataclasses import asdict
from types import SimpleNamespace
from typing import Any, cast

from airloom.report import chart, panels, vega
from airloom.report.traces import Band, Plot, Trace
from airloom.report.vega import Datasets
from airloom.results.series import Series

END = 1.0
"""The duration of the run that the pieces are made of, in seconds."""


def pieces() -> dict[str, Any]:
    """All of them."""
    time = chart.time_axis(END, labels=True)
    scans, lane = bands(time)
    area, line = drawn(Plot(some_panel(), "", [trace()], []), time)
    (band,) = drawn(Plot(some_panel(), "", [], [Band("", "", 1.0, series(), series())]), time)
    return {
        "panels": [asdict(panel) for panel in panels.PANELS],
        "frame": frame(axis=True),
        "plain": frame(axis=False),
        "height": chart.HEIGHT,
        "facet": chart.FACET,
        "low": chart.LOW,
        "left": chart.LEFT,
        "right": chart.RIGHT,
        "lane_height": chart.LANE,
        "band_of_time": scans,
        "lane": lane,
        "served": served(time),
        "area": area,
        "line": line,
        "band": band,
    }


def frame(*, axis: bool) -> dict[str, Any]:
    """What surrounds the layers of a chart."""
    made = cast("dict[str, Any]", chart.framed([], END, 0, axis=axis))
    return {key: value for key, value in made.items() if key not in ("layer", "height", "datasets")}


def bands(time: vega.Channel) -> list[dict[str, Any]]:
    """The layer of scans, which times away have too, and the lane of a run's scans among those of others."""
    scan: dict[str, Any] = {"start_s": 0.0, "end_s": END, "trips": []}
    run = SimpleNamespace(index=0, run=SimpleNamespace(summary={"scans": [scan]}))
    return [viewed(one) for one in chart.shade(cast("Any", [run, run]), END, time)[:2]]


def served(time: vega.Channel) -> dict[str, Any]:
    """The lane of the access points at which a station is."""
    roam = {"station": "sta", "left_s": END, "associated_s": None, "to": None}
    nodes = [{"name": "ap", "kind": "ap"}, {"name": "sta", "kind": "station"}]
    summary = {"nodes": nodes, "flows": [], "roams": [roam], "duration_s": END}
    run = SimpleNamespace(summary=summary)
    view = SimpleNamespace(run=run, flows=[], stations={})
    (made,) = chart.served(cast("Any", [SimpleNamespace(index=0, run=run, view=view)]), time)
    return viewed(made)


def drawn(plot: Plot, time: vega.Channel) -> list[dict[str, Any]]:
    """The layers of a plot."""
    return [viewed(layer) for layer in chart.draw(plot, time)]


def viewed(layer: vega.Chart) -> dict[str, Any]:
    """A layer without its data."""
    made: dict[str, Any] = layer.view(Datasets())
    return made


def some_panel() -> panels.Panel:
    """Any panel: none leaves a mark on a piece."""
    return panels.PANELS[0]


def series() -> Series:
    """A series of one bin."""
    return Series("", "", "", [0.0], [1.0])


def trace() -> Trace:
    """A line of it."""
    return Trace("", "", 0, series(), 1.0, 1.0)
