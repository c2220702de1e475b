"""What causes cost: what rules claim against what the same world does without the cause."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.results.bundle import load
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from airloom.diagnosis.corpus import PlantedWorld
    from airloom.diagnosis.shapes import Finding
    from airloom.results.bundle import Run
    from airloom.results.summary import FlowSummary, Summary

EVERY = "100 ms"
"""The width of the bins in which goodputs are compared."""

LAPTOP, ITS_ADDRESS = "02:00:00:00:00:01", "10.0.0.1:"
"""The station that comes first in a scenario, and how the ends of its connections begin."""

NEIGHBOUR = "slow"
"""The station that takes the air from others."""

SCAN, DOZE, QUEUE, HOG = "W101", "W102", "W301", "W202"
"""Rules whose costs in ms have a measure, and the one about what others lose."""


@dataclass(frozen=True)
class Claim:
    """What a rule says that a cause costs, and what it does cost, in the same unit."""

    code: str
    world: str
    unit: str
    claimed: float
    true: float
    at_least: bool
    at_most: bool

    @property
    def error(self) -> float:
        """The relative error; of what is claimed to be the least, how much it is more than what is true."""
        over = self.claimed - self.true
        return (max(over, 0.0) if self.at_least else abs(over)) / max(abs(self.true), 1e-9)

    @property
    def short(self) -> float:
        """How much less it is than what is true, as a part of that."""
        return max(self.true - self.claimed, 0.0) / max(abs(self.true), 1e-9)


def claims(
    world: PlantedWorld, seed: int, bundle: Path, findings: Sequence[Finding], there: Collection[str]
) -> list[Claim]:
    """The costs of a world's only cause, held against a run without it, by the rules whose causes are there."""
    priced = [one for one in findings if one["code"] in there and one["cost"]["value"] > 0 and is_own(one)]
    if world.without is None or not priced:
        return []
    with tempfile.TemporaryDirectory(prefix="airloom-") as folder:
        _engine.run(world.without.toml(), world.name, [("record.every", EVERY)], seed, Path(folder) / "run")
        ill, well = load(bundle), load(Path(folder) / "run")
        made = [(one, truth(one, ill, well)) for one in priced]
    return [
        Claim(one["code"], world.name, cost["unit"], cost["value"], true, cost["at_least"], cost["at_most"])
        for one, true in made
        if (cost := one["cost"]) and true is not None
    ]


def is_own(finding: Finding) -> bool:
    """Whether a finding is about the laptop, its flows, or all: of others nothing is known here."""
    subject = finding["subject"]
    return finding["code"] == HOG or any(part in subject for part in (LAPTOP, ITS_ADDRESS, "all radios"))


def truth(finding: Finding, ill: Run, well: Run) -> float | None:
    """What a cause cost between a run with it and one without, in the unit of a finding; none if no measure has it."""
    unit = finding["cost"]["unit"]
    if unit == "Mbit/s":
        names = concerned(finding, ill.summary)
        return sum(slowed(name, finding["spans"], ill, well) for name in names)
    if unit == "ms":
        return delayed(finding, ill.summary, well.summary)
    return None


def concerned(finding: Finding, summary: Summary) -> list[str]:
    """The flows that a cost in Mbit/s is of: of a link or a connection those of its direction."""
    subject = finding["subject"]
    flows = summary["flows"]
    if finding["code"] == HOG:
        return [flow["name"] for flow in flows if NEIGHBOUR not in (flow["from"], flow["to"])]
    own = [flow for flow in flows if "laptop" in (flow["from"], flow["to"])]
    if " to " in subject:
        up = subject.startswith((LAPTOP, ITS_ADDRESS))
        own = [flow for flow in own if (flow["from"] == "laptop") == up]
    return [flow["name"] for flow in (flows if subject == "all radios" else own)]


def slowed(name: str, spans: list[list[float]], ill: Run, well: Run) -> float:
    """How much less a flow carried within the hull of some spans, in Mbit/s."""
    start, end = min(span[0] for span in spans), max(span[1] for span in spans)
    means = [run.series.get(name, "goodput").dense().between(start, end).values for run in (well, ill)]
    well_mean, ill_mean = (mean(0.0 if math.isnan(value) else value for value in values) for values in means)
    return well_mean - ill_mean


def delayed(finding: Finding, ill: Summary, well: Summary) -> float | None:
    """How much longer packets took, or the station was away, in ms; none if no measure has it."""
    if finding["code"] == SCAN:
        trips = [scan["trips"] for scan in ill["scans"]]
        away = [(trip["home_s"] or ill["duration_s"]) - trip["leaving_s"] for scan in trips for trip in scan]
        return 1000 * sum(away) / len(trips)
    measure = {DOZE: "mean", QUEUE: "median"}.get(finding["code"])
    if measure is None:
        return None
    names = concerned(finding, ill)
    longer = [
        one - other
        for ill_flow, well_flow in zip(ill["flows"], well["flows"], strict=False)
        if ill_flow["name"] in names
        and (one := took(ill_flow, measure)) is not None
        and (other := took(well_flow, measure)) is not None
    ]
    # Packets that find the station awake take no longer.
    share = finding["value"] / 100 if finding["code"] == DOZE else 1.0
    return mean(longer) / share if longer else None


def took(flow: FlowSummary, measure: str) -> float | None:
    """How long packets of a flow took in ms, by round trips if it has any; of TCP its median alone tells."""
    if flow["kind"] == "tcp" and measure == "mean":
        return None
    medians = (flow.get("rtt_median_ms"), flow.get("delay_median_ms"))
    means = (flow.get("rtt_mean_ms"), flow.get("delay_mean_ms"))
    return next((value for value in (means if measure == "mean" else medians) if value is not None), None)
