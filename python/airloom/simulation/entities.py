"""What a name stands for in a run that goes step by step, and which metrics that has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.errors import UnknownNameError
from airloom.results.lookup import unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Entity = tuple[str, str, str | None, tuple[str, str] | None]

KINDS = {"ap": "aps", "station": "stations", "server": "servers", "flow": "flows"}
"""What all of a kind are called."""


@dataclass(frozen=True)
class Entities:
    """Nodes and flows by name: each by itself, the members of groups, and all of a kind.

    Attributes:
        nodes: The nodes that a name stands for.
        flows: The flows: of the name of a node or of a group of stations those from or to it.
    """

    nodes: Mapping[str, Sequence[str]]
    flows: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, entities: Iterable[Entity]) -> Entities:
        """Those that the engine names: what each is, its name, its group, and the ends of a flow."""
        nodes: dict[str, list[str]] = {name: [] for kind, name in KINDS.items() if kind != "flow"}
        flows: dict[str, list[str]] = {KINDS["flow"]: []}
        at: dict[str, list[str]] = {}
        for kind, name, group, ends in entities:
            called = [KINDS[kind], name, *([group] if group else [])]
            of = flows if ends else nodes
            of_ends = [one for end in ends or () for one in at.get(end, [])]
            for one in dict.fromkeys([*called, *of_ends]):
                of.setdefault(one, []).append(name)
            if not ends:
                at[name] = called
        return cls(nodes, flows)

    def having(self, name: str, metric: str) -> Sequence[str]:
        """What of a name has a metric: nodes, or flows.

        Raises:
            UnknownNameError: There is nothing of that name, or it has no such metric.
        """
        if name not in self.nodes and name not in self.flows:
            raise unknown("entity", name, [*self.nodes, *self.flows])
        of_flows, of_nodes = _engine.series_metrics()
        if metric not in of_flows and metric not in of_nodes:
            raise unknown("metric", metric, [*of_flows, *of_nodes])
        has = self.flows if metric in of_flows else self.nodes
        if name not in has:
            whose = "flows" if metric in of_flows else "nodes"
            raise UnknownNameError(f"{name!r} has no {metric!r}, which is of {whose}", f"there are {', '.join(has)}")
        return has[name]
