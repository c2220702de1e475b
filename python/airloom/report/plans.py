"""The plans of a page's runs: one for all runs whose radios are in the same places, one for each that differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.report import plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from airloom.report.comparison import ComparedRun


@dataclass(frozen=True)
class Plan:
    """One picture, and what is said of it.

    Attributes:
        runs: The runs whose plan it is, where the page has others.
        picture: The drawing.
        told: How to read it, and the signals.
    """

    runs: list[ComparedRun]
    picture: Markup
    told: str


def plans(runs: Sequence[ComparedRun]) -> list[Plan]:
    """A plan for each set of runs whose drawing and signals are the same; none of a run without places."""
    sets: dict[tuple[Markup, str], list[ComparedRun]] = {}
    for one in runs:
        picture = plan.drawn(one.view)
        if picture is not None:
            sets.setdefault((picture, plan.described(one.view)), []).append(one)
    return [Plan([] if len(own) == len(runs) else own, *key) for key, own in sets.items()]


def lead(found: Sequence[Plan], runs: Sequence[ComparedRun]) -> str:
    """Whose plans the page has: said where it has several runs."""
    if not found or len(runs) == 1:
        return ""
    if not found[0].runs:
        return "The same in all runs."
    without = [one.label for one in runs if not any(one in each.runs for each in found)]
    rest = [f"No places are given in {' and '.join(without)}."] if without else []
    apart = ["Places, walls, channels or signals differ from run to run."] if len(found) > 1 else []
    return " ".join([*apart, *rest])
