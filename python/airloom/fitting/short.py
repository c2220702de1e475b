"""How the runs of waves are shorter than those of worlds: cheap enough for many points, and a little off for that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airloom.fitting.entries import MOST_SEEDS, number, unknown
from airloom.sweep.plan import settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.scenario.complaints import Complaints
    from airloom.scenario.grid import Overrides

KEY = "short"
"""The table of a problem file that says so."""

OF_SCENARIOS, OF_PAPERS = ("set", "seeds"), ("set", "seeds", "repeats")
"""Its keys."""


@dataclass(frozen=True)
class Short:
    """What is set in the runs of waves alone.

    Attributes:
        sets: Over what is fixed in every run.
        seeds: Runs of each point in each experiment.
        repeats: How many seeds of a paper's grid are run.
    """

    sets: Overrides
    seeds: int
    repeats: int


def short(
    content: Mapping[str, Any], known: Sequence[str], seeds: int, repeats: int, complaints: Complaints
) -> Short | None:
    """What a problem file's `[short]` says; none where the runs of waves are those of worlds.

    Args:
        content: The file's content.
        known: The keys that this table has.
        seeds: The seeds of worlds.
        repeats: Their seeds of a paper's grid.
        complaints: Where mistakes go.
    """
    said = content.get(KEY)
    if said is None:
        return None
    if not isinstance(said, dict) or not said:
        complaints.add(KEY, "`short` says what is set in waves alone", f'[{KEY}] with set = {{ duration = "5 s" }}')
        return None
    unknown(said, known, complaints)
    own = number(said, "seeds", seeds, MOST_SEEDS, complaints, KEY)
    of_grid = number(said, "repeats", repeats, MOST_SEEDS, complaints, KEY)
    return Short(settings(said.get("set", {}), complaints), own, of_grid)
