"""What `airloom diagnose` says of the air, beside the same worlds without the cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from airloom.results.bundle import AIR
from test_diagnosis_sound import MAC80211, down, strong
from test_diagnosis_worlds import AC, N20, G, played, station

if TYPE_CHECKING:
    from pathlib import Path

    import airloom
    from airloom.diagnosis.shapes import Finding
    from airloom.scenario.toml_text import Value

NEAR = 0.25
"""The greatest relative error of a cost."""

FIFO: dict[str, Value] = {"queue": {"discipline": "fifo", "limit": "1000 packets"}}


def findings(run: airloom.Run, *names: str) -> list[Finding]:
    """What is found in some captures of a run."""
    return diagnose([run.path / name for name in names])["findings"]


def goodput(run: airloom.Run, name: str) -> float:
    """What a flow carried, in Mbit/s."""
    return next(flow["goodput_mbps"] or 0.0 for flow in run.summary["flows"] if flow["name"] == name)


def median(run: airloom.Run, name: str) -> float:
    """The median round trip of a flow, in ms."""
    return next(flow.get("rtt_median_ms") or 0.0 for flow in run.summary["flows"] if flow["name"] == name)


@pytest.mark.sample(1)
@pytest.mark.parametrize("two", [False, True], ids=["one download", "two"])
def test_a_queue_costs_what_a_short_one_would_spare(two: bool, tmp_path: Path) -> None:
    """Round trips beside a short queue are longer than the shortest of all, too: PPDUs come and go."""
    stations = [station("near", rate="minstrel"), station("far", rate="minstrel", distance="16 m")][: 1 + two]
    flows = [down(str(one["name"]), name=str(one["name"])) for one in stations]
    ill, well = (
        played(tmp_path / name, stations, *flows, delay="10 ms", air=N20, ap=ap, duration="8 s", seed=7)
        for name, ap in (("ill", FIFO), ("well", MAC80211))
    )
    for capture in ("server.pcapng", "near.pcapng"):
        (queue,) = [one for one in findings(ill, capture) if one["code"] == "W301" and "10.0.0.1:" in one["subject"]]
        true = median(ill, "near") - median(well, "near")
        assert abs(queue["cost"]["value"] - true) <= NEAR * true, (capture, queue["cost"], true)
    assert "W301" not in {one["code"] for one in findings(well, AIR, "server.pcapng", "near.pcapng")}


def slow_among(tmp_path: Path, rate: Value) -> airloom.Run:
    """Downloads to three stations that share the air evenly, of which the third has such a rate."""
    stations = [strong(name, adapter="edca-ac") for name in ("a", "b", "c")]
    stations[2] = {**stations[2], "rate": rate}
    flows = [down(name, name=name) for name in ("a", "b", "c")]
    return played(
        tmp_path / str(rate)[:5], stations, *flows, delay="10 ms", air=AC, ap=MAC80211, duration="5 s", seed=7
    )


@pytest.mark.nightly
def test_a_slow_link_comes_before_the_wait_of_others_that_keep_theirs(tmp_path: Path) -> None:
    """Each has a third of the air, so that the slow one loses most. Its long PPDUs are no writes of a program."""
    ill, well = slow_among(tmp_path, {"mcs": 2, "streams": 1}), slow_among(tmp_path, "minstrel")
    for captures in ((AIR,), (AIR, "server.pcapng")):
        first = findings(ill, *captures)[0]
        assert first["code"] == "W104"
        assert first["subject"].startswith("02:00:00:00:00:00 to 02:00:00:00:00:03")
        cost = first["cost"]
        assert (cost["unit"], cost["at_least"]) == ("Mbit/s", True)
        assert 0.3 * goodput(well, "c") <= cost["value"] <= goodput(well, "c") - goodput(ill, "c")
        assert "W104" not in {one["code"] for one in findings(well, *captures)}


@pytest.mark.parametrize("captured", [(AIR,), (AIR, "lap.pcapng")], ids=["the air", "with a host"])
def test_what_a_neighbours_device_does_is_not_the_readers_to_mend(captured: tuple[str, ...], tmp_path: Path) -> None:
    ap: dict[str, Value] = {"adapter": "dcf", "channel": 6, **MAC80211}
    stations = [
        strong("lap", adapter="dcf", ap="ap"),
        {**strong("theirs", adapter="dcf", ap="next"), "rate": "12 Mbit/s"},
    ]
    flows = [down("lap"), down("theirs")]
    run = played(
        tmp_path / "run",
        stations,
        *flows,
        delay="10 ms",
        air=G,
        ap=ap,
        duration="5 s",
        seed=7,
        more=[{"name": "next", **ap}],
    )
    found = findings(run, *captured)
    about = [one for one in found if one["code"] in {"W104", "W202"}]
    assert {one["code"] for one in about} == {"W104", "W202"}
    known = len(captured) > 1
    assert all(one["remedy"].startswith("Another channel or band" if known else 'If "next"') for one in about)
    assert not any("set bitrates" in one["remedy"] for one in about if known)


def test_protection_that_takes_a_fifth_of_the_air_is_said_with_its_cost(tmp_path: Path) -> None:
    asks: Value = {"profile": "dcf", "rts_threshold": "0 B"}
    run: dict[str, airloom.Run] = {}
    for name, adapter in (("ill", asks), ("well", "dcf")):
        ap: dict[str, Value] = {"adapter": adapter, **MAC80211}
        laptop = strong("laptop", adapter=adapter)
        up: dict[str, Value] = {"from": "laptop", "to": "server", "name": "up"}
        run[name] = played(tmp_path / name, [laptop], up, delay="10 ms", air=G, ap=ap, duration="5 s", seed=7)
    (first,) = findings(run["ill"], AIR)
    assert (first["code"], first["cost"]["at_least"]) == ("W203", True)
    assert "100 % of the PPDUs" in first["says"]
    lost = goodput(run["well"], "up") - goodput(run["ill"], "up")
    assert 0.5 * lost <= first["cost"]["value"] <= lost
    assert findings(run["well"], AIR) == []


def test_requests_to_send_among_several_senders_are_not_blamed(tmp_path: Path) -> None:
    """They may be hidden from each other, as these are."""
    asks: Value = {"profile": "dcf", "rts_threshold": "0 B"}
    stations = [
        strong(name, adapter=asks, **({"hidden_from": ["right"]} if name == "left" else {}))
        for name in ("left", "right")
    ]
    ups: list[dict[str, Value]] = [{"from": name, "to": "server"} for name in ("left", "right")]
    ap: dict[str, Value] = {"adapter": asks, **MAC80211}
    run = played(tmp_path / "run", stations, *ups, delay="10 ms", air=G, ap=ap, duration="4 s", seed=7)
    found = diagnose([run.path / AIR])
    assert "W203" not in {one["code"] for one in found["findings"]}
    assert any(one["code"] == "W203" and "may be hidden" in one["because"] for one in found["abstained"])


def test_an_access_point_without_power_for_a_second_and_a_half_is_told(tmp_path: Path) -> None:
    """Its beacons end and return, and it answers none of its station's requests to send meanwhile."""
    ap: dict[str, Value] = {**MAC80211, "off": [{"from": "3 s", "to": "4.5 s"}]}
    up: dict[str, Value] = {"from": "lap", "to": "server"}
    run = played(tmp_path / "run", [strong("lap")], up, delay="10 ms", air=N20, ap=ap, duration="8 s", seed=7)
    first = findings(run, AIR)[0]
    assert (first["code"], first["subject"]) == ("W103", "access point 02:00:00:00:00:00")
    assert first["spans"][0] == pytest.approx([3.0, 4.5], abs=0.15)


