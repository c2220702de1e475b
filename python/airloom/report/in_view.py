"""What of a chart lies within the span of time that it shows, from its parameter `t0` to `t1`.

A browser dashes a line along its whole length, also where nobody sees it. Close up, the lines of a run would reach a
thousand plots to either side, and drawing them would take many seconds. So a chart draws what is in view and its
neighbours, and each of these reaches one plot beyond the edge at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from airloom.report import vega

NEAR = "clamp({time}, 2 * t0 - t1, 2 * t1 - t0)"
"""A time as it is drawn: no farther from the span than the span is long."""


def at(time: vega.Channel) -> vega.Channel:
    """The axis of time for data that were cut."""
    return time.changed(field="at")


def steps(chart: vega.Chart) -> vega.Chart:
    """The steps of each line `k`, as `at`: those in view and one on each side; each lasts until the next one.

    For lines and areas that go on at the same height until the next step, so that a clamped time moves nothing in view.
    """
    lasting = "(!isValid(datum.until) || datum.until >= t0) && (!isValid(datum.since) || datum.since <= t1)"
    neighbours = chart.transform_window(groupby=["k"], by="t", until=("lead", "t"), since=("lag", "t"))
    return near(neighbours.transform_filter(lasting))


def spans(chart: vega.Chart) -> vega.Chart:
    """The spans from `t` to `end` that are in view, as `at` and `to`."""
    inside = near(chart.transform_filter("datum.end >= t0 && datum.t <= t1"))
    return inside.transform_calculate(to=NEAR.format(time="datum.end"))


def points(chart: vega.Chart) -> vega.Chart:
    """The points in view."""
    return chart.transform_filter("datum.t >= t0 && datum.t <= t1")


def near(chart: vega.Chart) -> vega.Chart:
    """All data, with `at` where they are drawn."""
    return chart.transform_calculate(at=NEAR.format(time="datum.t"))
