"""What a claim that holds is evidence of, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from airloom import _engine
from airloom.papers.calibrated import read_calibrated
from airloom.papers.fitted import read_fitted

if TYPE_CHECKING:
    from airloom.papers.claim import Claim
    from airloom.papers.fitted import Fitted, FittedClaim
    from airloom.papers.paper import Paper

Kind = Literal["robust", "predicted", "fitted", "input"]
"""`robust` and `predicted` are evidence of the model; docs/papers.md has what each means."""

EVIDENCE: tuple[Kind, ...] = ("robust", "predicted")
"""What says something of the model."""


@dataclass(frozen=True)
class Evidence:
    """What a claim would be evidence of if it holds.

    Attributes:
        kind: Of what.
        because: What was fitted to it or computed from it, why no run could fail it, or what a fit said; empty where
            nothing was fitted.
    """

    kind: Kind
    because: str = ""


@dataclass(frozen=True)
class Calibration:
    """How the values of a paper's testbed were come by.

    Attributes:
        by_hand: For each claim that somebody looked at while choosing a value, what that value is.
        by_fit: What a fit to the paper found.
    """

    by_hand: dict[str, list[str]]
    by_fit: Fitted | None

    def evidence(self, claim: Claim) -> Evidence:
        """What a claim is evidence of."""
        if claim.input:
            return Evidence("input", claim.input)
        if claim.looked_at:
            return Evidence("fitted", claim.looked_at)
        if values := self.chosen_for(claim):
            return Evidence("fitted", ", ".join(values))
        if self.by_fit and (found := self.by_fit["evidence"].get(claim.id)):
            return Evidence(kind_here(found), said(found) + of_before(self.by_fit["results_version"]))
        return Evidence("predicted")

    def chosen_for(self, claim: Claim) -> list[str]:
        """The values at whose choice somebody looked at a claim, or at one that it follows from."""
        chosen = [value for name in (claim.id, *claim.follows) for value in self.by_hand.get(name, [])]
        return list(dict.fromkeys(chosen))


def calibration(paper: Paper) -> Calibration:
    """How the values of a paper's testbed were come by."""
    by_hand: dict[str, list[str]] = {}
    for value in read_calibrated(paper):
        for name in value.claims:
            by_hand.setdefault(name, []).append(value.what)
    return Calibration(by_hand, read_fitted(paper))


def kind_here(found: FittedClaim) -> Kind:
    """What a fit's word is here: `fitted` of a claim that it calls missed.

    If that holds here, it does so in few of the worlds that the fit left, and the chosen values make it hold.
    """
    return found["kind"] if found["kind"] in EVIDENCE else "fitted"


def said(found: FittedClaim) -> str:
    """What a fit found of a claim, in words."""
    anywhere, held_out, fitted = (f"{100 * found[name]:.0f} %" for name in ("anywhere", "held_out", "fitted"))
    return (
        f"it holds in {anywhere} of the worlds that were thought possible, "
        f"in {held_out} of those left without it, and in {fitted} of those left by all"
    )


def of_before(version: int) -> str:
    """That a fit was to other results than today's, if so."""
    return "" if version == _engine.results() else f", by results version {version}"
