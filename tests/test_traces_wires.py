"""Wires whose rate changes: they carry what the integral of the rate says, and a file may say it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import airloom
from airloom.cli.export_link import export_link
from airloom.errors import AirloomError, RunError, ScenarioError
from airloom.scenario import mahimahi
from airloom.scenario.traces import spelled_out

WORLD = """
title = "A server behind a line that changes"
duration = "6 s"
air = { standard = "802.11n", band = "5 GHz", width = "20 MHz" }
ap = [{ name = "ap", adapter = "ath9k" }]
station = [{ name = "laptop", host = "linux-6.18", adapter = "ath9k", rate = "MCS 7", snr = "40 dB" }]
server = [{ name = "server", host = "linux-6.18", link = { rate = RATE, delay = "1 ms" } }]
flow = [{ from = "server", to = "laptop", FLOW }]
"""

SATURATED = 'kind = "udp", rate = "saturated", payload = "1472 B"'

ON_WIRE = 8 * (1500 + 38)
"""Bits of such a datagram on the wire."""

STEPS = ((0.0, 8.0), (2.0, 0.0), (3.0, 24.5), (4.25, 2.0))
"""From when the wire has which rate: seconds and Mbit/s."""

TRACE = "time_s,rate_mbps\n" + "".join(f"{at},{mbps}\n" for at, mbps in STEPS)

IN_FLIGHT = 8
"""Datagrams that have left the wire and are not yet at the station, or whose aggregate is not yet acknowledged."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def world(rate: str, flow: str = SATURATED) -> str:
    """The scenario, with this rate and flow."""
    return WORLD.replace("RATE", rate).replace("FLOW", flow)


def traced(trace: str = TRACE, name: str = "lte.csv", flow: str = SATURATED) -> str:
    """The same, its rate in a file beside it."""
    Path(name).write_text(trace)
    return world(f'{{ trace = "{name}" }}', flow)


def flow_of(run: airloom.Run) -> dict[str, Any]:
    """The summary of the flow."""
    return dict(run.summary["flows"][0])


def megabits(until: float, steps: tuple[tuple[float, float], ...] = STEPS) -> float:
    """What steps carry until a time."""
    ends = [at for at, _ in steps[1:]] + [until]
    return sum(max(min(end, until) - at, 0) * mbps for (at, mbps), end in zip(steps, ends, strict=True))


@pytest.mark.parametrize("until", [1.0, 2.0, 2.9, 3.5, 4.25, 6.0])
def test_it_carries_the_integral_of_its_rate(until: float) -> None:
    run = airloom.run(traced(), set={"duration": f"{until} s"})
    whole = int(megabits(until) * 1e6 / ON_WIRE)
    assert whole - IN_FLIGHT <= flow_of(run)["delivered"] <= whole


def test_both_directions_have_it() -> None:
    text = traced(flow='kind = "udp", rate = "24 Mbit/s", payload = "1472 B"').replace(
        'from = "server", to = "laptop"', 'from = "laptop", to = "server"'
    )
    whole = int(megabits(2.0) * 1e6 / ON_WIRE)
    delivered = flow_of(airloom.run(text, set={"duration": "2 s"}))["delivered"]
    assert whole - IN_FLIGHT <= delivered <= whole


def test_a_connection_gets_over_an_outage() -> None:
    """Nothing arrives in the second without a rate, and all of a transfer in the end."""
    run = airloom.run(traced(flow='kind = "tcp", bytes = "3 MB"'))
    assert flow_of(run)["bytes_delivered"] == 3_000_000
    rows = [row for row in run.series.to_pylist() if row["metric"] == "goodput" and 2.1 <= row["time"] < 2.9]
    assert rows == [] or max(row["value"] for row in rows) == 0


def test_it_is_an_array_in_the_scenario() -> None:
    script: list[airloom.Value] = [{"at": f"{at} s", "rate": f"{mbps} Mbit/s"} for at, mbps in STEPS]
    said = airloom.run(traced())
    assert airloom.run(world('"1 Gbit/s"'), set={"server.0.link.rate": script}).summary == said.summary
    by_file = {"server.0.link.rate": {"trace": "lte.csv"}}
    assert airloom.run(world('"1 Gbit/s"'), set=by_file).summary == said.summary


def test_steps_of_one_rate_are_as_that_rate() -> None:
    steady = airloom.run(world('"8 Mbit/s"', 'kind = "tcp"'))
    stepped = airloom.run(traced("time_s,rate_mbps\n0,8\n1,8\n2,8\n", flow='kind = "tcp"'))
    assert stepped.summary == steady.summary
    changing = '[{ at = "0 s", rate = "8 Mbit/s" }, { at = "2 s", rate = "8 Mbit/s" }]'
    assert airloom.run(world(changing, 'kind = "tcp"')).summary["flows"] == steady.summary["flows"]


def test_a_bundle_needs_no_file(folder: Path) -> None:
    first = airloom.run(traced(), out="first")
    (folder / "lte.csv").unlink()
    assert airloom.run(folder / "first" / "scenario.toml").summary == first.summary


def test_parquet_is_as_csv() -> None:
    table = pa.table({"time_s": [at for at, _ in STEPS], "rate_mbps": [mbps for _, mbps in STEPS]})
    pq.write_table(table, "lte.parquet")
    said = traced()
    assert spelled_out(said.replace("lte.csv", "lte.parquet"), Path()) == spelled_out(said, Path())


