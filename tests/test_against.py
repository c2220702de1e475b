"""`airloom diagnose --against`: what changed is named, what did not is not, and what cannot be compared says why."""

from __future__ import annotations

import json
import math
import random
import shutil
import struct
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import airloom
from airloom import _engine
from airloom.cli.app import code
from airloom.diagnosis.against.changes import Side, changed, changes
from airloom.diagnosis.against.columns import Columns, by_mpdus
from airloom.diagnosis.against.common import ALL
from airloom.diagnosis.against.datagrams import compared as streams_compared
from airloom.diagnosis.against.explained import HARMS, KINDS, explained, judgement, may_differ
from airloom.diagnosis.against.follows import Changed, Queue, Trips, follows, left, queue_change
from airloom.diagnosis.against.load import Load
from airloom.diagnosis.against.measures import MEASURES
from airloom.diagnosis.against.times import times
from airloom.diagnosis.against.told import against, side_of
from airloom.diagnosis.against.words import because as reason
from airloom.diagnosis.against.words import differs, lead, title
from airloom.diagnosis.reading import captures_in, diagnose_over_time, rules
from airloom.errors import CaptureError
from airloom.support.difference import Estimate, correlated, difference, fieller, independent, welch
from changed_worlds import BASE, PAIRS, Pair, captured, compared

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from airloom.diagnosis.against.changes import Change
    from airloom.diagnosis.against.explained import Cause
    from airloom.diagnosis.against.told import Comparison, SideSeen, TimeSeen
    from airloom.diagnosis.shapes import Diagnosis

