"""What a reader of a page must not overlook: flows that delivered nothing, and what the scenario hardly means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom import _engine
from airloom.analysis.key_figures import nothing
from airloom.errors import ScenarioError

if TYPE_CHECKING:
    from airloom.results.bundle import Run


def callouts(run: Run) -> list[str]:
    """These, in whole sentences."""
    try:
        warnings = _engine.warnings(run.scenario, run.path.name, [], None)
    except ScenarioError:
        # What another version resolved may be no scenario to this one.
        warnings = []
    said = [f"{warning['message']}{'; ' if warning['hint'] else ''}{warning['hint'] or ''}" for warning in warnings]
    return [f"{text}." for text in [*nothing(run.summary), *(f"{text[0].upper()}{text[1:]}" for text in said)]]