@pytest.mark.parametrize(("trace", "last_ms"), [("1\n", 1), ("0\n5\n5\n9\n20\n", 20), ("7\n7\n7\n100\n", 100)])
def test_mahimahis_chances_to_send_repeat_from_the_end(trace: str, last_ms: int) -> None:
    """One datagram of 1,500 bytes leaves for each line, and the file begins anew at its last time."""
    run = airloom.run(traced(trace, "up.trace"), set={"duration": "2 s"})
    lines = len(trace.split())
    whole = lines * 2000 // last_ms
    assert whole - IN_FLIGHT - lines <= flow_of(run)["delivered"] <= whole


@given(st.lists(st.integers(0, 60), min_size=1, max_size=40).map(sorted).filter(lambda times: times[-1] > 0))
def test_a_wire_has_carried_a_packet_for_each_line_by_its_millisecond(times: list[int]) -> None:
    """Those at zero are due as the file begins anew."""
    trace = "".join(f"{ms}\n" for ms in times)
    said = tomllib.loads(f"rate = {mahimahi.script(trace, 'lte.trace')}")["rate"]
    assert said["repeat"] == f"{times[-1] / 1000:g} s"
    steps = tuple((float(step["at"][:-2]), float(step["rate"][:-7]) / 1000) for step in said["steps"])
    for ms in range(1, times[-1] + 1):
        due = sum(0 < time <= ms for time in times) + (times.count(0) if ms == times[-1] else 0)
        assert megabits(ms / 1000, steps) * 1e6 == pytest.approx(due * ON_WIRE)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 700), st.sampled_from([0, 0.064, 1, 7, 30])), min_size=1, max_size=12))
def test_nothing_is_lost_or_overtaken(steps: list[tuple[int, float]]) -> None:
    """Whatever the steps: what an application sends at a low rate arrives in its order, once the wire has a rate."""
    at, lines = 0, ["time_s,rate_mbps"]
    for length, mbps in steps:
        lines.append(f"{at / 1000},{mbps}")
        at += length
    lines.append(f"{at / 1000},50")
    text = traced("\n".join(lines), flow='kind = "udp", rate = "160 kbit/s", payload = "200 B", stop = "8.9 s"')
    flow = flow_of(airloom.run(text, set={"duration": "10 s"}))
    assert flow["delivered"] == flow["sent"] == 890


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("when,how\n0,40\n", "needs the columns time_s and rate or rate_mbps"),
        ("time_s,rate_mbps\n0,40\n0,39\n", r":3: time_s is 0, which is no later"),
        ("time_s,rate_mbps\n0,-1\n", r":2: rate_mbps is '-1'"),
        ("time_s,rate_mbps\n0,nan\n", r":2: rate_mbps is 'nan'"),
        ("0\n0\n", "lasts for more than 0 ms"),
        ("3\n2\n", r":2: 2 ms is earlier than the line before"),
        ("3\nsoon\n", r":2: is 'soon'; a line is a whole number of milliseconds"),
        ("3\n86400001\n", r":2: is '86400001'; a line is"),
    ],
)
def test_what_is_no_trace_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(RunError, match=said):
        airloom.check(traced(text))


@pytest.mark.parametrize(
    ("rate", "said"),
    [
        ("[]", "`rate` is empty"),
        ('[{ at = "1 s", rate = "8 Mbit/s" }]', "nothing says at which rate the script begins"),
        ('[{ at = "0 s", rate = "8 Mbit/s" }, { at = "0 s", rate = "1 Mbit/s" }]', "a step at 0 s after one at 0 s"),
        ('[{ at = "0 s", rate = "8 Mbit/s" }, { at = "1 s", rate = "0 bit/s" }]', "nothing ever leaves after the last"),
        ('[{ at = "0 s", rate = "MCS 7" }]', "`rate`"),
        ('{ steps = [{ at = "0 s", rate = "8 Mbit/s" }] }', "`repeat`"),
        ('{ steps = [{ at = "0 s", rate = "0 bit/s" }], repeat = "1 s" }', "nothing ever leaves at these rates"),
        (
            '{ steps = [{ at = "0 s", rate = "8 Mbit/s" }, { at = "1 s", rate = "1 Mbit/s" }], repeat = "1 s" }',
            "the rates begin anew at 1 s, their last step is at 1 s",
        ),
        ('"0 bit/s"', "`rate`"),
        ('{ trace =\n"lte.csv" }', "`rate` has no trace that was read"),
    ],
)
def test_what_is_no_script_is_refused(rate: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        airloom.check(world(rate))


def test_resolved_is_read_back() -> None:
    for rate in (
        '"8 Mbit/s"',
        '[{ at = "0 s", rate = "8 Mbit/s" }, { at = "1 s", rate = "0 bit/s" }, { at = "2 s", rate = "1 Gbit/s" }]',
        '{ steps = [{ at = "0 s", rate = "8 Mbit/s" }, { at = "1 s", rate = "0 bit/s" }], repeat = "3 s" }',
    ):
        first = airloom.run(world(rate), out="out")
        assert airloom.run("out/scenario.toml").summary == first.summary
        for file in sorted(Path("out").rglob("*"), reverse=True):
            file.unlink()
        Path("out").rmdir()


def test_a_trace_of_a_link_is_told_its_key() -> None:
    with pytest.raises(ScenarioError, match=r"a rate that changes is `rate`, as in rate = \{ trace"):
        airloom.check(world('"8 Mbit/s", trace = "lte.csv"'))


def test_a_link_that_changes_is_not_exported() -> None:
    Path("changes.toml").write_text(traced())
    with pytest.raises(AirloomError, match=r"the rate of the link of server changes"):
        export_link("changes.toml", Path("out"), None)
    assert not Path("out").exists()
