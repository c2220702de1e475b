"""One number of a step: what an agent sees, or what it is rewarded for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.errors import RunError

if TYPE_CHECKING:
    from airloom.simulation.steps import Step

ADD_UP = ("goodput", "retransmissions", "ampdus", "mpdu_retries", "mpdu_losses", "airtime", "queue", "queue_drops")
"""Metrics of which those of several make a sum; of any other the mean is told."""


@dataclass(frozen=True)
class Figure:
    """A metric of a node, a flow or a group."""

    name: str
    metric: str

    @classmethod
    def read(cls, line: str) -> Figure:
        """As it is written: `"phone.goodput"`.

        Raises:
            RunError: It has no metric.
        """
        name, dot, metric = str(line).rpartition(".")
        if not dot or not name or not metric:
            raise RunError(f"{line!r}: needs a name and a metric, such as 'flows.goodput'")
        return cls(name, metric)

    def value(self, step: Step) -> float:
        """Its value in a step; zero where nothing was measured."""
        over = step.sum if self.metric in ADD_UP else step.mean
        return over(self.name, self.metric)
