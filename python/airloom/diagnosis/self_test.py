"""How right the rules are: what they find in captures of worlds whose causes are known."""

from __future__ import annotations

import json
import signal
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import active_children
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from airloom import _engine
from airloom.diagnosis.corpus import PlantedWorld, worlds
from airloom.diagnosis.costs import EVERY, Claim, claims
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.roaming import roam
from airloom.diagnosis.sniffer import encrypt, lose
from airloom.support.statistics import percentile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from airloom.diagnosis.shapes import Abstained, Finding
    from airloom.results.summary import FlowSummary, Summary

SNAP_LENGTH = 160
"""Octets kept of a frame: all headers."""

MIN_MISSED = 0.1
"""The share of frames that a monitor has to miss for that to be found."""

MISSED = 0.1
"""The share of frames that a monitor misses where two causes meet."""

FIRST_UNSEEN = 101
"""Seeds below this one are those that thresholds may be set on."""

MOST_SEEDS = 100
"""Of each world in a self-test."""

SHORT_WAIT, LONG_WAIT = 25.0, 100.0
"""Waits in queues in ms: below the first none is standing, from the second on one is."""

HIGH = 0.9
"""The quantile of errors that is shown beside the median."""

FOREVER = 2**63 - 1

HOSTS_ALONE = ("W108", "W109", "W306")
"""The rules that say nothing beside a monitor's capture, or little."""

SEGMENT = 1448
"""Octets of a full segment."""

LOSSY = 0.005
"""The share of segments sent again from which on it is no fault to say that some are lost."""


@dataclass(frozen=True)
class Trial:
    """A world with a seed, heard by a monitor that misses this share of all frames, and may have no key.

    There is a capture of the laptop, and one of the server or not.
    """

    world: PlantedWorld
    seed: int
    missed: float
    encrypted: bool = False
    server: bool = True

    @property
    def causes(self) -> frozenset[str]:
        """What is to be found: that the monitor misses frames, too."""
        return self.world.causes | ({"W001"} if self.missed >= MIN_MISSED else set())


@dataclass(frozen=True)
class Outcome:
    """What came of a trial: codes of what is there, or by half, of what was found, of rules that abstained; costs."""

    trial: Trial
    there: frozenset[str]
    tolerated: frozenset[str]
    found: frozenset[str]
    abstained: frozenset[str]
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Score:
    """How a rule fared: counts of trials.

    Attributes:
        right: Its cause was there, and it found it.
        missed: Its cause was there, and it found nothing.
        wrong: Its cause was not there, and it found it.
        silent: Its cause was not there, and it found nothing.
        abstained: It could not tell; these trials count for nothing else.
    """

    right: int = 0
    missed: int = 0
    wrong: int = 0
    silent: int = 0
    abstained: int = 0

    @property
    def precision(self) -> float | None:
        """Of what it found, the share that is there; none if it found nothing."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None

    @property
    def recall(self) -> float | None:
        """Of what is there, the share that it found; none if nothing is there."""
        return self.right / (self.right + self.missed) if self.right + self.missed else None


def trials(seeds: int) -> list[Trial]:
    """Every world with so many seeds that no rule was tuned on, every second one encrypted; two causes with losses.

    Every third is without the server's capture.
    """
    unseen = range(FIRST_UNSEEN, FIRST_UNSEEN + seeds)
    return [
        Trial(
            world,
            seed,
            MISSED if world.count > 1 else 0.0,
            encrypted=(place + seed) % 2 > 0,
            server=(place + seed) % 3 > 0,
        )
        for place, world in enumerate(worlds())
        for seed in unseen
    ]


def attempt(trial: Trial) -> Outcome:
    """Runs a world and diagnoses what its monitor heard, together with the captures of its hosts.

    The hosts' captures alone are for the rule that says nothing beside a monitor's.
    """
    with tempfile.TemporaryDirectory(prefix="airloom-") as folder:
        bundle = Path(folder) / "run"
        summary, captures = captured(trial, bundle)
        told = diagnose(captures)
        alone = diagnose(captures[1:])
        waited = wait(summary)
        # What waits for a station that is away makes the mean long, though most packets do not wait.
        long = waited >= LONG_WAIT and not summary["scans"] and "W301" not in trial.world.tolerated
        standing = {"W301"} if long else set()
        half = {"W301"} if waited >= SHORT_WAIT else set()
        undone = {"W303"} if any(flow.get("undone") for flow in summary["flows"]) else set()
        lossy = {"W306"} if any(lost(flow) for flow in summary["flows"]) else set()
        # A host's capture shows it where questions are few enough.
        asleep = {"W109"} if "W102" in trial.causes else set()
        found = [*told["findings"], *(one for one in alone["findings"] if one["code"] in HOSTS_ALONE)]
        priced = claims(trial.world, trial.seed, bundle, found, trial.causes | standing)
    return Outcome(
        trial,
        trial.causes | standing,
        trial.world.tolerated | half | undone | lossy | asleep,
        codes(told["findings"], alone["findings"]),
        codes(told["abstained"], alone["abstained"]),
        tuple(priced),
    )


def lost(flow: FlowSummary) -> bool:
    """Whether so much of a flow was sent again that it may be told."""
    segments = flow.get("bytes_delivered", 0) / SEGMENT
    return flow.get("retransmissions", 0) > LOSSY * segments


def codes(
    beside: Sequence[Finding] | Sequence[Abstained], alone: Sequence[Finding] | Sequence[Abstained]
) -> frozenset[str]:
    """The codes of what came beside a monitor's capture, and of what comes without one alone."""
    heard = {one["code"] for one in beside} - set(HOSTS_ALONE)
    return frozenset(heard | ({one["code"] for one in alone} & set(HOSTS_ALONE)))


