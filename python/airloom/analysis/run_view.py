"""A run as a report or a measure looks at it: its flow, the radio that carries it, its scans."""

from __future__ import annotations

import math
import tomllib
from functools import cached_property
from typing import TYPE_CHECKING

from airloom.analysis.power_save import periods
from airloom.analysis.scan_periods import Periods, completed, whole_trips
from airloom.analysis.summary_table import entities
from airloom.errors import BundleError
from airloom.results.frames import address
from airloom.results.metric_names import did_you_mean
from airloom.results.series import BIN, binwise
from airloom.results.summary import access_points
from airloom.scenario.quantities import seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.power_save import Sleep
    from airloom.analysis.scan_periods import WholeTrip
    from airloom.results.bundle import Run
    from airloom.results.series import Series
    from airloom.results.summary import FlowSummary, Scan


SLACK = 1e-6
"""Seconds by which a bin may seem to reach beyond a flow's time: the noise of binary fractions."""


class RunView:
    """One run: its first TCP flow, and the radio that sends that flow's data."""

    def __init__(self, run: Run) -> None:
        """Looks at a run."""
        self.run = run

    @cached_property
    def periods(self) -> Periods:
        """Normal and degraded seconds."""
        return Periods.of(self.run.summary, self.begin)

    @cached_property
    def begin(self) -> float:
        """When the first flow that carries data starts, of pings alone the first; 0 s if the scenario does not say."""
        try:
            flows = tomllib.loads(self.run.scenario).get("flow", [])
        except tomllib.TOMLDecodeError:
            return 0.0
        tables = [flow for flow in flows if isinstance(flow, dict)]
        data = [flow for flow in tables if flow.get("kind") != "ping"]
        return min((seconds(flow.get("start", "")) for flow in data or tables), default=0.0)

    @property
    def flows(self) -> list[FlowSummary]:
        """All flows."""
        return self.run.summary["flows"]

    @property
    def flow(self) -> FlowSummary:
        """The first TCP flow; the first of any kind where there is none."""
        return next((flow for flow in self.flows if flow["kind"] == "tcp"), self.flows[0])

    @cached_property
    def radio(self) -> str:
        """The node that sends the first flow's data over the air."""
        return self.radio_of(self.flow)

    @cached_property
    def senders(self) -> list[str]:
        """The radios that send the data of any flow, in the order of the flows; all radios where there is none."""
        if not self.flows:
            return self.run.table.entities("ampdus")
        return list(dict.fromkeys(name for flow in self.flows for name in self.radios_of(flow)))

    def radio_of(self, flow: FlowSummary) -> str:
        """The first node that sends a flow's data over the air."""
        return self.radios_of(flow)[0]

    def radios_of(self, flow: FlowSummary) -> list[str]:
        """The nodes that send a flow's data over the air: its source, the access points before its sink, or both.

        A flow between servers has none of its own; the first access point stands for it.
        """
        stations = access_points(self.run.summary)
        source = [flow["from"]] if flow["from"] in stations else []
        roams = [roam["to"] for roam in self.run.summary.get("roams", []) if roam["station"] == flow["to"]]
        sink = list(dict.fromkeys([stations[flow["to"]], *filter(None, roams)])) if flow["to"] in stations else []
        aps = [node["name"] for node in self.run.summary["nodes"] if node["kind"] == "ap"]
        return source + sink or [*aps[:1], flow["from"]][:1]

    @cached_property
    def stations(self) -> dict[str, list[FlowSummary]]:
        """The stations that flows come from or go to, each with these flows, in the order of the flows."""
        kinds = {node["name"]: node["kind"] for node in self.run.summary["nodes"]}
        found: dict[str, list[FlowSummary]] = {}
        for flow in self.flows:
            for end in (flow["from"], flow["to"]):
                if kinds.get(end) == "station":
                    found.setdefault(end, []).append(flow)
        return found

    @cached_property
    def goodput(self) -> Series:
        """The goodput of all flows together, in Mbit/s, by the second; in wider bins if those were recorded."""
        return self.by_second(self.recorded(self.flows))

    @cached_property
    def of_scanners(self) -> dict[str, tuple[Series, Series]]:
        """The goodput of each station that scans and has flows, while it has any: as recorded, and by the second."""
        found = {}
        for station in dict.fromkeys(scan["station"] for scan in self.run.summary["scans"]):
            if flows := self.stations.get(station):
                recorded = self.recorded(flows)
                found[station] = self.busy(recorded, flows), self.busy(self.by_second(recorded), flows)
        return found

    def recorded(self, flows: Sequence[FlowSummary]) -> Series:
        """The goodput of some flows together, in Mbit/s, in the bins that were recorded."""
        return together([self.run.table.get(flow["name"], "goodput") for flow in flows])

    def by_second(self, series: Series) -> Series:
        """A series in bins of a second; in its own where these are wider."""
        return series.coarser(round(BIN / series.width))

    @property
    def step(self) -> str:
        """What a bin of the goodput is called."""
        return "second" if math.isclose(self.goodput.width, BIN) else f"{self.goodput.width:g} seconds"

    def busy(self, series: Series, flows: Sequence[FlowSummary] | None = None) -> Series:
        """Its bins during all of which a flow that carries data is under way, whatever that one does; one of some."""
        some = self.flows if flows is None else flows
        spans = [(one.get("start_s", 0.0), one.get("end_s", math.inf)) for one in some if one["kind"] != "ping"]
        last = self.run.summary["duration_s"]

        def within(time: float) -> bool:
            end = min(time + series.width, last)
            return any(start <= time + SLACK and end <= until + SLACK for start, until in spans)

        return series.where(within)

    @cached_property
    def totals(self) -> dict[str, dict[str, float | None]]:
        """The summary's numbers of each flow and node, and of the whole run, by entity and metric."""
        return {entity.name: entity.numbers for entity in entities(self.run.summary)}

    def total(self, of: str, metric: str) -> float:
        """A number of the summary, of a flow, a node or the whole run; NaN where the summary has null.

        Raises:
            BundleError: There is no such entity or metric.
        """
        if of not in self.totals:
            raise BundleError(f"{self.run.path}: no {of!r} in this run; there are {', '.join(self.totals)}")
        if metric not in self.totals[of]:
            there = list(self.totals[of])
            hint = did_you_mean(metric, there) or f"there are {', '.join(there)}"
            raise BundleError(f"{self.run.path}: no {metric!r} of {of}", hint)
        value = self.totals[of][metric]
        return math.nan if value is None else value

    def tcp(self, metric: str) -> Series:
        """A metric of the flow."""
        return self.run.table.get(self.flow["name"] if self.flows else "", metric)

    def mac(self, metric: str) -> Series:
        """A metric of the radio."""
        return self.run.table.get(self.radio, metric)

    def normal(self, series: Series) -> Series:
        """Its normal seconds."""
        return series.where(lambda time: self.periods.normal(time, series.width))

    def degraded(self, series: Series) -> Series:
        """Its degraded seconds."""
        return series.where(lambda time: self.periods.degraded(time, series.width))

    def change(self, series: Series) -> float:
        """The relative difference of the mean of the degraded seconds from that of the normal ones."""
        return self.degraded(series).mean() / self.normal(series).mean() - 1.0

    @cached_property
    def sleeps(self) -> list[Sleep]:
        """The sleeping periods of the first station, as a monitor heard them."""
        places = enumerate(self.run.summary["nodes"])
        station = next((place for place, node in places if node["kind"] == "station"), 0)
        return periods(self.run.frames, address(station))

    @property
    def scans(self) -> list[tuple[Scan, float]]:
        """The scans that ended, with their ends."""
        return completed(self.run.summary)

    @property
    def trips(self) -> list[WholeTrip]:
        """All trips of those scans."""
        return [trip for scan, _ in self.scans for trip in whole_trips(scan)]


def together(parts: Sequence[Series]) -> Series:
    """The sum of some series, bin by bin; a bin of which none knows a value is left out."""
    return binwise(parts, sum)
