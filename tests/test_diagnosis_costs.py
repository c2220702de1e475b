"""What findings cost is held against the same world without the cause; what costs most comes first."""

from __future__ import annotations

import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.corpus import worlds
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.self_test import Outcome, Trial, attempt, cost_rows
from airloom.diagnosis.words import cost
from conftest import ROOT
from foreign.worlds import HERE as FOREIGN
from small_cells import cell, flow, station

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Finding
    from airloom.scenario.toml_text import Value

NEAR = 0.25
"""The greatest relative error of a cost."""

OVER = 0.05
"""The most that a cost "at least" may be over the true one, as a part of it."""

CAUSES = {
    "upload, 802.11n at 40 MHz, scans": {"W101", "W108"},
    "upload, 802.11n at 40 MHz, a lossy wire": {"W403"},
    "download, 802.11n at 40 MHz, no aggregation": {"W304"},
    "upload, 802.11g, a small window": {"W401"},
    "upload, 802.11n at 40 MHz, five others": {"W201"},
    "upload, 802.11g, a small send buffer": {"W405"},
    "pings, 802.11n at 20 MHz, power save": {"W102"},
}
"""A few worlds, and whose costs are held against the truth in them."""

SEED = 7

MIN_COSTS = 3
"""Fewer costs have no median that says anything."""


@pytest.fixture(scope="module")
def known() -> dict[str, Outcome]:
    """What came of a few worlds."""
    return {world.name: attempt(Trial(world, SEED, 0.0)) for world in worlds() if world.name in CAUSES}


@pytest.mark.long
@pytest.mark.parametrize("name", CAUSES)
def test_a_cost_is_what_the_world_without_the_cause_has_more(known: dict[str, Outcome], name: str) -> None:
    claims = known[name].claims
    assert {claim.code for claim in claims} == CAUSES[name]
    for claim in claims:
        assert claim.error <= (OVER if claim.at_least else NEAR), claim


def test_what_is_lost_at_most_is_no_less_than_what_is_lost() -> None:
    """Where little goes every segment is acknowledged."""
    world = next(world for world in worlds() if world.name == "upload, 802.11g, a slow wire")
    claims = [claim for claim in attempt(Trial(world, 1, 0.0)).claims if claim.at_most]
    assert claims
    assert all(claim.short == 0 for claim in claims), claims


def test_what_a_scan_costs_leaves_out_the_start_of_the_flow() -> None:
    """The flow needs most of the time before the scan to grow to its rate."""
    world = next(world for world in worlds() if world.name == "download, 802.11n at 40 MHz, scans")
    assert world.without
    link: dict[str, Value] = {"rate": "1 Gbit/s", "delay": "15 ms"}
    far, free = (replace(one, server={**one.server, "link": link}) for one in (world, world.without))
    outcome = attempt(Trial(replace(far, without=free), SEED, 0.0))
    assert {claim.code for claim in outcome.claims} == {"W101", "W108"}
    assert all(claim.error <= NEAR for claim in outcome.claims), outcome.claims


@pytest.mark.nightly
def test_what_a_queue_costs_shows_at_the_receiver_too() -> None:
    """There clock values that come back are many while the queue is short, and few while it is long."""
    world = next(world for world in worlds() if world.name == "both ways, 802.11n at 20 MHz, a long queue")
    outcome = attempt(Trial(world, SEED, 0.0, encrypted=True, server=False))
    assert [claim.code for claim in outcome.claims] == ["W301", "W301"]
    assert all(claim.error <= NEAR for claim in outcome.claims), outcome.claims


def test_others_than_a_slow_station_gain_no_more_than_the_air_carries() -> None:
    """A download to a slow station beside one to a near one, from queues that do not share air time."""
    world = next(world for world in worlds() if world.name == "download, 802.11n at 40 MHz, a slow station")
    assert world.without
    slow: dict[str, Value] = {"from": "server", "to": "slow", "tcp": {"congestion": "cubic"}}
    ap: dict[str, Value] = {**world.ap, "queue": {"discipline": "fq_codel"}}
    ill, well = (replace(one, ap=ap, flows=(one.flows[0], slow)) for one in (world, world.without))
    outcome = attempt(Trial(replace(ill, causes=frozenset({"W202"}), without=well), SEED, 0.0))
    (claim,) = outcome.claims
    assert claim.code == "W202"
    assert claim.error <= NEAR, claim