LOAD = Load(flows=1, program=0.0, seen_from=("sender",), air=True)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Three runs of a world, and three of the same with short A-MPDUs."""
    out = tmp_path_factory.mktemp("runs")
    short = {"station.laptop.adapter.ampdu_frames": "8"}
    return {
        "long": [captured({}, seed, out / f"long{seed}", "9 s") for seed in (1, 2, 3)],
        "short": [captured(short, seed, out / f"short{seed}", "9 s") for seed in (4, 5, 6)],
    }


@pytest.fixture(scope="module")
def sides(runs: dict[str, list[Path]]) -> dict[str, list[Side]]:
    """The same as they are compared, a side for each run."""
    return {name: [alone(captures_in(run)) for run in of] for name, of in runs.items()}


def alone(captures: Sequence[Path]) -> Side:
    """Captures of a time as they are compared with others that have all of what they have."""
    return side_of([(diagnose_over_time(captures), ALL)]).side


def joined(of: Iterable[Side]) -> Side:
    """Captures of several times as one side."""
    known = list(of)
    return Side(
        [columns for side in known for columns in side.columns], [load for side in known for load in side.loads]
    )


def verdicts(found: list[Change]) -> dict[str, str]:
    return {one["measure"]: one["verdict"] for one in found}


def named(found: list[Change]) -> list[str]:
    return [one["measure"] for one in found if changed(one) and not one["follows_from"]]


@pytest.mark.long
def test_one_thing_that_differs_is_named_and_the_rest_follows_from_it(sides: dict[str, list[Side]]) -> None:
    found = changes(joined(sides["long"]), joined(sides["short"]))
    assert named(found) == ["aggregation"]
    said = verdicts(found)
    assert (said["aggregation"], said["goodput"]) == ("worse", "worse")
    assert said["signal"] == said["absences"] == said["rate"] == "same"
    for one in found:
        if one["interval"]:
            low, high = one["interval"]
            assert one["ratio"] is not None
            assert low <= one["ratio"] <= high
            assert changed(one) <= (not low <= 1 <= high)


def test_the_other_way_round_it_is_the_inverse(sides: dict[str, list[Side]]) -> None:
    there = changes(joined(sides["long"]), joined(sides["short"]))
    back = changes(joined(sides["short"]), joined(sides["long"]))
    for one, other in zip(there, back, strict=True):
        assert {one["verdict"], other["verdict"]} in ({"better", "worse"}, {"same"}, {"cannot tell"})
        if one["ratio"] and other["ratio"]:
            assert one["ratio"] * other["ratio"] == pytest.approx(1)


def test_captures_that_differ_in_their_seeds_show_no_change(sides: dict[str, list[Side]]) -> None:
    for kind in ("long", "short"):
        one, other, third = sides[kind]
        for before, after in (
            (one, other),
            (other, third),
            (joined([one, other]), third),
            (third, joined([one, other])),
        ):
            assert not [change for change in changes(before, after) if changed(change)]


@pytest.mark.nightly
def test_a_world_of_the_table_is_named_as_it_says(tmp_path: Path) -> None:
    pair = next(pair for pair in PAIRS if pair.name == "scans are held off")
    assert named(compared(pair, tmp_path)["changes"]) == [pair.names] == ["absences"]


@pytest.mark.nightly
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_what_differs_is_named_and_nothing_else(pair: Pair, tmp_path: Path) -> None:
    found = compared(pair, tmp_path, seed=1 + 10 * PAIRS.index(pair))["changes"]
    assert named(found) == ([pair.names] if pair.names else [])


def test_a_longer_way_does_not_explain_more_goodput() -> None:
    """A larger window fills a queue and the link: its round trips are longer, and more goes."""
    worse, better = Changed(better=False, by=0.3), Changed(better=True, by=3.5)
    assert "goodput" not in follows({"round trip (median)": worse, "goodput": better}, air_ratio=1.0)
    fell = Changed(better=False, by=-0.3)
    assert follows({"round trip (median)": worse, "goodput": fell}, air_ratio=1.0) == {"goodput": "round trip (median)"}


@pytest.mark.parametrize("cause", ["signal", "absences", "other networks"])
def test_what_happens_on_the_air_explains_what_it_can_cause(cause: str) -> None:
    """A weaker signal brings no goodput."""
    worse, better = Changed(better=False, by=-0.7), Changed(better=True, by=0.7)
    for effect in ("rate", "aggregation", "goodput", "retransmissions", "loss of UDP"):
        assert follows({cause: worse, effect: worse}, air_ratio=1.0) == {effect: cause}
        assert follows({cause: better, effect: better}, air_ratio=1.0) == {effect: cause}
        assert not follows({cause: worse, effect: better}, air_ratio=1.0)
        assert not follows({cause: better, effect: worse}, air_ratio=1.0)
    # Slower round trips may be of less goodput, and no better signal makes them.
    trips = follows({cause: better, "round trip (median)": worse, "goodput": worse}, air_ratio=1.0)
    assert cause not in trips.values()
    both = {cause: worse, "rate": worse, "retries": better}
    assert follows(both, air_ratio=1.0) == {"rate": cause} | ({"retries": cause} if cause == "signal" else {})


def with_stations(signals: tuple[float, float]) -> Side:
    """A capture of a network of two stations with these signals, with as much air each."""
    air = flat(50)
    alone = {
        mac: replace(air, signal=[level + place % 3 / 10 for place in range(400)])
        for mac, level in zip("ab", signals, strict=True)
    }
    whole = [(one + other) / 2 for one, other in zip(*(of.signal for of in alone.values()), strict=True)]
    return Side([replace(air, signal=whole, stations=alone)], [LOAD])


def test_the_station_that_changed_is_named_where_another_did_not() -> None:
    for before, after, named in (
        ((-50, -50), (-50, -70), ["b"]),
        ((-50, -50), (-60, -70), []),
        ((-50, -50), (-50, -50), []),
    ):
        signal = changes(with_stations(before), with_stations(after))[0]
        assert signal["measure"] == "signal"
        assert signal["stations"] == named
        assert (changed(signal), "of which b alone changed so" in reason(signal)) == (before != after, named == ["b"])


def test_what_only_one_side_shows_cannot_be_compared(sides: dict[str, list[Side]], runs: dict[str, list[Path]]) -> None:
    for one in changes(sides["long"][0], alone([runs["short"][0] / "laptop.pcapng"])):
        if one["measure"] in ("rate", "retries", "aggregation", "absences"):
            assert (one["verdict"], one["because"]) == ("cannot tell", "no capture of the air after")


def wandering(seed: int, alike: float, bins: int = 480) -> Side:
    """A side with a single capture whose measures wander about their means, neighbouring bins as alike as it says."""
    chance = random.Random(seed)  # noqa: S311 - a simulation

    def line(middle: float, about: float) -> list[float | None]:
        off, found = chance.gauss(0, about), []
        for _ in range(bins):
            found.append(max(0.0, middle + off))
            off = alike * off + math.sqrt(1 - alike**2) * chance.gauss(0, about)
        return list(found)

    columns = Columns(
        width=0.32,
        goodput=line(100, 30),
        rtt=line(20, 8),
        rtt_most=line(40, 15),
        again=line(2000, 2000),
        rate=line(140, 10),
        retries=line(12, 5),
        size=line(20, 5),
        mpdus=line(500, 50),
        signal=line(50, 3),
        air=line(80, 10),
        foreign=line(5, 5),
        away=line(10, 10),
    )
    return Side([columns], [LOAD])


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("alike", "bins", "many"), [(0.0, 480, 100), (0.9, 480, 100), (0.95, 480, 100), (0.0, 48, 400)]
)
def test_of_pairs_that_do_not_differ_five_in_a_hundred_at_most_show_a_change(
    alike: float, bins: int, many: int
) -> None:
    """Captures of one length, and one that is a tenth as long as the other."""
    wrong = sum(
        any(changed(one) for one in changes(wandering(2 * pair, alike), wandering(2 * pair + 1, alike, bins)))
        for pair in range(many)
    )
    assert wrong <= 0.05 * many


def flat(goodput: float, seconds: float = 20.0) -> Columns:
    bins = int(seconds / 0.05)
    line: list[float | None] = [goodput + (place % 7) / 100 for place in range(bins)]
    some: list[float | None] = [10.0 + (place % 5) / 100 for place in range(bins)]
    return Columns(0.05, line, some, some, [0.0] * bins, some, some, some, some, some, some, some, some)


def test_retries_are_a_share_of_all_mpdus_however_many_a_bin_has() -> None:
    assert by_mpdus([10.0, None, 1.0, 50.0], [300.0, None, 100.0, 0.0]) == 31 / 4
    assert by_mpdus([None, 5.0], [10.0, None]) is None
    of = flat(50)
    few = replace(of, retries=[0.0, 10.0] * 200, mpdus=[1.0, 99.0] * 200)
    assert [few.wider(2).retries[0], few.wider(2).mpdus[0]] == [9.9, 100.0]


def test_what_follows_from_the_load_is_not_compared_where_that_differs() -> None:
    def side(goodput: float, flows: int = 1, program: float | None = 0.0) -> Side:
        return Side([flat(goodput)], [Load(flows, program, ("sender",), air=True)])

    for before, after, because in (
        (side(50), side(4, program=0.9), "nothing to send 0% of the time before, 90% after"),
        (side(50), side(20, flows=3), "1 flow before, 3 after"),
    ):
        goodput = next(one for one in changes(before, after) if one["measure"] == "goodput")
        assert goodput["verdict"] == "cannot tell"
        assert because in goodput["because"]
    even = changes(side(4, program=0.9), side(4, program=0.9))
    assert verdicts(even)["goodput"] == "same", "as fast with the same program"
    assert verdicts(changes(side(50), side(20)))["goodput"] == "worse"


def test_what_is_seen_so_far_from_the_senders_changed_unless_there_was_less_to_send() -> None:
    def side(goodput: float, program: float | None) -> Side:
        return Side([flat(goodput)], [Load(1, program, ("receiver",), air=True)])

    found = changes(side(60, None), side(20, None))
    goodput = next(one for one in found if one["measure"] == "goodput")
    assert goodput["verdict"] == "worse"
    unless = "unless the programs had more or less to send, which does not show so far from the senders"
    assert goodput["unless"] == unless
    assert reason(goodput).endswith(f"; {unless}")
    seen: SideSeen = {"times": []}
    assert unless in lead({"before": seen, "after": seen, "changes": found})
    assert all(one["unless"] is None for one in changes(side(60, 0.0), side(20, 0.0)))


SCANNED = (67, 62, 75, 99, 101, 99, 101, 98, 99, 100, 99, 101, 101, 61, 63, 94)
"""Mbit/s of an upload in sixteenths of half a minute with two scans of 13 channels."""


def test_two_captures_that_have_nothing_in_common_show_a_change() -> None:
    """Neighbouring stretches are alike, but none of one capture is like any of the other."""

    def side(share: float) -> Side:
        line: list[float | None] = [share * step + place % 3 / 10 for step in SCANNED for place in range(40)]
        return Side([replace(flat(1, 32.0), goodput=line)], [LOAD])

    assert verdicts(changes(side(1.0), side(0.22)))["goodput"] == "worse"
    assert verdicts(changes(side(0.22), side(1.0)))["goodput"] == "better"
    assert verdicts(changes(side(1.0), side(0.9)))["goodput"] == "cannot tell"


def test_round_trips_seen_from_elsewhere_and_short_captures_are_not_compared() -> None:
    near, far = Side([flat(50)], [LOAD]), Side([flat(20)], [Load(1, 0.0, ("receiver",), air=True)])
    trips = next(one for one in changes(near, far) if one["measure"] == "round trip (median)")
    assert trips["verdict"] != "worse"
    short = Side([flat(20, 3.0)], [LOAD])
    goodput = next(one for one in changes(near, short) if one["measure"] == "goodput")
    assert (goodput["verdict"], goodput["before"] is not None) == ("cannot tell", True)
    assert goodput["because"] == "too short: one capture needs somewhat more than 8 seconds of data"


def test_captures_that_are_all_alike_show_no_chance() -> None:
    """Two with the same value, and one with another: how much captures vary does not show."""
    sides = Side([flat(50)] * 2, [LOAD] * 2), Side([flat(20)], [LOAD])
    change = next(one for one in changes(*sides) if one["measure"] == "goodput")
    assert change["verdict"] == "cannot tell"
    assert "how much it varies by itself does not show" in change["because"]


def test_a_difference_has_welchs_interval() -> None:
    before, after = independent([20.0, 22.0, 24.0]), independent([30.0, 30.5, 31.0, 31.5])
    assert (before.mean, before.freedom) == (22.0, 2)
    assert before.variance == pytest.approx(4 / 3)
    freedom = welch(before, after)
    assert freedom == pytest.approx((4 / 3 + 5 / 48) ** 2 / ((4 / 3) ** 2 / 2 + (5 / 48) ** 2 / 3))
    found = difference(before, after, 0.05, freedom)
    margin = 4.302652729911275 * math.sqrt(4 / 3 + 5 / 48)
    assert list(found.difference_interval) == pytest.approx([8.75 - margin, 8.75 + margin])


FINITE = st.floats(0.01, 1000)


@given(FINITE, FINITE, st.floats(0, 100), st.floats(0, 100), st.floats(1, 20))
def test_a_ratio_has_one_in_its_interval_if_the_difference_has_zero(
    one: float, other: float, first: float, second: float, t: float
) -> None:
    found = fieller(Estimate(one, first, 5), Estimate(other, second, 5), t)
    assume(found is not None)
    assert found is not None
    low, high = found
    assume(min(abs(low - 1), abs(high - 1)) > 1e-6)
    assert (low <= 1 <= high) == (abs(other - one) <= t * math.sqrt(first + second))
    assert low <= other / one * (1 + 1e-9)
    assert high >= other / one * (1 - 1e-9)


def test_no_ratio_of_what_is_never_negative_lies_below_zero() -> None:
    """Retransmissions of nearly nothing that vary by as much: a factor of -0.5 is none."""
    found = difference(Estimate(0.20, 0.001, 4), Estimate(0.15, 0.004, 4), 0.05, 4)
    assert found.difference_interval[0] < -0.20
    assert found.ratio_interval is not None
    low, high = found.ratio_interval
    assert (low, high > 1) == (0.0, True)
    gone = fieller(Estimate(1000.0, 1.0, 4), Estimate(0.0, 0.01, 4), 2.0)
    assert gone is not None
    assert list(gone) == pytest.approx([0.0, 0.0002], rel=0.01)


def test_stretches_that_are_alike_tell_less() -> None:
    climbing = [float(value) for value in range(10)]
    mixed = climbing[::3] + climbing[1::3] + climbing[2::3]
    assert correlated(climbing).variance > 3 * independent(climbing).variance
    assert correlated(climbing).freedom < 9
    assert correlated(mixed).variance <= 2 * independent(mixed).variance
    assert correlated([1.0, -1.0] * 5).variance == independent([1.0, -1.0] * 5).variance
    assert correlated([2.0] * 10) == Estimate(2.0, 0.0, 9)


def test_folders_are_one_time_each_and_files_are_if_they_overlap(
    runs: dict[str, list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = runs["long"][:2]
    assert [len(group) for group in times([one, other])] == [3, 3]
    files = [one / "air.pcapng", one / "laptop.pcapng", other / "air.pcapng"]
    spans = dict(zip(files, ((100, 200), (150, 250), (300, 400)), strict=True))
    monkeypatch.setattr("airloom._engine.capture_span", spans.get)
    assert times([files[2], files[0], files[1]]) == [files[:2], [files[2]]]
    assert times([runs["short"][0], files[0], files[2]])[1:] == [[files[0]], [files[2]]]


def test_the_command_prints_and_writes_it(
    runs: dict[str, list[Path]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    laptops = [[str(run / "laptop.pcapng") for run in runs[kind][:1]] for kind in ("long", "short")]
    words = ["diagnose", *laptops[0], "--against", *laptops[1]]
    assert code([*words, "-o", str(tmp_path / "page")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "What changed: " in said
    assert "goodput: worse" in said
    assert "aggregation; air time: no capture of the air before and none after" in said
    assert "written: " in said
    assert code([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["schema", "before", "after", "changes"]
    assert told["schema"] == "airloom-against/1"
    assert {"schema": "airloom-against/1", **airloom.against(laptops[0], laptops[1])} == told
    assert json.loads((tmp_path / "page" / "against.json").read_text()) == told
    page = (tmp_path / "page" / "report.html").read_text()
    assert "<script" not in page
    assert page.count('class="effect"') == sum(one["interval"] is not None for one in told["changes"])
    assert code([*words, "-o", str(tmp_path / "page")]) == 2, "a page is not replaced"


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--against", "RUN"], "airloom diagnose BEFORE --against AFTER"),
        (["RUN", "--against"], "needs a value for --against"),
        (["RUN", "--against", "RUN"], "is before and after"),
        (["RUN", "--against", "COPY"], "COPY/air.pcapng: has the same content as "),
        (["RUN", "COPY", "--against", "OTHER"], "give each capture once"),
        (["RUN", "--against", "NONE"], "NONE"),
        (["RUN", "--against", "EMPTY"], "has no capture in it"),
        (["RUN", "--against", "TEXT"], "TEXT"),
        (["RUN", "--against", "TEXT", "HOLLOW"], "TEXT"),
        (["RUN", "--against", "HOLLOW", "HOLLOW2"], "HOLLOW: has no record"),
        (["RUN", "--against", "OTHER", "--fail-on", "any"], "--fail-on is not about what changed"),
        (["--against", "RUN", "--rules"], "--rules is not about what changed"),
    ],
)
def test_a_mistake_is_said_in_a_line(
    words: list[str], says: str, runs: dict[str, list[Path]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "EMPTY").mkdir()
    (tmp_path / "TEXT").write_text("no capture")
    for name in ("HOLLOW", "HOLLOW2"):
        (tmp_path / name).write_bytes(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    places = {"RUN": runs["long"][0], "OTHER": runs["long"][1]}
    shutil.copytree(runs["long"][0], tmp_path / "COPY")
    places |= {name: tmp_path / name for name in ("COPY", "NONE", "EMPTY", "TEXT", "HOLLOW", "HOLLOW2")}
    assert code(["diagnose", *(str(places.get(word, word)) for word in words)]) == 2
    assert says in capsys.readouterr().err


def test_records_around_findings_are_not_read_for_a_comparison(
    runs: dict[str, list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file is read once."""
    monkeypatch.delattr("airloom._engine.diagnose_closely")
    assert against(runs["long"][:1], runs["short"][:1])["changes"]


