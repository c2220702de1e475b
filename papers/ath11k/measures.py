"""What our runs say about ath11k with and without airtime queue limits: a download's goodput and a ping's delay."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from airloom.papers.measure import Measures, Ours
from airloom.support.formatting import listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.analysis.run_view import RunView
    from airloom.papers.grid_runs import GridRuns

MEASURES = Measures()


def goodput(view: RunView) -> float:
    """The download's, in Mbit/s."""
    return view.total("download", "goodput_mbps")


def delay(view: RunView) -> float:
    """The ping's median round trip, in ms."""
    return view.total("ping", "rtt_median_ms")


def ours(drivers: GridRuns, driver: str, quantity: Callable[[RunView], float]) -> Ours:
    """The mean over the runs with a driver."""
    runs = drivers.where(driver=driver)
    return Ours(runs.mean(quantity), listed((quantity(view) for view in runs), 1))


for driver in ("before", "patches", "arrivals"):
    for quantity in (goodput, delay):
        MEASURES.claim(f"ath11k.{driver}.{quantity.__name__}", "drivers")(
            partial(ours, driver=driver, quantity=quantity)
        )
