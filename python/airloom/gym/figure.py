"""One number of a step: what an agent sees, or what it is rewarded for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.errors import RunError
from airloom.results.aggregates import nature

if TYPE_CHECKING:
    from airloom.simulation.steps import Step


@dataclass
class Figure:
    """A metric of a node, a flow or a group, step by step.

    Attributes:
        name: Whose it is.
        metric: Which it is.
        last: The last mean; zero before there is one.
    """

    name: str
    metric: str
    last: float = 0.0

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
        """Its value in a step: a sum if it adds up, else a mean, which stays what it was where nothing was measured."""
        if nature(self.metric).adds:
            return step.sum(self.name, self.metric)
        found = step.mean(self.name, self.metric)
        self.last = self.last if math.isnan(found) else found
        return self.last