def test_captures_on_both_sides_are_refused_by_their_names(runs: dict[str, list[Path]]) -> None:
    one = runs["long"][0]
    with pytest.raises(CaptureError, match="is before and after"):
        against([one], [one / "air.pcapng"])


def test_a_signal_in_whole_decibels_that_never_varies_is_compared() -> None:
    """Three captures a side, each of one signal: what is rounded is off by half a decibel at most."""
    lines: list[list[list[float | None]]] = [[[level] * 400 for _ in range(12)] for level in (-47.0, -74.0)]
    near, far = (Columns(0.05, *of) for of in lines)
    signal = next(one for one in changes(Side([near] * 3, [LOAD] * 3), Side([far] * 3, [LOAD] * 3)))
    assert (signal["measure"], signal["verdict"]) == ("signal", "worse")
    same = next(one for one in changes(Side([near] * 3, [LOAD] * 3), Side([near] * 3, [LOAD] * 3)))
    assert same["verdict"] == "same"


def pinged(before: tuple[float, float], after: tuple[float, float], load: Load = LOAD) -> list[Change]:
    """What is said of two captures whose pings took so many ms, of which so many of a hundred were lost."""

    def side(trip: float, lost: float) -> Side:
        trips: list[float | None] = [trip + place % 5 / 10 if place % 4 == 0 else None for place in range(400)]
        asked: list[float | None] = [float(place % 4 == 0) for place in range(400)]
        silent: list[float | None] = [one and lost / 100 * (0.9 + place % 3 / 10) for place, one in enumerate(asked)]
        answered: list[float | None] = [(one or 0.0) - (none or 0.0) for one, none in zip(asked, silent, strict=True)]
        of = replace(flat(50), ping=trips, ping_answered=answered, ping_lost=silent)
        return Side([of], [replace(load, pings=1)])

    return changes(side(*before), side(*after))