def test_interference_that_hardly_ever_ends_costs_a_download_at_least_its_part_of_the_time(tmp_path: Path) -> None:
    """Not the air that goes into retries alone: while nothing arrives, nothing else goes. Recovering comes beside."""
    near = station("laptop", "5 m", rate="minstrel")
    calm = cell("Calm", "8 s", near, flow("server", "laptop", 'tcp = { congestion = "cubic" }'), delay="5 ms")
    calm = calm.replace('band = "5 GHz"', 'band = "2.4 GHz"').replace("40 MHz", "20 MHz")
    outages = 'width = "20 MHz"\noutages = { between = "12 ms", lasting = "8 ms", depth = "50 dB" }'
    goodput, found = [], []
    for name, world in (("calm", calm), ("struck", calm.replace('width = "20 MHz"', outages))):
        file = tmp_path / f"{name}.toml"
        file.write_text(world)
        run = airloom.run(file, seed=SEED, out=tmp_path / name, capture=True)
        goodput.append(run.summary["flows"][0]["goodput_mbps"] or 0.0)
        found = [one for one in diagnose([run.path / "air.pcapng"])["findings"] if one["code"] == "W107"]
    (cost,) = (one["cost"] for one in found)
    lost = goodput[0] - goodput[1]
    assert cost["unit"] == "Mbit/s"
    # Requests at 1 Mbit/s that nothing answers are no part of the bursts: else collisions would make bursts.
    assert cost["at_least"]
    assert 0.4 * lost <= cost["value"] <= lost


def test_the_page_has_costs_that_are_right() -> None:
    """`tests/test_pages.py` holds that the table is what the self-test prints."""
    page = (ROOT / "docs" / "diagnose.md").read_text(encoding="utf-8")
    rows = [line.split() for line in page.splitlines() if re.fullmatch(r"W\d{3}(\s+[\d.-]+){9}", line)]
    assert len(rows) >= 12
    for code, costs, median, _, at_least, over, _, at_most, short, _ in rows:
        assert int(costs) + int(at_least) > 0, code
        # Of two, the median is the worse.
        pairs = ((costs, median), (at_least, over), (at_most, short))
        assert all(int(many) < MIN_COSTS or float(error) <= NEAR for many, error in pairs), code


def test_errors_are_quantiles_of_the_claims(known: dict[str, Outcome]) -> None:
    rows = {row["rule"]: row for row in cost_rows(list(known.values()))}
    assert set(rows) == set().union(*CAUSES.values())
    for code, row in rows.items():
        one, none = (row["at_least"], row["about"]) if code in {"W304", "W201"} else (row["about"], row["at_least"])
        assert one["costs"] == 1, code
        assert one["median"] == one["most"]
        assert none == {"costs": 0, "median": None, "most": None}
        assert row["at_most"]["costs"] in {0, 1}


def found(name: str, *places: str) -> list[Finding]:
    """What is found in the captures of a world of ns-3's."""
    return diagnose([FOREIGN / f"{name}.{place}.pcap.gz" for place in places])["findings"]


def test_a_cost_that_does_not_show_is_said_not_to() -> None:
    (alone,) = found("receiver", "station")
    assert alone["cost"]["unknown"]
    assert alone["cost"]["value"] == 0
    (beside,) = found("receiver", "air", "station")
    assert beside["cost"]["unknown"] is None
    assert beside["cost"]["value"] > 0
    # What limits the flow next, if its receiver does not, does not show.
    assert beside["cost"]["at_most"]
    assert cost(beside).startswith("up to ")


def test_what_is_lost_at_least_is_never_said_to_be_less_than_something() -> None:
    (one,) = found("receiver", "air", "station")
    for at_least, said in ((True, "at least 0.07"), (False, "less than 0.1")):
        told: Finding = {**one, "cost": {**one["cost"], "value": 0.07, "at_least": at_least, "at_most": False}}
        assert cost(told).startswith(said)


def test_a_slow_station_comes_before_what_follows_from_it() -> None:
    findings = found("anomaly", "air")
    hog = findings[0]
    assert (hog["code"], hog["below"]) == ("W202", None)
    assert all(one["below"] == 0 for one in findings[1:])
    # It stays at 6 Mbit/s, at 12 dB: nearer it would be as slow.
    assert {one["code"] for one in findings if one["is_reason"]} == {"W104"}


