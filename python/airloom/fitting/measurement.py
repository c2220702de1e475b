"""One number that was measured, and what a run says in its place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis.named_figure import figure

if TYPE_CHECKING:
    from airloom.results.aggregates import Over
    from airloom.results.summary import Summary


@dataclass(frozen=True)
class Measurement:
    """A number that was measured.

    Attributes:
        name: What it is called.
        experiment: What was set when it was measured, by the experiment's name.
        metric: A metric of summaries.
        of: The flow, node or group whose metric it is; `run` for the whole run.
        over: What is taken of a group over its members; what is usual where none is given.
        value: What was measured, in the metric's unit; the middle of a span.
        error: How well it could be read: a standard deviation, in the same unit.
        discrepancy: How far a true world of ours may be off, since no model is the world: likewise.
        fold: What it belongs to, where some are held out.
        source: Where the number is from, in words.
        half: Half of the width of what was read as a span, within which all values are alike; 0 of a number.
    """

    name: str
    experiment: str
    metric: str
    of: str
    over: Over | None
    value: float
    error: float
    discrepancy: float
    fold: str = ""
    source: str = ""
    half: float = 0.0

    @property
    def tolerance(self) -> float:
        """The standard deviation of what was measured from what a true world would have over many seeds."""
        return math.hypot(self.error, self.discrepancy)

    def of_run(self, summary: Summary) -> float | None:
        """What a run has in its place; none where it has no such value.

        Raises:
            LookupError: No entity of this name has the metric in any run; its text names those that have it.
        """
        return figure(summary, self.metric, self.of, self.over)