def test_pings_are_compared_and_follow_from_what_tcp_waits_for() -> None:
    assert not [one for one in changes(Side([flat(50)], [LOAD]), Side([flat(50)], [LOAD])) if "ping" in one["measure"]]
    said = verdicts(pinged((10, 0), (30, 8)))
    assert [said[name] for name in ("ping (median)", "ping (95 % of the means)", "loss of pings")] == ["worse"] * 3
    assert set(verdicts(pinged((10, 4), (10, 4))).values()) == {"same"}
    worse = Changed(better=False, by=1.0)
    assert follows({"round trip (median)": worse, "ping (median)": worse}, 1.0) == {
        "ping (median)": "round trip (median)"
    }
    assert follows({"ping (median)": worse, "ping (95 % of the means)": worse}, 1.0) == {
        "ping (95 % of the means)": "ping (median)"
    }


def test_a_stream_that_waits_is_compared_as_one_that_does_not() -> None:
    """A call behind a queue comes at no even pace: to leave it out for that would hide what became of it."""

    def many(**call: object) -> int:
        stream = {"tells_most": True, "packets": 600, "bytes": 103_200, "lasted_s": 12.0, "steady": True} | call
        flow = {"tells_most": True, "bytes": 43_000_000}
        return len(streams_compared(cast("Diagnosis", {"connections": [flow], "streams": [stream]})))

    assert many() == many(steady=False) == many(steady=False, packets=592, lasted_s=11.9) == 1
    assert many(packets=80) == 0, "keepalives"
    assert many(packets=60, lasted_s=0.1) == 0, "questions at once"


