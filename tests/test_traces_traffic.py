"""Recorded traffic: a flow hands over what a file says, when it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import airloom
from airloom.errors import RunError, ScenarioError
from airloom.scenario.traces import spelled_out

WORLD = """
title = "A flow that was recorded"
duration = "5 s"
air = { standard = "802.11n", band = "5 GHz", width = "20 MHz" }
ap = [{ name = "ap", adapter = "ath9k" }]
station = [{ name = "laptop", host = "linux-6.18", adapter = "ath9k", rate = "MCS 7", snr = "40 dB" }]
server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "5 ms" } }]
flow = [{ name = "game", from = "server", to = "laptop", KEYS }]
"""

ROWS = ((0.25, 120), (0.25, 80), (1.5, 4000), (4.0, 1))
"""When how many bytes are handed over."""

TRACE = "time_s,bytes\n" + "".join(f"{at},{size}\n" for at, size in ROWS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def traced(kind: str, trace: str = TRACE, name: str = "game.csv", more: str = "") -> str:
    """The scenario, whose flow has its traffic in a file beside it."""
    Path(name).write_text(trace)
    return WORLD.replace("KEYS", f'kind = "{kind}", traffic = {{ trace = "{name}" }}{more}')


def flow(run: airloom.Run) -> dict[str, Any]:
    """The summary of the flow."""
    return dict(run.summary["flows"][0])


def test_datagrams_leave_as_the_file_says() -> None:
    run = airloom.run(traced("udp", more=', start = "500 ms"'))
    # 4,000 bytes are three datagrams of up to 1470.
    assert flow(run)["sent"] == 1 + 1 + 3 + 1
    assert flow(run)["delivered"] == 6
    assert flow(run)["bytes_delivered"] == sum(size for _, size in ROWS)


def test_a_connection_carries_what_the_file_says() -> None:
    run = airloom.run(traced("tcp"))
    assert flow(run)["bytes_delivered"] == sum(size for _, size in ROWS)
    early = airloom.run(traced("tcp"), set={"duration": "2 s"})
    assert flow(early)["bytes_delivered"] == 120 + 80 + 4000


def test_its_series_has_each_step() -> None:
    """Bytes arrive in those tenths of a second in which they are handed over, 5 ms of wire and the air later."""
    rows = airloom.run(traced("udp")).series.to_pylist()
    seen = {round(row["time"], 6): row["value"] for row in rows if row["metric"] == "goodput" and row["value"]}
    widths = sorted({round(row["time"], 6) for row in rows if row["metric"] == "goodput"})
    width = widths[1] - widths[0]
    assert sum(seen.values()) * width * 1e6 / 8 == pytest.approx(4201)
    for at in seen:
        assert any(at <= when + 0.02 and when < at + width for when, _ in ROWS), at


def test_it_is_an_array_in_the_scenario() -> None:
    script: list[airloom.Value] = [{"at": f"{at} s", "bytes": size} for at, size in ROWS]
    for kind in ("udp", "tcp"):
        said = airloom.run(traced(kind))
        assert airloom.run(traced(kind), set={"flow.game.traffic": script}).summary == said.summary
        assert airloom.run(traced(kind), set={"flow.game.traffic": {"trace": "game.csv"}}).summary == said.summary


def test_it_is_as_a_flow_of_even_datagrams() -> None:
    """A datagram of 1,000 bytes each ms, by a script and by a rate."""
    even = "time_s,bytes\n" + "".join(f"{ms / 1000},1000\n" for ms in range(5001))
    paced = airloom.run(WORLD.replace("KEYS", 'kind = "udp", rate = "8 Mbit/s", payload = "1000 B"'))
    keep = ("sent", "delivered", "bytes_delivered", "delay_mean_ms", "delay_p99_ms")
    one, other = flow(airloom.run(traced("udp", even))), flow(paced)
    assert {key: one[key] for key in keep} == {key: other[key] for key in keep}


def test_a_bundle_needs_no_file(folder: Path) -> None:
    first = airloom.run(traced("udp"), out="first")
    (folder / "game.csv").unlink()
    assert airloom.run(folder / "first" / "scenario.toml").summary == first.summary


def test_parquet_is_as_csv() -> None:
    pq.write_table(pa.table({"time_s": [at for at, _ in ROWS], "bytes": [size for _, size in ROWS]}), "game.parquet")
    said = traced("udp")
    assert spelled_out(said.replace("game.csv", "game.parquet"), Path()) == spelled_out(said, Path())


def test_frames_of_ns3_leave_with_the_frame_in_front_of_them() -> None:
    """The group of pictures that ns-3's documentation begins with: the first at once, B with what is in front."""
    frames = "1 I 40 534\n2 P 160 1542\n3 B 80 134\n4 B 120 390\n5 P 280 765\n"
    said = spelled_out(traced("udp", frames, "movie.dat"), Path())
    steps = (("0", 534), ("0.12", 1542), ("0.12", 134), ("0.12", 390), ("0.24", 765))
    assert ", ".join(f'{{ at = "{at} s", bytes = {size} }}' for at, size in steps) in said
    assert flow(airloom.run(said))["sent"] == 6, "1,542 bytes are two"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(1, 6000)), min_size=1, max_size=12),
    st.sampled_from(["udp", "tcp"]),
)
def test_nothing_is_lost_or_added(steps: list[tuple[float, int]], kind: str) -> None:
    """Whatever the file: of what was handed over in time all arrives."""
    at, lines = 0.0, ["time_s,bytes"]
    for pause, size in steps:
        at += pause / 4
        lines.append(f"{at!r},{size}")
    run = airloom.run(traced(kind, "\n".join(lines)))
    assert flow(run)["bytes_delivered"] == sum(size for _, size in steps)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("time_s,bytes\n", "has no line but its first"),
        ("when,how\n0,40\n", "needs the columns time_s and bytes"),
        ("time_s,bytes\n1,40\n0.5,39\n", r":3: time_s is 0\.5, which is earlier than the line before"),
        ("time_s,bytes\n0,40\n1,0\n", r":3: bytes is '0'"),
        ("time_s,bytes\n0,40\n1,-3\n", r":3: bytes is '-3'"),
        ("time_s,bytes\n0,1.5\n", r":2: bytes is '1\.5'"),
        ("time_s,bytes\n0,inf\n", r":2: bytes is 'inf'"),
        ("time_s,bytes\n1785499200,40\n", "taken off"),
        ("1 I 0 534\n2 P 40\n", r":2: is no frame of ns-3's UdpTraceClient"),
        ("1 I 0 534\n2 P 40 0\n", r":2: a frame of no bytes"),
        ("1 I 80 534\n2 P 40 30\n", r":2: 40 ms is earlier than the frame before"),
    ],
)
def test_what_is_no_trace_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(RunError, match=said):
        airloom.check(traced("udp", text))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ('kind = "udp", rate = "1 Mbit/s"', "`rate` means nothing to a flow with `traffic`"),
        ('kind = "tcp", write = { size = "1 kB", every = "1 s" }', "`write` means nothing to a flow with `traffic`"),
        ('kind = "ping"', "`traffic` means nothing to a flow of kind `ping`"),
        ('kind = "udp", payload = "0 B"', "`payload` must be above zero in a flow with `traffic`"),
    ],
)
def test_what_else_paces_a_flow_is_refused(keys: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        airloom.check(WORLD.replace("KEYS", f'{keys}, traffic = [{{ at = "0 s", bytes = 1 }}]'))


@pytest.mark.parametrize(
    ("traffic", "said"),
    [
        ("[]", "`traffic` is empty"),
        ("7", "`traffic` must be a name in quotes or an array"),
        ('{ file = "game.csv" }', "`traffic` must be a name in quotes or an array"),
        ('[{ at = "1 s", bytes = 1 }, { at = "0 s", bytes = 1 }]', "a step at 0 s after one at 1 s"),
        ('[{ at = "1 s", bytes = 0 }]', "`bytes` must be"),
        ('[{ at = "1 s", bytes = "120 B" }]', "`bytes` must be"),
        ('[{ at = "1 s", bytes = 16777217 }]', "more than 16 MiB"),
        ('{ trace =\n"game.csv" }', "`traffic` has no trace that was read"),
    ],
)
def test_what_is_no_script_is_refused(traffic: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        airloom.check(WORLD.replace("KEYS", f'kind = "udp", traffic = {traffic}'))