def captured(trial: Trial, bundle: Path) -> tuple[Summary, list[Path]]:
    """Runs a world into a folder: its summary, and the captures of the monitor, the laptop, and perhaps the server."""
    kept = (SNAP_LENGTH, 0, FOREVER)
    summary = json.loads(
        _engine.run(trial.world.toml(), trial.world.name, [("record.every", EVERY)], trial.seed, bundle, capture=kept)
    )
    air = bundle / "air.pcapng"
    if trial.world.roams:
        roam(air)
    if trial.missed:
        lose(air, trial.missed, trial.seed)
    if trial.encrypted:
        encrypt(air)
    hosts = ("laptop", "server") if trial.server else ("laptop",)
    return summary, [air, *(bundle / f"{host}.pcapng" for host in hosts)]


def wait(summary: Summary) -> float:
    """How long packets wait at the access point or at the laptop, where they wait longer, in ms on average."""
    nodes = [node for node in summary["nodes"] if node["name"] in ("ap", "laptop")]
    return max(sum(queue.get("mean_sojourn_ms") or 0.0 for queue in node["queues"]) for node in nodes)


def outcomes(of: Sequence[Trial], progress: Callable[[float], object]) -> list[Outcome]:
    """What came of every trial, on all cores."""
    came = []
    # Workers that are killed leave their folders behind: all of them lie in this one.
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(initializer=work_in, initargs=(folder,)) as pool,
    ):
        try:
            for outcome in pool.map(attempt, of, chunksize=2):
                came.append(outcome)
                progress(len(came) / len(of))
        except KeyboardInterrupt:
            for worker in active_children():
                worker.kill()
            pool.shutdown(cancel_futures=True)
            raise
    return came


def work_in(folder: str) -> None:
    """Has temporary files of this process in a folder, and leaves Ctrl-C to the process that began it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder


class RuleRow(TypedDict):
    """How a rule fared.

    `one` is of worlds with one cause or none and a monitor that hears everything, `two` of worlds with two causes and a
    monitor that does not.
    """

    rule: str
    one: Part
    two: Part


class CostRow(TypedDict):
    """How right a rule's costs are: of those that say about how much, the relative errors.

    Of those that say how much at least, the same of what is more than true. Those that say how much at most are among
    the former; of these by themselves it is what is less than true.
    """

    rule: str
    about: CostPart
    at_least: CostPart
    at_most: CostPart


class CostPart(TypedDict):
    """How many costs, and shares of what is true: none without any."""

    costs: int
    median: float | None
    most: float | None


class Part(TypedDict):
    """Counts of captures, and shares: none where there was nothing to find, or nothing was found."""

    right: int
    missed: int
    wrong: int
    abstained: int
    precision: float | None
    recall: float | None


class SelfTest(TypedDict):
    """What `airloom diagnose --self-test` prints: how each rule fared, and its costs."""

    rules: list[RuleRow]
    costs: list[CostRow]


def rows(came: Sequence[Outcome]) -> list[RuleRow]:
    """A row for each rule."""
    one = [outcome for outcome in came if outcome.trial.world.count <= 1 and not outcome.trial.missed]
    two = [outcome for outcome in came if outcome.trial.world.count > 1 and outcome.trial.missed]
    codes = sorted({code for outcome in came for code in outcome.there})
    return [{"rule": code, "one": part(score(one, code)), "two": part(score(two, code))} for code in codes]


def cost_rows(came: Sequence[Outcome]) -> list[CostRow]:
    """A row for each rule that claimed a cost."""
    made = [claim for outcome in came for claim in outcome.claims]
    codes = sorted({claim.code for claim in made})
    return [
        {
            "rule": code,
            "about": cost_part([one.error for one in made if one.code == code and not one.at_least]),
            "at_least": cost_part([one.error for one in made if one.code == code and one.at_least]),
            "at_most": cost_part([one.short for one in made if one.code == code and one.at_most]),
        }
        for code in codes
    ]


def cost_part(errors: Sequence[float]) -> CostPart:
    """How many claims have these errors, and quantiles of them."""
    if not errors:
        return {"costs": 0, "median": None, "most": None}
    return {"costs": len(errors), "median": percentile(errors, 0.5), "most": percentile(errors, HIGH)}


def part(of: Score) -> Part:
    """A score in words."""
    return {
        "right": of.right,
        "missed": of.missed,
        "wrong": of.wrong,
        "abstained": of.abstained,
        "precision": of.precision,
        "recall": of.recall,
    }


def score(of: Sequence[Outcome], code: str) -> Score:
    """How one rule fared."""
    counts: Counter[str] = Counter()
    for outcome in of:
        there, found = code in outcome.there, code in outcome.found
        if code in outcome.tolerated and not there:
            continue
        if code in outcome.abstained:
            counts["abstained"] += 1
        elif there:
            counts["right" if found else "missed"] += 1
        else:
            counts["wrong" if found else "silent"] += 1
    return Score(**counts)