def test_pings_behind_another_load_are_not_compared() -> None:
    one = replace(flat(50), ping=[10.0] * 400, ping_answered=[1.0] * 400, ping_lost=[0.0] * 400)
    other = replace(one, ping=[30.0] * 400)

    def said(before: Load, after: Load) -> str:
        found = changes(
            Side([one] * 2, [before] * 2),
            Side([replace(other, ping=[30.0 + many] * 400) for many in (0, 1)], [after] * 2),
        )
        return next(of["because"] for of in found if of["measure"] == "ping (median)")

    idle = Load(flows=0, program=None, seen_from=(), air=False, pings=1)
    assert "rises" in said(idle, idle), "without any TCP"
    assert "no TCP flow is on both sides" in said(idle, replace(LOAD, pings=1))
    assert "1 flow before, 2 after" in said(replace(LOAD, pings=1), replace(LOAD, pings=1, flows=2))
    assert "1 pair of hosts with pings before, 2 after" in said(idle, replace(idle, pings=2))


def test_pings_of_a_capture_are_counted_by_when_they_were_asked(tmp_path: Path) -> None:
    text = BASE.format(duration="2 s") + (
        '[[flow]]\nkind = "ping"\nname = "ping"\nfrom = "laptop"\nto = "server"\ninterval = "50 ms"\n'
    )
    _engine.run(text, "base.toml", [("flow.0.stop", "1 s")], 1, tmp_path / "run", capture=(0, 0, 2**63 - 1))
    of = alone(captures_in(tmp_path / "run"))
    assert of.loads[0].pings == 1
    asked, lost = (sum(filter(None, line)) for line in (of.columns[0].ping_answered, of.columns[0].ping_lost))
    assert (asked >= 19, lost) == (True, 0)
    assert min(filter(None, of.columns[0].ping)) > 10, "twice the wire's 5 ms"


