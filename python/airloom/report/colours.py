"""Which colour belongs to what: on one page a hue means one flow, or one run, and nothing else.

The hues are those of `style.css`. They were chosen to differ for every kind of colour vision; the amber of scans is
none of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from airloom.analysis.flow_sets import sets
from airloom.analysis.key_figures import MOST_LISTED, carrying

if TYPE_CHECKING:
    from airloom.analysis.run_view import RunView

HUES = MOST_LISTED
"""The hues that there are."""

CROWD = "var(--hue-0)"
SUM = "var(--sum)"
NODE = "var(--node)"
"""The colours of many flows at once, of all flows together, and of a node that belongs to no flow alone."""


def hue(place: int) -> str:
    """One of the hues."""
    return f"var(--hue-{place % HUES})"


@dataclass
class Colours:
    """The colours of one run: of its flows and of its nodes, by name."""

    flows: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, view: RunView) -> Colours:
        """A hue for each flow, and for its station where that has no other.

        Other stations get hues that are left, and so do access points where there are several. Of more flows than
        hues the first hue is the crowd's, and two are for the flows with the greatest and the least goodput, of their
        largest set.
        """
        names = [flow["name"] for flow in view.flows]
        if len(names) > HUES:
            known = max((carrying(one.flows) for one in sets(view.run.summary)), key=len)
            names = ["", known[0]["name"], known[-1]["name"]] if known else [""]
        found = cls({name: hue(place) for place, name in enumerate(names)})
        left = len(names)
        for station, flows in view.stations.items():
            if len(flows) == 1:
                if flows[0]["name"] in found.flows:
                    found.nodes[station] = found.flows[flows[0]["name"]]
            elif left < HUES:
                found.nodes[station] = hue(left)
                left += 1
        points = [node["name"] for node in view.run.summary["nodes"] if node["kind"] == "ap"]
        if 1 < len(points) <= HUES - left:
            found.nodes |= {name: hue(left + place) for place, name in enumerate(points)}
        return found
