"""A scenario's link for other emulators."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.analysis.link_trace import Way, netem
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SCENARIO = ROOT / "examples" / "download.toml"


def export(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs `airloom export`."""
    command = [sys.executable, "-m", "airloom", "export", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_trace_has_an_opportunity_for_every_packet_that_a_full_link_carries(tmp_path: Path) -> None:
    out = tmp_path / "link"
    came = export(SCENARIO, "-o", out)
    assert came.returncode == 0, came.stderr
    assert came.stdout.endswith(f"mm-delay 10 mm-link {out}/up.trace {out}/down.trace\n")
    flow = {"from": "laptop", "to": "server", "kind": "udp", "rate": "saturated", "payload": "1472 B"}
    long, short = (
        airloom.run(SCENARIO, set={"flow": [flow], "duration": f"{seconds} s"}).summary["flows"][0]["bytes_delivered"]
        for seconds in (21, 1)
    )
    for name in ("up", "down"):
        times = [int(line) for line in (out / f"{name}.trace").read_text().splitlines()]
        assert times == sorted(times)
        assert 1 <= times[0] < 100
        assert 19_900 < times[-1] <= 20_000
    up = (out / "up.trace").read_text().count("\n")
    assert up == pytest.approx((long - short) / 1472, rel=0.01)
    assert subprocess.run(["sh", "-n", out / "netem.sh"], check=False).returncode == 0
    again = export(SCENARIO, "-o", out)
    assert again.returncode == 2
    assert "exists already" in again.stderr


def test_commands_for_netem_say_what_was_measured() -> None:
    up = Way(rate_mbps=120.0, delay_ms=10.0, jitter_ms=0.5, loss=0.01, packets=100)
    down = Way(rate_mbps=12.0, delay_ms=5.0, jitter_ms=0.0, loss=0.0, packets=None)
    script = netem("A title", up, down)
    # 105 packets of 1500 bytes are under way at 120 Mbit/s within 10.5 ms, and 5 at 12 Mbit/s within 5 ms.
    assert "up) delay='delay 10.000ms 0.500ms loss 1.0000% limit 205'; rate='rate 120000kbit " in script
    assert "burst 65536 limit 150000'" in script
    # Without a number of its own a queue holds a second.
    assert "down) delay='delay 5.000ms loss 0.0000% limit 1005'; rate='rate 12000kbit " in script


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((SCENARIO, "--station", "phone"), "no station 'phone'; there are laptop"),
        ((SCENARIO, "--table", "flows"), "--table is for runs and papers"),
        ((SCENARIO, "--set"), "unknown option --set"),
        (("scan", "--station", "laptop"), "--station is for a scenario's file, and scan is none"),
    ],
)
def test_what_cannot_be_is_refused(arguments: tuple[str | Path, ...], says: str, tmp_path: Path) -> None:
    came = export(*arguments, "-o", tmp_path / "out")
    assert came.returncode == 2
    assert says in came.stderr
    assert not (tmp_path / "out").exists()
