"""Scores are honest: no published value is within reach of a run, and what was fitted is marked as fitted."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.fitting import problem_file
from airloom.fitting.problem import overlap
from airloom.papers import given, paper, scorer
from airloom.papers.claim import read_claims
from airloom.papers.fitted import read_fitted
from airloom.papers.value import ends_of
from airloom.scenario.grid import written
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from airloom.api.profile import Profile
    from airloom.papers.paper import Paper, PaperRun
    from airloom.scenario.grid import Overrides

PAPERS = paper.available()

SETS = 5
"""The sets of seeds that a score is over, at least."""

UNITS = {"s": ("s", 1e3), "ms": ("s", 1.0), "us": ("s", 1e-3), "Mbit/s": ("bit/s", 1e3), "kbit/s": ("bit/s", 1.0)}
"""Units that a scenario and a claim may spell differently: the quantity, and how many of its small ones it is."""

COUNTED = {"packets": "packets", "packet": "packets", "MPDUs": "frames", "frames": "frames", "pairs": "", "": ""}
"""Things that are counted; what a scenario counts without a unit is a plain number."""

COINCIDENCES = {
    "bloat.rtt.tsq": {"rto_min", "home", "flush_timeout"},
    "bloat.rtt.fixed": {"home"},
    "pi.saving.p99": {"timeout"},
    "roaming.hostap.supplicant": {"rto_initial", "every"},
    "roaming.mac80211.gap": {"rto_min", "home", "flush_timeout", "interval"},
}
"""Keys that have a claim's value for a reason of their own.

HZ / 5 is 200 ms, in Linux's TCP, mac80211 and ath9k; 250 ms at home between channels are those of a host on a wire; the
firmware below brcmfmac dozes after two seconds (`BRCMF_PS_MAX_TIMEOUT_MS`). A first timeout is a second
(RFC 6298 section 2), and so is a bin of a series; pings of another row come every 200 ms.
"""

NUMBER = re.compile(r"(-?\d[\d_]*(?:\.\d+)?)(?: ([A-Za-z/]+))?")


def quantity(number: float, unit: str) -> tuple[float, str] | None:
    """A number in the smallest unit of what it measures; none of a ratio, which is not put in."""
    if unit in UNITS:
        what, scale = UNITS[unit]
        return round(number * scale, 6), what
    return (round(number, 6), COUNTED[unit]) if unit in COUNTED else None


def resolved(one: Paper, name: str) -> dict[str, str]:
    """All that a run is given, by dotted key."""
    run = one.run(name)
    return given.values(run.scenario, run.overrides, run.seed)


def seed_of(run: PaperRun) -> str:
    """The seed that a run is given."""
    found = re.search(r"^seed = (\d+)$", given.resolved(run.scenario, run.overrides, run.seed), re.MULTILINE)
    assert found
    return found[1]


def different(one: Paper) -> list[str]:
    """A run of each scenario and each place of its grids: runs that differ in their seed are alike."""
    seen = {(run.scenario, tuple(run.overrides)): run.id for run in one.runs.values() if not run.same}
    return list(seen.values())


@pytest.mark.parametrize("name", PAPERS)
def test_no_run_can_read_a_published_value(name: str) -> None:
    one = paper.read(name)
    put_in: dict[tuple[float, str], set[str]] = {}
    for run in different(one):
        for key, value in resolved(one, run).items():
            match = NUMBER.fullmatch(value)
            if match and (found := quantity(float(match[1]), match[2] or "")):
                put_in.setdefault(found, set()).add(key)
    for claim in read_claims(one):
        if claim.input:
            continue
        # An end at zero is none.
        for end in filter(None, dict.fromkeys(ends_of(claim.published) or ())):
            wanted = quantity(end, claim.unit)
            keys = put_in.get(wanted, set()) if wanted else set()
            there = {key for key in keys if key.split(".")[-1] not in COINCIDENCES.get(claim.id, ())}
            assert not there, f"{claim.id} has {end:g} {claim.unit}, and so has {sorted(there)}"


def test_published_values_are_read_in_one_place() -> None:
    readers = {
        str(file.relative_to(ROOT))
        for folder, pattern in (("python", "*.py"), ("papers", "*.py"), ("crates", "*.rs"))
        for file in (ROOT / folder).rglob(pattern)
        if re.search(r"/ \"claims\.toml\"|[\"/]claims\.toml", file.read_text(encoding="utf-8"))
    }
    assert readers == {"python/airloom/papers/claim.py"}


@pytest.mark.sample(3)
@pytest.mark.long
@pytest.mark.parametrize("name", PAPERS)
def test_a_score_is_over_several_sets_of_seeds(name: str) -> None:
    sets = [paper.read(name, seed_set=number) for number in range(1, paper.read(name).seed_sets + 1)]
    assert len(sets) >= SETS
    seeds = [{seed_of(run) for run in one.runs.values() if not run.same} for one in sets]
    assert all(not seeds[i] & seeds[j] for i in range(len(seeds)) for j in range(i))


FITTED = [name for name in PAPERS if read_fitted(paper.read(name))]
"""The papers that a fit has chosen values for."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", FITTED)
def test_values_are_those_of_the_likeliest_world(name: str) -> None:
    """In every run that a claim is computed from, so that nobody chooses; what a paper's runs vary is no unknown."""
    one = paper.read(name)
    found = read_fitted(one)
    assert found
    problem = problem_file.read(one.folder / found["problem"])
    scored = {name for needed in scorer.needed(one) for name in one.runs_of(needed)}
    runs = [one.run(name) for name in different(one) if name in scored]
    for unknown in problem.parameters if found["unknown"] else ():
        likeliest = found["unknown"][unknown.name]["likeliest"]
        value = unknown.choices.get(likeliest, likeliest)
        for key in unknown.keys:
            if key.startswith(paper.AXIS):
                assert set(map(written, choices(one, key))) == {value}, key
                continue
            here = [run for run in runs if key in unknown.keys_in(run.scenario.name)]
            here = [run for run in here if not any(overlap(key, other) for other, _ in run.overrides)]
            assert here, f"{key}: no such key"
            for run in here:
                with_it = resolved_with(run, [(key, value)])
                assert with_it == resolved_with(run, []), f"{run.id}: {key} is not {value}, as in the likeliest world"