def test_losses_are_told_where_nothing_explains_them() -> None:
    (lost,) = found("wire-loss", "server")
    assert lost["code"] == "W306"
    assert lost["value"] == pytest.approx(8.1, abs=0.5)
    assert {one["code"] for one in found("wire-loss", "air", "server")} == {"W403"}


def test_what_costs_more_comes_first() -> None:
    findings = found("wire-rate", "air")
    assert [one["code"] for one in findings] == ["W403", "W301"]
    assert findings[1]["below"] == 0


def in_24_ghz(standard: str, ill: str, cure: str, *air: str) -> tuple[float, float]:
    """What a slow rate costs an upload by W104, and what it does cost, at 2.4 GHz; `air` are more of its lines."""
    texts = []
    for rate in (ill, cure):
        text = cell("Slow", "10 s", station("lap", "3 m", rate=rate), flow("lap", "server"), delay="10 ms")
        old = {"802.11n": standard, "5 GHz": "2.4 GHz", '"ath9k"': '"dcf"'}
        for before, behind in {**old, 'width = "40 MHz"': "\n".join(['width = "20 MHz"', *air])}.items():
            text = text.replace(before, behind)
        texts.append(text)
    return claimed_and_true(texts[0], texts[1], "W104", "lap")


def claimed_and_true(ill: str, well: str, code: str, *hosts: str) -> tuple[float, float]:
    """The first cost by a rule in Mbit/s, and what the first flow has more in the world without the cause."""
    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for name, text in (("ill", ill), ("well", well)):
            file = Path(folder) / f"{name}.toml"
            file.write_text(text)
            runs.append(airloom.run(file, seed=SEED, out=Path(folder) / name, capture=name == "ill"))
        rates = [run.summary["flows"][0]["goodput_mbps"] for run in runs]
        told = diagnose([runs[0].path / f"{host}.pcapng" for host in ("air", *hosts)])
    claim = next(one["cost"] for one in told["findings"] if one["code"] == code)
    assert claim["unit"] == "Mbit/s"
    return claim["value"], rates[1] - rates[0]


@pytest.mark.parametrize(
    ("standard", "ill", "cure", "air"),
    [
        ("802.11b", "2 Mbit/s", "11 Mbit/s", ()),
        ("802.11g", "6 Mbit/s", "54 Mbit/s", ('slot = "long"',)),
        ("802.11g", "6 Mbit/s", "54 Mbit/s", ('slot = "short"',)),
    ],
)
def test_a_slow_rate_costs_no_more_than_slots_leave(standard: str, ill: str, cure: str, air: tuple[str, ...]) -> None:
    said, true = in_24_ghz(standard, ill, cure, *air)
    assert (1 - NEAR) * true <= said <= (1 + OVER) * true


def test_a_window_costs_what_single_frames_carry() -> None:
    """There is no agreement, so that a larger window has every frame alone as well."""
    lap = station("lap", "3 m", rate="MCS 15").replace(
        'adapter = "ath9k"', 'adapter = { profile = "ath9k", ampdu_frames = 1 }'
    )
    worlds = [
        cell("Window", "10 s", lap, flow("lap", "server", f'tcp = {{ send_buffer_max = "{room}" }}'), delay="25 ms")
        for room in ("128 KiB", "64 MiB")
    ]
    said, true = claimed_and_true(*worlds, "W405", "lap")
    assert abs(said - true) <= NEAR * true


@pytest.mark.nightly
def test_stations_cost_each_other_no_more_than_one_has_alone() -> None:
    """Rate controls try faster rates than those that carry most."""
    many, alone = (
        cell(
            "Share",
            "10 s",
            station("near", "4 m", f"count = {count}", rate="minstrel"),
            flow("server", "near"),
            delay="10 ms",
        )
        .replace("802.11n", "802.11ax")
        .replace('distance = "4 m"', 'snr = "38 dB"')
        .replace('"ath9k"', '"edca-ax"')
        for count in (4, 1)
    )
    said, true = claimed_and_true(many, alone, "W201", "near1")
    assert said <= (1 + OVER) * true