def test_an_upload_that_a_falling_signal_stops_has_its_cost(tmp_path: Path) -> None:
    """Of its own direction nothing arrives then: what is heard is that the other's acknowledgments do not either."""
    falls: Value = [{"at": "0 s", "snr": "38 dB"}, {"at": "4 s", "snr": "8 dB"}]
    run: dict[str, airloom.Run] = {}
    for name, snr in (("ill", falls), ("well", "38 dB")):
        laptop = strong("lap", snr=snr)
        up: dict[str, Value] = {"from": "lap", "to": "server", "name": "up"}
        run[name] = played(tmp_path / name, [laptop], up, delay="10 ms", air=N20, ap=MAC80211, duration="8 s", seed=7)
    first = findings(run["ill"], AIR)[0]
    lost = goodput(run["well"], "up") - goodput(run["ill"], "up")
    assert (first["code"], first["cost"]["at_least"]) == ("W105", True)
    assert 0.5 * lost <= first["cost"]["value"] <= 1.05 * lost


def test_stations_that_are_all_stuck_do_not_bound_each_other_s_cost(tmp_path: Path) -> None:
    """A station beside that is as slow shows nothing of what faster rates would carry."""
    run: dict[str, airloom.Run] = {}
    for name, rate in (("ill", "MCS 1"), ("well", "minstrel")):
        stations = [strong(one, rate=rate) for one in ("one", "two")]
        ups: list[dict[str, Value]] = [{"from": one, "to": "server", "name": f"of-{one}"} for one in ("one", "two")]
        run[name] = played(tmp_path / name, stations, *ups, delay="5 ms", air=N20, ap=MAC80211, duration="5 s", seed=7)
    first = findings(run["ill"], AIR)[0]
    lost = goodput(run["well"], "of-one") - goodput(run["ill"], "of-one")
    assert (first["code"], first["cost"]["unit"]) == ("W104", "Mbit/s")
    assert 0.3 * lost <= first["cost"]["value"] <= 1.05 * lost