def resolved_with(run: PaperRun, besides: Overrides) -> dict[str, str]:
    """All that a run is given, with something set besides."""
    return given.values(run.scenario, [*run.overrides, *besides], run.seed)


@pytest.mark.parametrize("name", FITTED)
def test_a_fit_says_of_each_claim_what_it_is(name: str) -> None:
    one = paper.read(name)
    found = read_fitted(one)
    assert found
    assert set(found["evidence"]) == {claim.id for claim in read_claims(one)}


def choices(one: Paper, key: str) -> list[object]:
    """What an axis' choice sets such a key to, by itself or in a table, in every grid that has it."""
    axes = [axis for part in one.grids.values() for axis in part.grid.axes]
    starts = [(f"{paper.AXIS}{axis.name}.{choice.name}.", choice.sets) for axis in axes for choice in axis.choices]
    return [value for begin, sets in starts if key.startswith(begin) for value in part(sets, key.removeprefix(begin))]


def part(sets: Mapping[str, object], key: str) -> Iterator[object]:
    """What a choice sets a key to, if it does."""
    for of, value in sets.items():
        if of == key:
            yield value
        elif key.startswith(f"{of}."):
            table = value if isinstance(value, dict) else tomllib.loads(f"table = {value}")["table"]
            yield table[key.removeprefix(f"{of}.")]


def profiles_of(values: Mapping[str, str]) -> dict[str, Profile]:
    """The profiles that a run is given, by the dotted keys of what has them."""
    there = airloom.profiles()
    return {
        key.rpartition(".")[0]: there[value]
        for key, value in values.items()
        if key.endswith((".profile", ".scan.by")) and value in there
    }


def test_what_a_profile_calls_calibrated_is_fitted() -> None:
    """What no run of a paper has may name claims that were looked at and fitted to nothing."""
    papers = [paper.read(name) for name in PAPERS]
    fitted = {claim for one in papers if (found := read_fitted(one)) for claim in found["evidence"]}
    known = {claim.id for one in papers for claim in read_claims(one)}
    used = {
        profile.name for one in papers for run in different(one) for profile in profiles_of(resolved(one, run)).values()
    }
    for file in sorted((ROOT / "profiles").rglob("*.toml")):
        there = airloom.profiles()[file.stem].values
        for key, reason in tomllib.loads(file.read_text(encoding="utf-8")).get("calibrated", {}).items():
            assert key in there, f"{file.name} marks {key}, which it does not have"
            named = set(re.findall(r"[a-z]+(?:\.[a-z0-9_]+)+", reason)) & known
            assert named, f"{file.name}: {key} names no claim"
            assert file.stem not in used or named <= fitted, (
                f"{file.name}: {key} was fitted to {sorted(named - fitted)}"
            )