def time_with(*causes: Cause, unsure: Sequence[str] = (), suspects: Sequence[str] = ()) -> TimeSeen:
    """Captures of one time, with what rules say of them."""
    codes = [one["code"] for one in causes]
    unknown = [*unsure, *suspects]
    return {
        "files": ["a"],
        "data_s": 20.0,
        "findings": codes,
        "causes": list(causes),
        "unsure": unknown,
        "suspects": list(suspects),
    }


def cause(code: str, mbps: float | None = None, below: Sequence[str] = (), *, at_most: bool = False) -> Cause:
    return {"code": code, "mbps": mbps, "at_most": at_most, "below": list(below)}


def first_words(before: list[TimeSeen], after: list[TimeSeen], goodput: tuple[float, float] = (60, 20)) -> str:
    """What is said first of captures with so much goodput and these findings."""
    found = changes(*(Side([flat(of)], [LOAD]) for of in goodput))
    for one in found:
        one["explained_by"], one["may_explain"] = explained(one, before, after)
    told = lead({"before": {"times": before}, "after": {"times": after}, "changes": found})
    return told.partition(". What changed")[0]


def test_the_finding_of_one_side_alone_that_explains_a_change_is_named_first() -> None:
    nothing, short = time_with(), time_with(cause("W304"))
    worse = "Worse: goodput (60.0 to 20.0 Mbit/s); "
    assert first_words([nothing], [short]) == (
        f"{worse}what explains it was found only after: no or short aggregation (W304)"
    )
    assert first_words([short], [nothing], (20, 60)) == (
        "Better: goodput (20.0 to 60.0 Mbit/s); what explains it was found only before: no or short aggregation (W304)"
    )
    unsure = time_with(unsure=["W304"])
    assert first_words([unsure], [short]) == (
        f"{worse}what may explain it was found after, and cannot be told before: no or short aggregation (W304)"
    )
    bound = time_with(cause("W304", 30.0, at_most=True))
    assert first_words([nothing], [bound]) == (
        f"{worse}what may explain it was found only after, and may cost less than is told: "
        "no or short aggregation (W304)"
    )


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ([], [], "nothing was found"),
        (["W304"], ["W304"], "it is there before as well"),
        (["W304"], [], "what went away makes nothing worse"),
        ([], ["W301"], "a queue takes no goodput"),
        ([], ["W001"], "a monitor that misses frames harms nobody"),
    ],
)
def test_what_does_not_explain_a_change_is_not_named(before: list[str], after: list[str], why: str) -> None:
    sides = [[time_with(*map(cause, codes))] for codes in (before, after)]
    said = first_words(sides[0], sides[1])
    assert said == "Worse: goodput (60.0 to 20.0 Mbit/s); none of the findings explains it", why


def test_what_costs_too_little_or_is_not_there_each_time_or_follows_does_not_explain_a_change() -> None:
    nothing = time_with()
    none = "none of the findings explains it"
    assert first_words([nothing], [time_with(cause("W304", 4.0))]).endswith(none)
    assert first_words([nothing], [time_with(cause("W304", 30.0))]).endswith("(W304)")
    assert first_words([nothing], [time_with(cause("W304")), nothing]).endswith(none)
    both = time_with(cause("W105"), cause("W302", below=["W105"]))
    assert first_words([nothing], [both]).endswith("only after: weak signal (W105)")
    assert first_words([time_with(cause("W105"))], [both]).endswith("only after: reorder hole (W302)")


def test_what_is_amiss_on_the_worse_side_alone_is_told_where_no_finding_explains_it() -> None:
    nothing, oven = time_with(unsure=["W107"]), time_with(suspects=["W107"])
    none = "none of the findings explains it"
    after = f"{none}; something is amiss only after, and what cannot be told: interference (W107)"
    assert first_words([nothing], [oven]).endswith(after)
    assert first_words([oven], [nothing], (20, 60)).endswith(after.replace("after", "before"))
    for before, later in (([oven], [oven]), ([nothing], [oven, nothing]), ([time_with(cause("W107"))], [oven])):
        assert first_words(before, later).endswith(none)


def test_what_no_finding_explains_is_said_beside_what_one_does() -> None:
    """Its direction and its values are told nowhere else."""
    names = ("goodput", "round trip (median)")
    ones = [one for one in changes(*(Side([flat(of)], [LOAD]) for of in (60, 20))) if one["measure"] in names]
    trip, goodput = ones
    side: SideSeen = {"times": [time_with()]}
    told: Comparison = {"before": side, "after": side, "changes": ones}
    trip["verdict"], trip["before"], trip["after"] = "worse", 20.0, 60.0
    both = "Worse: goodput (60.0 to 20.0 Mbit/s) and round trip (median) (20 to 60 ms); "
    assert differs(told, [goodput, trip]) == [f"{both}none of the findings explains them."]
    trip["explained_by"] = ["W301"]
    assert differs(told, [goodput, trip]) == [
        "Worse: goodput (60.0 to 20.0 Mbit/s); none of the findings explains it.",
        "Worse: round trip (median) (20 to 60 ms); what explains it was found only after: standing queue (W301).",
    ]