def test_pings_are_read_on_the_air_too(tmp_path: Path) -> None:
    ping: dict[str, Value] = {"kind": "ping", "from": "lap", "to": "server", "interval": "100 ms"}
    run = played(tmp_path / "run", [strong("lap")], ping, delay="10 ms", air=N20, ap=MAC80211, duration="4 s", seed=7)
    found = diagnose([run.path / AIR])
    (echo,) = found["pings"]
    assert echo["requests"] >= 39
    assert echo["answered"] >= echo["requests"] - echo["open"] - 1
    assert not echo["at_answerer"]
    assert echo["rtt_ms"]["p50"] == pytest.approx(20.2, abs=1)
    assert any("from the air to 10.0.0.2 and back" in line for line in facts(found))


def falling(from_db: float, to_db: float, at: float, lasting: float) -> Value:
    """A signal that falls evenly."""
    steps = 12
    parts = [(at + lasting * part / steps, from_db + (to_db - from_db) * part / steps) for part in range(1, steps + 1)]
    return [
        {"at": "0 s", "snr": f"{from_db} dB"},
        *({"at": f"{when:.3f} s", "snr": f"{db:.1f} dB"} for when, db in parts),
    ]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("to_db", "lasting"), [(5.0, 0.12), (-5.0, 0.12), (-15.0, 1.5)], ids=["weak", "lost", "a walk"]
)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_download_that_a_falling_signal_stops_has_its_cost(
    to_db: float, lasting: float, seed: int, tmp_path: Path
) -> None:
    """However few frames of the station are heard then: what goes to it does not arrive any more."""
    run: dict[str, airloom.Run] = {}
    for name, snr in (("ill", falling(38, to_db, 4, lasting)), ("well", "38 dB")):
        flow = down("lap", name="down")
        run[name] = played(
            tmp_path / name,
            [strong("lap", snr=snr)],
            flow,
            delay="10 ms",
            air=N20,
            ap=MAC80211,
            duration="10 s",
            seed=seed,
        )
    lost = goodput(run["well"], "down") - goodput(run["ill"], "down")
    # The monitor alone may not see that the sender still waits as the access point has given up.
    for captures, least in (((AIR,), 0.35), ((AIR, "server.pcapng"), 0.5)):
        first = findings(run["ill"], *captures)[0]
        assert (first["code"], first["cost"]["unit"], first["cost"]["at_least"]) == ("W105", "Mbit/s", True)
        assert least * lost <= first["cost"]["value"] <= 1.05 * lost, captures
    assert "W105" not in {one["code"] for one in findings(run["well"], AIR)}
