"""The groups of a run: stations that one table with a `count` stands for, and the flows of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import UnknownNameError
from airloom.results.aggregates import aggregate, check, of_members, usual
from airloom.results.lookup import unknown
from airloom.results.series import binwise
from airloom.support.formatting import count
from airloom.support.statistics import percentile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.results.parts import Flow, Node
    from airloom.results.series import Series
    from airloom.results.summary import FlowSummary, Summary


def of_flows(flows: Sequence[FlowSummary]) -> dict[str, list[FlowSummary]]:
    """The groups of flows, in their order."""
    found: dict[str, list[FlowSummary]] = {}
    for flow in flows:
        if group := flow.get("group"):
            found.setdefault(group, []).append(flow)
    return found


def at_stations(summary: Summary) -> dict[str, list[str]]:
    """The groups of stations, each with the groups of flows from or to its members."""
    station = {node["name"]: group for node in summary["nodes"] if (group := node.get("group"))}
    found: dict[str, list[str]] = {group: [] for group in station.values()}
    for name, flows in of_flows(summary["flows"]).items():
        for group in {station.get(flow[end]) for flow in flows for end in ("from", "to")} - {None}:
            found[str(group)].append(name)
    return found


class Group:
    """Several stations, or several flows, as one: `run.group("sta").goodput_mbps` is the sum over its flows.

    A figure of the summary is an attribute: a sum where such figures add up, else the median. `sum`, `median`, `mean`,
    `worst` and `quantile` give another. Figures that only flows have are those of the flows from or to the stations.

    Attributes:
        name: Its name.
        members: Its stations, or its flows if it is a group of flows.
        flows: Its flows, or those from or to its stations.
    """

    goodput_mbps: float
    share: float
    bytes_delivered: float
    retransmissions: float
    timeouts: float
    lost: float
    cwnd_mean: float
    rpm: float
    rtt_mean_ms: float
    rtt_median_ms: float
    rtt_p95_ms: float
    rtt_p99_ms: float
    delay_mean_ms: float
    delay_median_ms: float
    delay_p95_ms: float
    delay_p99_ms: float
    airtime_share: float
    mac_rate_mbps: float
    mpdu_retries: float

    def __init__(self, name: str, members: Sequence[Node] | Sequence[Flow], flows: Sequence[Flow]) -> None:
        """Puts members together."""
        self.name = name
        self.members = list(members)
        self.flows = list(flows)

    def values(self, metric: str) -> list[float | None]:
        """A figure of each member, or of each of their flows.

        Raises:
            UnknownNameError: No member has it, or flows of several groups have it.
        """
        return [figures[metric] for figures in self._having(metric)]

    def _having(self, metric: str) -> list[dict[str, float | None]]:
        """The figures of each member that has this one, or of each of their flows."""
        own = [figures for part in self.members if metric in (figures := part.numbers())]
        if own:
            return own
        flows = {flow.name: figures for flow in self.flows if metric in (figures := flow.numbers())}
        groups = list(dict.fromkeys(flow.group or flow.name for flow in self.flows if flow.name in flows))
        if len(groups) > 1:
            raise UnknownNameError(f"{metric} of {self.name!r}: of which flows?", f"there are {', '.join(groups)}")
        if not flows:
            raise unknown(f"figure of group {self.name!r} called", metric, self._figures())
        return list(flows.values())

    def _figures(self) -> list[str]:
        """The figures that its members have, or their flows."""
        return list(dict.fromkeys(name for part in (*self.members, *self.flows) for name in part.numbers()))

    def over(self, metric: str, over: str | None = None) -> float:
        """A figure over the members: `sum`, `median`, `mean` or `worst`; by itself the sum, or else the median.

        The worst is the lowest goodput, or the highest delay. It is NaN if a member has no such figure. A sum of
        goodputs is over the time that was measured, whatever the flows' own times are.

        Raises:
            UnknownNameError: There is no such figure, or it makes no sense of it.
        """
        return of_members(metric, self._having(metric), check(metric, over) if over is not None else usual(metric))

    def sum(self, metric: str) -> float:
        """The sum over the members."""
        return self.over(metric, "sum")

    def median(self, metric: str) -> float:
        """The median over the members."""
        return self.over(metric, "median")

    def mean(self, metric: str) -> float:
        """The mean over the members."""
        return self.over(metric, "mean")

    def worst(self, metric: str) -> float:
        """The lowest goodput, the highest delay; NaN if a member has no such figure."""
        return self.over(metric, "worst")

    def quantile(self, metric: str, share: float) -> float:
        """The value below which the figures of a share (0 to 1) of the members lie."""
        return percentile((value for value in self.values(metric) if value is not None), share)

    def series(self, metric: str, over: str | None = None) -> Series:
        """A metric of the group over time: in each bin over the members that have a value there."""
        parts = [series for part in self.members if (series := part.series(metric)).times]
        parts = parts or [series for flow in self.flows if (series := flow.series(metric)).times]
        if not parts:
            raise unknown(f"series of group {self.name!r} called", metric, [])
        chosen = check(metric, over) if over is not None else usual(metric)
        return binwise(parts, lambda values: aggregate(metric, values, chosen), self.name)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> float:
            """A figure over the members, as a sum or a median."""
            if name.startswith("_"):
                raise AttributeError(name)
            return self.over(name)

    def __dir__(self) -> list[str]:
        """The figures, and what can be done."""
        return sorted({*super().__dir__(), *self._figures()})

    @property
    def silent(self) -> list[str]:
        """The names of its flows that delivered nothing: goodputs of 0, which count, and no delay, which does not."""
        return [flow.name for flow in self.flows if flow.delivered_nothing]

    def __len__(self) -> int:
        """How many members there are."""
        return len(self.members)

    def __repr__(self) -> str:
        """Its name and its size, and how many of its flows delivered nothing."""
        silent = f", {count(len(self.silent), 'silent flow')}" if self.silent else ""
        return f"<airloom group {self.name!r} of {len(self.members)}{silent}>"


def group(name: str, flows: Sequence[Flow], stations: Sequence[Node]) -> Group:
    """The group of a name: of stations, or of flows.

    Raises:
        UnknownNameError: There is none.
    """
    if members := [one for one in stations if one.group == name]:
        names = {one.name for one in members}
        return Group(name, members, [flow for flow in flows if {flow.from_, flow.to} & names])
    if own := [flow for flow in flows if flow.group == name]:
        return Group(name, own, own)
    raise unknown("group", name, filter(None, (one.group for one in (*stations, *flows))))
