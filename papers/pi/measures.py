"""What our runs say about pings of a small computer that dozes, or does not."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from airloom.papers.measure import Measures, Ours
from airloom.support.formatting import listed
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from airloom.papers.grid_runs import GridRuns

MEASURES = Measures()


def ours(pings: GridRuns, dozes: str, metric: str) -> Ours:
    """The mean of a metric of the ping over the runs that doze so, in ms."""
    found = [view.total("ping", metric) for view in pings.where(dozes=dozes)]
    return Ours(mean(found), listed(found, 1))


for dozes in ("saving", "never"):
    for quantile in ("median", "p99"):
        MEASURES.claim(f"pi.{dozes}.{quantile}", "pings")(partial(ours, dozes=dozes, metric=f"rtt_{quantile}_ms"))