def test_every_rule_says_what_it_harms() -> None:
    assert set(HARMS) == {rule["code"] for rule in rules() if not rule["code"].startswith("W0")}
    known = {measure for measures in KINDS.values() for measure in measures}
    assert known <= {measure.name for measure in MEASURES}


@pytest.mark.nightly
def test_a_scan_that_is_held_off_is_what_explains_it(tmp_path: Path) -> None:
    """One capture a side: what changed may be chance, and the finding is named all the same."""
    pair = replace(next(pair for pair in PAIRS if pair.name == "scans are held off"), times=1)
    told = compared(pair, tmp_path)
    assert "scan absence (W101)" in lead(told).partition(" The same:")[0]
    goodput = next(one for one in told["changes"] if one["measure"] == "goodput")
    assert goodput["explained_by"] == ["W101"]
    assert told["before"]["times"][0]["causes"][0]["code"] == "W101"


def test_a_large_difference_that_may_be_chance_is_said_with_both_values() -> None:
    """One capture a side: no reader takes half the goodput for no change."""
    seen: SideSeen = {"times": [time_with()]}
    found = changes(wandering(1, 0.9), wandering(2, 0.9))
    goodput = next(one for one in found if one["measure"] == "goodput")
    assert goodput["verdict"] == "cannot tell"
    goodput["before"], goodput["after"] = 100.0, 51.0
    told: Comparison = {"before": seen, "after": seen, "changes": found}
    said = lead(told)
    assert "No change shows" not in said + title(told)
    assert "goodput (100 to 51 Mbit/s)" in said
    assert said.endswith("There is one capture a side; at least three of each side would tell.")


def test_that_round_trips_are_shorter_is_not_said_before_goodput_that_may_have_fallen() -> None:
    seen: SideSeen = {"times": [time_with()]}
    found = changes(wandering(1, 0.9), wandering(2, 0.9))
    goodput, trip = (next(one for one in found if one["measure"] == of) for of in ("goodput", "round trip (median)"))
    assert goodput["verdict"] == "cannot tell"
    goodput["before"], goodput["after"], goodput["explained_by"] = 100.0, 65.0, ["W302"]
    trip["verdict"], trip["before"], trip["after"] = "better", 38.0, 28.0
    told: Comparison = {"before": seen, "after": seen, "changes": found}
    assert lead(told).startswith(
        "Whether there is a change cannot be told of goodput (100 to 65 Mbit/s). Found only after: reorder hole "
        "(W302), which would explain goodput. Better: round trip (median) (38 to 28 ms); none of the findings"
    )
    # What is sure of the goodput comes before what may be chance of the delay.
    goodput["verdict"], trip["verdict"] = "worse", "cannot tell"
    assert lead(told).startswith("Worse: goodput")


def test_of_a_side_without_tcp_nobody_asks_from_where_its_packets_were_seen() -> None:
    idle = Load(flows=0, program=None, seen_from=(), air=True)
    found = changes(Side([flat(60)] * 2, [idle] * 2), Side([flat(20)] * 2, [LOAD] * 2))
    assert "nowhere" not in " ".join(one["because"] for one in found)


def test_a_capture_that_shows_a_measure_in_a_part_of_its_time_is_not_too_short() -> None:
    line: list[float | None] = [10.0 + place % 3 if place < 300 else None for place in range(400)]
    sides = Side([replace(flat(50), rate=line)], [LOAD]), Side([flat(50)], [LOAD])
    rate = next(one for one in changes(*sides) if one["measure"] == "rate")
    assert (rate["verdict"], "too short" in rate["because"], "has no value" in rate["because"]) == (
        "cannot tell",
        False,
        True,
    )


def test_short_ppdus_of_a_shallow_queue_are_no_cause() -> None:
    """A FIFO of 25 packets: as much less waits as goes together."""
    worse, better = Changed(better=False, by=math.log(0.33)), Changed(better=True, by=math.log(0.85))
    changed = {
        "retries": Changed(better=True, by=math.log(0.77)),
        "aggregation": worse,
        "air time": Changed(better=False, by=math.log(1.11)),
        "round trip (median)": better,
        "goodput": Changed(better=False, by=math.log(0.66)),
    }
    shallow = queue_change(Trips(50.3, 63.7, 92.6), Trips(50.3, 54.1, 61.3))
    found = follows(changed, 0.9, shallow)
    assert found == dict.fromkeys(("retries", "aggregation", "air time"), "round trip (median)")
    half = {"aggregation": (False, -0.339), "round trip (median)": (True, -0.139)}
    less = {name: Changed(better=better, by=by) for name, (better, by) in half.items()}
    assert follows(less, 1.0, Queue(-0.304, way=False)) == {"round trip (median)": "aggregation"}, (
        "what waits was in it"
    )
    limited = queue_change(Trips(16.2, 31.7, 185.0), Trips(16.5, 39.3, 71.3))
    longer = Changed(better=False, by=math.log(1.24))
    slower = changed | {"aggregation": Changed(better=False, by=math.log(0.1)), "round trip (median)": longer}
    assert follows(slower, 0.9, limited)["goodput"] == "aggregation"


