"""What a claim that holds is evidence of, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from airloom import _engine

if TYPE_CHECKING:
    from airloom.papers.claim import Claim
    from airloom.papers.fitted import Fitted, FittedClaim

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


def evidence(claim: Claim, fitted: Fitted | None) -> Evidence:
    """What a claim is evidence of, by what a fit to its paper found, if there was one."""
    if claim.input:
        return Evidence("input", claim.input)
    if claim.looked_at:
        return Evidence("fitted", claim.looked_at)
    if fitted and (found := fitted["evidence"].get(claim.id)):
        return Evidence(kind_here(found), said(found) + of_before(fitted["results_version"]))
    return Evidence("predicted")


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
