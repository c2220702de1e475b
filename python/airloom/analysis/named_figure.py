"""One figure of a run, by its metric and by the name of what it is of."""

from __future__ import annotations

import difflib
import math
from typing import TYPE_CHECKING

from airloom.analysis.summary_table import RUN, entities
from airloom.results.aggregates import of_members, usual
from airloom.results.metric_names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from airloom.analysis.summary_table import Entity
    from airloom.results.aggregates import Over
    from airloom.results.summary import Summary


def figure(summary: Summary, metric: str, of: str, over: Over | None = None) -> float | None:
    """What a run has of a metric; none where it has no such value.

    Args:
        summary: The run.
        metric: A metric of summaries.
        of: The flow, node or group whose metric it is; `run` for the whole run.
        over: What is taken of a group over its members; what is usual where none is given.

    Raises:
        LookupError: No entity of this name has the metric in any run; its text names those that have it.
    """
    having = [one for one in entities(summary) if metric in one.numbers]
    named = [one for one in having if one.name == of]
    if named:
        return named[0].numbers[metric]
    members = [one for one in having if one.group == of]
    if not members:
        raise LookupError(*missing(metric, of, having, entities(summary)))
    value = of_members(metric, [one.numbers for one in members], over or usual(metric))
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
