"""One number that was measured, and what a run says in its place."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis.summary_table import RUN, entities
from airloom.results.aggregates import of_members, usual
from airloom.results.metric_names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from airloom.analysis.summary_table import Entity
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
        having = [one for one in entities(summary) if self.metric in one.numbers]
        named = [one for one in having if one.name == self.of]
        if named:
            return named[0].numbers[self.metric]
        members = [one for one in having if one.group == self.of]
        if not members:
            raise LookupError(*missing(self.metric, self.of, having, entities(summary)))
        value = of_members(self.metric, [one.numbers for one in members], self.over or usual(self.metric))
        return None if math.isnan(value) else value


def missing(metric: str, of: str, having: Sequence[Entity], every: Iterable[Entity]) -> tuple[str, str]:
    """What to say of a metric that an entity does not have, and what may have been meant."""
    if having:
        names = list(dict.fromkeys(one.group or one.name for one in having))
        near = difflib.get_close_matches(of, names, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"{', '.join(names)} {'has' if len(names) == 1 else 'have'}"
        return f"`{of}` has no {metric}", hint
    known = list(dict.fromkeys(name for one in every if of in (one.name, one.group) for name in one.numbers))
    if known:
        return f"no run has {metric}", did_you_mean(metric, known) or f"`{of}` has {', '.join(known)}"
    return f"no run has {metric}", f"the whole run (`{RUN}`) has goodput_mbps, each flow and node its own"
