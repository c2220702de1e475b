"""What a scan costs the flows of the station that scans."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis.key_figures import carrying
from airloom.analysis.scan_periods import START, Periods, until
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from airloom.analysis.run_view import RunView
    from airloom.results.series import Series
    from airloom.results.summary import Scan

NEAREST = 5.0
"""Normal seconds next to a scan whose mean is what its flows would have had: as a station walks, others differ."""


@dataclass(frozen=True)
class ScanCost:
    """What the flows of a station that scans had meanwhile; not a number where no bin tells.

    Attributes:
        normal: Their goodput in the normal seconds next to it, in Mbit/s.
        worst: That of the worst second within the scan, in Mbit/s.
        missed: What they did not deliver, in MB.
    """

    normal: float
    worst: float
    missed: float


UNKNOWN = ScanCost(math.nan, math.nan, math.nan)
"""That of a scan of which nothing can be said: its station had nothing to send or to receive."""


def cost(view: RunView, scan: Scan) -> ScanCost:
    """What a scan cost the flows that its station sends or receives, and no other's."""
    flows = carrying(view.stations.get(scan["station"], []))
    if not flows:
        return UNKNOWN
    span = scan["start_s"], until(scan, view.run.summary)
    settled = min(flow.get("start_s", 0.0) for flow in flows) + START
    recorded, seconds = view.of_scanners[scan["station"]]
    meanwhile = under_way(view, *span)

    def alike(time: float) -> bool:
        return time >= settled and under_way(view, time, time + seconds.width) == meanwhile

    normal = usual(view.normal(seconds).where(alike), span[0])
    return ScanCost(normal, within(seconds, span).min(), missed(recorded, span, normal) / 8)


def within(series: Series, span: tuple[float, float]) -> Series:
    """The bins that lie within a scan."""
    return series.where(lambda time: Periods([span]).degraded(time, series.width))


def felt(view: RunView) -> Periods:
    """The scans in which there is a second whose goodput their station had a part in."""
    scans = [(scan["station"], (scan["start_s"], until(scan, view.run.summary))) for scan in view.run.summary["scans"]]
    own = view.of_scanners
    return Periods([span for station, span in scans if station in own and within(own[station][1], span).known()])


def under_way(view: RunView, start: float, end: float) -> set[str]:
    """The flows of a part of the run that carry data at any time between two, those of other stations too.

    With others on the air everyone has less.
    """
    partial = [flow for flow in view.flows if "goodput_mbps" in flow and ("start_s" in flow or "end_s" in flow)]
    return {flow["name"] for flow in partial if flow.get("start_s", 0.0) < end and flow.get("end_s", math.inf) > start}


def usual(normal: Series, start: float) -> float:
    """The mean of the last normal bins before a scan; where there are too few, with the first ones after it."""
    many = max(1, round(NEAREST / normal.width))
    before = normal.where(lambda time: time < start).known()[-many:]
    after = normal.where(lambda time: time >= start).known()
    return mean([*before, *after[: many - len(before)]])


def missed(recorded: Series, span: tuple[float, float], normal: float) -> float:
    """What was not delivered in a scan, in Mbit; not a number where no bin lies within it.

    A bin at its edge may have what something else cost, such as a roam: it counts for what its part could have carried.
    """
    start, end = span
    width = recorded.width
    if not within(recorded, span).known():
        return math.nan
    less = 0.0
    for time, value in zip(recorded.times, recorded.values, strict=True):
        overlap = min(time + width, end) - max(time, start)
        if overlap > 0 and not math.isnan(value):
            most = normal * overlap
            less += min(most, max(-most, (normal - value) * width))
    return max(0.0, less) if not math.isnan(less) else math.nan
