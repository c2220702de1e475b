"""What a reader of a page must not overlook: flows without a delivery, and warnings of the scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.analysis.starved import sentences, unexplained

if TYPE_CHECKING:
    from airloom.results.bundle import Run


def callouts(run: Run) -> list[str]:
    """These, in whole sentences; a warning that is the reason of a flow's silence stands with the flow."""
    said = [
        f"{warning['message']}{'; ' if warning['hint'] else ''}{warning['hint'] or ''}"
        for warning in unexplained(run.summary)
    ]
    return [f"{text}." for text in [*sentences(run.summary), *(f"{text[0].upper()}{text[1:]}" for text in said)]]
