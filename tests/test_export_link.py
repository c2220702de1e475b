"""A scenario's link for other emulators."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.analysis.link_trace import LinkDirection, netem
from conftest import ROOT
from small_cells import HOST, cell, flow, table
from tools import lack, need

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


def test_an_example_is_found_wherever_one_stands_and_a_missing_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    came = export("examples/download.toml", "-o", "out/link")
    assert came.returncode == 0, came.stderr
    assert (tmp_path / "out" / "link" / "netem.sh").is_file()
    for what, said in (("nothing.toml", "no such scenario file"), ("nothing", "no such folder")):
        came = export(what, "-o", "other/link")
        assert came.returncode == 2
        assert came.stderr.startswith(f"airloom: {what}: ")
        assert said in came.stderr
    assert not (tmp_path / "other").exists()


CELL = cell(
    "A flat",
    "1 s",
    table("station", name="laptop", host=HOST, adapter="iwlwifi", rate="minstrel", snr="45 dB"),
    flow("laptop", "server"),
    delay="100 ms",
)
"""A link on which packets go several in an MPDU, and a long line."""


@pytest.mark.parametrize("line", ["10 Mbit/s", "1 Gbit/s"])
def test_a_trace_has_packets_of_amsdus_and_the_line_behind_the_air(tmp_path: Path, line: str) -> None:
    """As many as arrive where a run is full; and nothing is lost on a link that loses nothing."""
    (tmp_path / "flat.toml").write_text(CELL.replace("1 Gbit/s", line))
    came = export(tmp_path / "flat.toml", "-o", tmp_path / "link")
    assert came.returncode == 0, came.stderr
    script = (tmp_path / "link/netem.sh").read_text()
    assert script.count(" loss 0.0000% ") == 2
    for name, said in zip(("up", "down"), re.findall(r"rate (\d+)kbit", script), strict=True):
        opportunities = (tmp_path / f"link/{name}.trace").read_text().count("\n")
        assert opportunities * 1500 * 8 / 20e3 == pytest.approx(float(said), rel=0.03)


def test_commands_for_netem_say_what_was_measured() -> None:
    up = LinkDirection(rate_mbps=120.0, delay_ms=10.0, jitter_ms=0.5, loss=0.01, packets=100)
    down = LinkDirection(rate_mbps=12.0, delay_ms=5.0, jitter_ms=0.0, loss=0.0, packets=None)
    script = netem("A title", up, down)
    # 105 packets of 1500 bytes are under way at 120 Mbit/s within 10.5 ms, and 5 at 12 Mbit/s within 5 ms.
    assert "up) delay='delay 10.000ms 0.500ms loss 1.0000% limit 205'; rate='rate 120000kbit " in script
    assert "burst 65536 limit 150000'" in script
    # Without a number of its own a queue holds a second.
    assert "down) delay='delay 5.000ms loss 0.0000% limit 1005'; rate='rate 12000kbit " in script


SENDS = """
import socket, struct, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for n in range(10):
    s.sendto(struct.pack("d", time.monotonic()), ("10.9.0.2", 9))
    time.sleep(0.01)
until = time.monotonic() + 0.6
while time.monotonic() < until:
    s.sendto(struct.pack("d", time.monotonic()) + bytes(1464), ("10.9.0.2", 9))
"""
TAKES = """
import socket, struct, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("10.9.0.2", 9))
print("here", flush=True)
s.settimeout(0.5)
try:
    while True:
        got = s.recv(2000)
        now = time.monotonic()
        print(now, now - struct.unpack_from("d", got)[0], len(got))
except TimeoutError:
    pass
"""
"""Each line is a datagram: when it came, how long it had taken, and its length."""


def test_the_commands_do_what_they_say(tmp_path: Path) -> None:
    """Between two namespaces, which are gone with their processes; the rate alone where a kernel has no netem."""
    need("tc")
    need("unshare")
    if os.geteuid() != 0:
        lack("devices are made as root")
    tried = ["unshare", "--net", "tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"]
    has_netem = subprocess.run(tried, capture_output=True, check=False).returncode == 0
    up = LinkDirection(rate_mbps=20.0, delay_ms=30.0, jitter_ms=0.0, loss=0.0, packets=20)
    commands = netem("A title", up, up)
    if not has_netem:
        commands = re.sub(".* netem .*", "", commands).replace("parent 1:1", "root")
    (tmp_path / "netem.sh").write_text(commands)
    (tmp_path / "sends.py").write_text(SENDS)
    (tmp_path / "takes.py").write_text(TAKES)
    script = f"""
set -e
unshare --net sleep 30 & other=$!
until [ "$(readlink /proc/$other/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
ip link add here type veth peer name there netns $other
ip address add 10.9.0.1/24 dev here
ip link set here up
nsenter --net --target $other sh -c "ip address add 10.9.0.2/24 dev there; ip link set there up"
sh netem.sh here up
nsenter --net --target $other {sys.executable} takes.py >came & taker=$!
until grep -q here came; do sleep 0.01; done
{sys.executable} sends.py
wait $taker
"""
    command = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    came = [[float(word) for word in line.split()] for line in (tmp_path / "came").read_text().splitlines()[1:]]
    alone, full = ([row for row in came if (row[2] > 100) == long] for long in (False, True))
    delay = 0.030 if has_netem else 0.0
    assert len(alone) == 10
    # A kernel under load is late, never early.
    assert delay <= min(trip for _, trip, _ in alone) < delay + 0.003
    # After the burst packets come at the rate, at which their Ethernet headers count too.
    settled, packet = full[60:], 8 * 1514 / (up.rate_mbps * 1e6)
    rate = (len(settled) - 1) / (settled[-1][0] - settled[0][0])
    assert rate * packet == pytest.approx(1, rel=0.03)
    # They have waited for what the sender's queue holds, and no longer.
    waits = sorted(trip - delay for _, trip, _ in settled)
    assert 15 * packet < waits[len(waits) // 2] < 22 * packet


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