def test_a_queue_that_is_served_more_slowly_follows_from_the_goodput() -> None:
    changed = {
        "round trip (median)": Changed(better=False, by=math.log(1.26)),
        "goodput": Changed(better=False, by=math.log(0.64)),
    }
    served = queue_change(Trips(17.0, 38.1, 98.2), Trips(17.0, 47.8, 62.4))
    assert follows(changed, 0.9, served) == {"round trip (median)": "goodput"}
    farther = queue_change(Trips(17.0, 38.1, 98.2), Trips(27.0, 47.8, 62.4))
    assert follows(changed, 0.9, farther) == {"goodput": "round trip (median)"}


def test_uploads_are_not_compared_with_downloads() -> None:
    there, back = (replace(LOAD, ways=frozenset([way])) for way in (("laptop", "server"), ("server", "laptop")))
    found = changes(Side([flat(50)], [there]), Side([flat(20)], [back]))
    goodput = next(one for one in found if one["measure"] == "goodput")
    why = "the load differs: data goes from laptop to server before, from server to laptop after"
    assert (goodput["verdict"], goodput["because"]) == ("cannot tell", why)
    assert verdicts(found)["rate"] == "cannot tell"
    side: SideSeen = {"times": [time_with()]}
    assert f"is not compared: {why}." in lead({"before": side, "after": side, "changes": found})


def test_findings_about_others_explain_how_the_air_is_shared_alone() -> None:
    mac, other = "02:00:00:00:00:02", "02:00:00:00:00:03"
    cost = {"value": 40.0, "unit": "Mbit/s", "unknown": None, "at_least": False, "at_most": False}
    findings = [
        {"code": code, "subject": subject, "below": None, "cost": cost}
        for code, subject in (("W105", f"02:00:00:00:00:01 to {other}"), ("W202", other), ("W104", mac))
    ]
    found = cast("Diagnosis", {"findings": findings, "abstained": []})
    assert [one["code"] for one in judgement(found, frozenset([other]))["causes"]] == ["W202", "W104"]


def test_a_difference_of_no_interest_asks_for_no_reason() -> None:
    found = changes(*(Side([flat(of, 3.0)], [LOAD]) for of in (60, 20)))
    again = next(one for one in found if one["measure"] == "retransmissions")
    assert again["verdict"] == "cannot tell"
    again["before"], again["after"] = 0.010, 0.012
    assert not may_differ(again)
    again["after"] = 1.0
    assert may_differ(again)


def test_a_cause_takes_enough_of_the_time_for_what_follows_from_it() -> None:
    """An oven holds half of the air: its retries, 5.7 to 8.3 % of the MPDUs, take 3 % of it."""
    changed = {
        "retries": Changed(better=False, by=math.log(8.31 / 5.71)),
        "round trip (median)": Changed(better=False, by=math.log(1.25)),
        "round trip (95 % of the longest)": Changed(better=False, by=math.log(1.55)),
        "goodput": Changed(better=False, by=math.log(0.48)),
    }
    takes = {"retries": left(5.71, 8.31)}
    assert takes["retries"] == pytest.approx(0.028, abs=0.001)
    queue = queue_change(Trips(20.3, 28.2, 23.5), Trips(20.3, 35.1, 11.3))
    for air_ratio in (0.48, 1.0):
        found = follows(changed, air_ratio, queue, takes)
        assert not {"retries", "goodput"} & set(found), "neither follows from the other"
        assert found["round trip (median)"] == "goodput"
    less = changed | {"goodput": Changed(better=False, by=math.log(0.85))}
    assert follows(less, 1.0, queue, {"retries": left(8, 20)})["goodput"] == "retries"
    idle = follows(less, 0.5, queue, {"retries": left(8, 20)})
    assert "goodput" not in idle, "the air that is idle is not what limits it"


@pytest.mark.parametrize("cause", ["absences", "other networks", "other stations"])
def test_what_takes_a_tenth_of_the_time_does_not_halve_the_goodput(cause: str) -> None:
    worse, halved = Changed(better=False, by=0.7), Changed(better=False, by=math.log(0.5))
    changed = {cause: worse, "goodput": halved, "goodput of UDP": halved}
    assert follows(changed, 1.0, None, {cause: left(0, 10)}) == {}
    assert follows(changed, 1.0, None, {cause: left(0, 50)}) == dict.fromkeys(("goodput", "goodput of UDP"), cause)


def test_more_goodput_makes_nothing_worse() -> None:
    """What PPDUs hold did not change, so nothing shows that they are of what waits for them."""
    worse = {name: Changed(better=False, by=math.log(by)) for name, by in (("air time", 1.5), ("retries", 1.4))}
    changed = worse | {"goodput": Changed(better=True, by=math.log(1.3))}
    assert follows(changed, 0.95, queue_change(Trips(10, 20, 100), Trips(10, 20.3, 130))) == {}
    shrinking = changed | {"aggregation": Changed(better=False, by=math.log(0.9))}
    for air_ratio, of_queue in ((0.5, None), (0.95, Queue(math.log(0.8), way=False))):
        assert set(follows(shrinking, air_ratio, of_queue)) <= {"retries"}
