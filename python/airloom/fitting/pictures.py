"""What a fit found, drawn: each unknown, each pair of them, what was measured beside what is left, and the waves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from airloom.fitting.posterior import shares
from airloom.report import vega
from airloom.report.line_chart import Point, Trace, against
from airloom.report.standalone import Column, Spec, axis, describe
from airloom.report.vega_spec import vega_lite
from airloom.results.series import rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from airloom.fitting.fit import Wave
    from airloom.fitting.parameter import Parameter

BINS = 24
"""Bars of an unknown's range."""

SHOWN = 400
"""Draws of a pair that are shown."""

PAIRS = 10
"""Pairs that are shown, those first that are known only together."""

HEIGHT = 150
LEFT, RIGHT, TOP, BELOW = 64, 16, 8, 46
"""Pixels of a plot, and beside it."""

UPWARD = "times as likely as before"
"""What a bar's height is: 1 where nothing was learned."""

PADDING = {"left": LEFT, "right": RIGHT, "top": TOP, "bottom": BELOW}


def marginal(one: Parameter, places: NDArray[np.float64], title: str) -> Spec:
    """How likely each part of an unknown's range is, in parts of what it was before anything was measured."""
    counts, edges = np.histogram(places, bins=BINS, range=(0.0, 1.0))
    density = counts / len(places) * BINS
    rows = [
        {"low": rounded(exact(one, low), 6), "high": rounded(exact(one, high), 6), "v": rounded(float(value), 4)}
        for low, high, value in zip(edges, edges[1:], density, strict=False)
    ]
    x = scale(one, "low:Q")
    y = vega.Channel("v:Q", title=UPWARD, axis=vega.Axis(tickCount=4))
    bars = vega.charted(rows).mark_rect(color="var(--line-0)", opacity=0.8, tooltip=None)
    bars = bars.encode(x=x, x2="high:Q", y=y, y2=vega.datum(0))
    before = vega.charted([{"one": 1.0}]).mark_rule(strokeDash=[4, 3], color="var(--muted)").encode(y="one:Q")
    spec = vega_lite(vega.layer(bars, before), width=420, height=HEIGHT, padding=PADDING)
    columns = [Column("low", axis("from", one.unit)), Column("high", axis("to", one.unit)), Column("v", UPWARD)]
    return describe(
        spec,
        title=one.name,
        subtitle=title,
        name=f"{title}-{one.name}",
        x=axis(one.name, one.unit),
        y=[UPWARD],
        columns=columns,
        height=HEIGHT,
    )


def chosen(one: Parameter, places: NDArray[np.float64], title: str) -> Spec:
    """How likely each choice of an unknown is, in parts of what it was before anything was measured."""
    times = [share * len(one.choices) for share in shares(places, len(one.choices))]
    points = [Point(text, value, float("nan"), float("nan")) for text, value in zip(one.choices, times, strict=True)]
    spec = against([Trace(one.name, points, "var(--line-0)", "circle")], one.name, UPWARD, height=HEIGHT)
    columns = [Column("x", one.name), Column("y", UPWARD)]
    name = f"{title}-{one.name}"
    return describe(
        spec, title=one.name, subtitle=title, name=name, x=one.name, y=[UPWARD], columns=columns, height=HEIGHT
    )


def exact(one: Parameter, place: float) -> float:
    """The value at a place, also of what is counted in whole numbers: bars have edges between those."""
    return one.low * (one.high / one.low) ** place if one.logarithmic else one.low + place * one.width


def scale(one: Parameter, field: str) -> vega.Channel:
    """The axis of an unknown, from its least to its most."""
    return vega.Channel(
        field,
        title=axis(one.name, one.unit),
        scale=vega.Scale(
            type="log" if one.logarithmic else "linear", domain=[one.low, one.high], nice=False, zero=False
        ),
        axis=vega.Axis(format=".4~g", tickCount=5),
    )


def pair(across: Parameter, up: Parameter, places: NDArray[np.float64], title: str) -> Spec:
    """Two unknowns: draws of the posterior, one a point."""
    step = max(1, len(places) // SHOWN)
    rows = [{"a": across.at(float(a)), "b": up.at(float(b))} for a, b in places[::step]]
    points = vega.charted(rows).mark_point(filled=True, size=14, opacity=0.5, color="var(--line-0)", tooltip=None)
    spec = vega_lite(
        points.encode(x=scale(across, "a:Q"), y=scale(up, "b:Q")),
        width=420,
        height=HEIGHT,
        padding=PADDING,
    )
    x, y = axis(across.name, across.unit), axis(up.name, up.unit)
    name = f"{up.name} by {across.name}"
    return describe(
        spec,
        title=name,
        subtitle=title,
        name=f"{title}-{name}",
        x=x,
        y=y,
        columns=[Column("a", x), Column("b", y)],
        height=HEIGHT,
    )


def pairs(places: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The pairs of unknowns that are shown, the most closely tied first."""
    matrix = np.atleast_2d(np.corrcoef(places, rowvar=False))
    found = [(b, a) for a in range(places.shape[1]) for b in range(a)]
    return sorted(found, key=lambda one: -abs(matrix[one]))[:PAIRS]


def met(predictions: Sequence[dict[str, Any]], title: str) -> Spec | None:
    """What the worlds that are left have, beside what was measured, in tolerances; none where there are no worlds."""
    there = [one for one in predictions if one["holds"] is not None]
    if not there:
        return None
    measured = Trace("measured", [Point(one["name"], 0.0, -1.0, 1.0) for one in there], "var(--muted)", "square")
    worlds = [
        Trace(
            label,
            [
                Point(one["name"], off(one, "median"), off(one, "low"), off(one, "high"))
                for one in there
                if one["held_out"] is held
            ],
            colour,
            "circle",
        )
        for label, held, colour in (
            ("these worlds", False, "var(--line-0)"),
            ("these worlds, held out", True, "var(--line-1)"),
        )
    ]
    upward = "off by, in tolerances"
    spec = against([measured, *(one for one in worlds if one.points)], "measurement", upward, height=240)
    columns = [
        Column("x", "measurement"),
        Column("k", "of"),
        Column("y", upward),
        Column("low", "5 % below"),
        Column("high", "5 % above"),
    ]
    return describe(
        spec, title=title, name=f"{title}-measurements", x="measurement", y=[upward], columns=columns, height=240
    )


def off(one: dict[str, Any], key: str) -> float:
    """How far a prediction's quantile is from what was measured, in tolerances; a span's has half of its width, too."""
    half = (one["span"][1] - one["span"][0]) / 2 if one["span"] else 0.0
    return float((one[key] - one["measured"]) / (one["tolerance"] + half))


def waves(found: Sequence[Wave], title: str) -> Spec:
    """What each wave left of what was thought possible, in percent."""
    points = [
        Point(float(number), 0.0 if one.region.empty else 100 * one.region.share, float("nan"), float("nan"))
        for number, one in enumerate(found, 1)
    ]
    upward = "left of what was possible, %"
    spec = against([Trace("left", points, "var(--line-0)")], "wave", upward)
    columns = [Column("x", "wave"), Column("y", upward)]
    return describe(spec, title=title, name=f"{title}-waves", x="wave", y=[upward], columns=columns)
