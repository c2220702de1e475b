"""`airloom shell`: real programs over a scenario's air. Needs a machine that allows namespaces and TUN devices."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from importlib import metadata
from pathlib import Path
from statistics import median

import pytest

import airloom
from airloom.analysis.run_view import RunView
from airloom.emulation import fixture, internet, knobs, private, reach, shells
from airloom.errors import EmulationError
from conftest import ROOT

SCENARIO = ROOT / "examples" / "download.toml"
ECHO = """
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("0.0.0.0", 7))
while True:
    s.sendto(*s.recvfrom(2000))
"""
ASK = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(0.5)
for n in range(20):
    try:
        begin = time.monotonic()
        s.sendto(b"?" * 1000, ("server", 7))
        assert len(s.recv(2000)) == 1000
        print(time.monotonic() - begin)
    except TimeoutError:
        pass
"""


@pytest.fixture(scope="module", autouse=True)
def _possible() -> None:
    """Says in a line why nothing here was tried, where the machine does not allow it."""
    try:
        private.check()
    except EmulationError as error:
        pytest.skip(str(error))


TAKE = """
import socket, time
time.sleep(0.1)
s = socket.create_server(("0.0.0.0", 80))
while True:
    with s.accept()[0] as taken:
        while taken.recv(1 << 16):
            pass
"""
GIVE = """
import socket
s = socket.create_connection(("server", 80))
s.sendall(bytes(3_000_000))
s.shutdown(socket.SHUT_WR)
s.recv(1)
"""


PROJECT = """
import sys

ASK = \"\"\"
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(0.5)
for n in range(60):
    try:
        s.sendto(b'?', ('server', 7))
        print(s.recv(10))
        break
    except TimeoutError:
        pass
\"\"\"

def test_two_hosts(wifi):
    wifi.start("server", [sys.executable, "echo.py"])
    assert wifi.run("laptop", [sys.executable, "-c", ASK]).stdout.strip() == "b'?'"


@__import__("pytest").mark.wifi(set={"station.0.distance": "25 m"})
def test_a_scenario_of_its_own(wifi):
    assert wifi.names == ["laptop", "server"]
    assert wifi.run("laptop", "sh -c 'exit 3'").returncode == 3
"""


def shell(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs `airloom shell`."""
    command = [sys.executable, "-P", "-m", "airloom", "shell", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def of(marker: str) -> list[int]:
    """Processes with a word in their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if marker in words:
            found.append(int(folder.name))
    return found


def child(process: int) -> int:
    """The only child of a process."""
    (one,) = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return int(one)


def runs(seconds: str) -> None:
    """Waits until a host sleeps for so long: then there is more than the command line that says so."""
    until = time.monotonic() + 300
    while not any((Path(f"/proc/{process}/comm").read_text() == "sleep\n") for process in of(seconds)):
        assert time.monotonic() < until
        time.sleep(0.05)


def gone(marker: str) -> bool:
    """Whether no process has the word any more, after a moment."""
    until = time.monotonic() + 30
    while of(marker):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def test_datagrams_cross_the_air_and_leave_a_bundle(tmp_path: Path) -> None:
    (tmp_path / "echo.py").write_text(ECHO)
    out = tmp_path / "run"
    server = f"server={sys.executable} {tmp_path}/echo.py"
    came = shell(SCENARIO, "--beside", server, "-o", out, "--", sys.executable, "-c", ASK)
    assert came.returncode in (0, 3), came.stderr
    assert "airloom: timing " in came.stderr
    trips = [float(line) for line in came.stdout.split()]
    assert len(trips) >= 18, "retries of the radio lose little"
    # Twice the wire's 10 ms, and some hundred microseconds of air. Other work on the machine may hold up a few.
    assert min(trips) > 0.020
    assert median(trips) < 0.2, trips
    timing = json.loads((out / "timing.json").read_text())
    assert timing["delivered"] >= 2 * len(trips)
    run = airloom.load(out)
    assert 20 * 0.020 < run.summary["duration_s"] < 30
    assert len(run.frames) > 2 * len(trips)


def test_the_kernels_own_tcp_stands_where_a_simulated_flow_does(tmp_path: Path) -> None:
    (tmp_path / "take.py").write_text(TAKE)
    out = tmp_path / "run"
    server = f"server={sys.executable} {tmp_path}/take.py"
    scenario = ROOT / "papers" / "scan" / "upload-tsq.toml"
    came = shell(scenario, "--beside", server, "-o", out, "--", sys.executable, "-c", GIVE)
    assert came.returncode in (0, 3), came.stderr
    run = airloom.load(out)
    # The scenario's own upload was left out, and has its place.
    (flow,) = run.summary["flows"]
    assert (flow["name"], flow["from"], flow["to"]) == ("sta1-server", "sta1", "server")
    assert 3_000_000 <= flow["bytes_delivered"] <= 3_000_002, "FIN counts as a byte"
    assert flow["bytes_written"] >= flow["bytes_delivered"]
    assert 10 <= (flow["cwnd_mean"] or 0) <= flow["cwnd_max"]
    # At least what the wire takes there and back.
    assert (flow["srtt_mean_ms"] or 0) > 0.5
    assert run.series.get(flow["name"], "goodput").max() > 0
    assert set(run.sockets["flow"]) == {flow["name"]}
    # What the bundle has as its scenario does the same in the simulation.
    again = airloom.run(out / "scenario.toml", set={"duration": "20 s"})
    assert again.summary["flows"][0]["bytes_delivered"] == flow["bytes_delivered"]
    assert "of real programs, timing" in airloom.report(out, tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_flow_of_a_scenario_may_be_a_real_program(tmp_path: Path) -> None:
    (tmp_path / "take.py").write_text(TAKE)
    (tmp_path / "give.py").write_text(f"{GIVE}\nopen('{tmp_path}/done', 'w')")
    flow = {
        "name": "mine",
        "kind": "command",
        "from": "laptop",
        "to": "server",
        "command": f"{sys.executable} {tmp_path}/give.py",
        "listen": f"{sys.executable} {tmp_path}/take.py",
        "start": "500 ms",
    }
    text = f"{SCENARIO.read_text()}\n[[flow]]\n" + "".join(f"{key} = '{value}'\n" for key, value in flow.items())
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(airloom.RunError, match=r"flow `mine` runs a real program .*`airloom shell` runs it"):
        airloom.run(tmp_path / "mine.toml")
    wait = f"until [ -e {tmp_path}/done ]; do sleep 0.05; done; sleep 0.1"
    came = shell(tmp_path / "mine.toml", "-o", tmp_path / "run", "--", "sh", "-c", wait)
    assert came.returncode in (0, 3), came.stderr
    (made,) = airloom.load(tmp_path / "run").summary["flows"]
    assert (made["name"], made["from"]) == ("mine", "laptop")
    assert made["bytes_delivered"] >= 3_000_000


def test_stations_talk_to_each_other_and_so_does_the_simulation(tmp_path: Path) -> None:
    (tmp_path / "take.py").write_text(TAKE)
    (tmp_path / "give.py").write_text(GIVE.replace('"server"', '"far"'))
    scenario, out = ROOT / "examples" / "near-and-far.toml", tmp_path / "run"
    beside = f"far={sys.executable} {tmp_path}/take.py"
    came = shell(scenario, "--as", "near", "--beside", beside, "-o", out, "--", sys.executable, tmp_path / "give.py")
    assert came.returncode in (0, 3), came.stderr
    run = airloom.load(out)
    (flow,) = run.summary["flows"]
    assert (flow["name"], flow["from"], flow["to"]) == ("near-far", "near", "far")
    assert RunView(run).senders == ["near", "ap"], "the page shows the queues of both"
    again = airloom.run(out / "scenario.toml", set={"duration": "20 s"})
    assert again.summary["flows"][0]["bytes_delivered"] == flow["bytes_delivered"] >= 3_000_000


def test_the_world_is_changed_from_within_and_from_outside(tmp_path: Path) -> None:
    out = tmp_path / "run"
    scenario = ROOT / "papers" / "scan" / "upload-tsq.toml"
    seconds = f"600.{os.getpid()}"
    within = f"{sys.executable} -P -m airloom knob scan sta1; exec sleep {seconds}"
    command = ["shell", str(scenario), "-o", str(out), "--", "sh", "-c", within]
    outer = subprocess.Popen([sys.executable, "-P", "-m", "airloom", *command], stdout=subprocess.PIPE, text=True)
    runs(seconds)
    other = subprocess.Popen(
        [sys.executable, "-P", "-m", "airloom", "shell", str(SCENARIO), "--", "sleep", f"7{seconds}"]
    )
    asked = ["--shell", str(outer.pid)]
    assert "changed at " in airloom_knob("station.sta1.snr=12 dB", *asked)
    state = json.loads(airloom_knob("--json", *asked))
    assert state["hosts"][1] | {"name": "sta1", "kind": "station", "snr_db": 12.0} == state["hosts"][1]
    assert "sta1" in airloom_knob(*asked), "without a terminal it is shown once"
    for wish, says in (
        (["station.sta1.adapter=broadcom"], "that is fixed while it runs"),
        (["station.sta1.snr=good"], "snr"),
        (["scan", "server"], 'no station "server"; there are sta1'),
        (["sta1"], "needs KEY=VALUE"),
    ):
        assert says in airloom_knob(*wish, *asked, code=2)
    assert "no such shell" in airloom_knob("scan", "sta1", "--shell", "1", code=2)
    until = time.monotonic() + 300
    while other.pid not in shells.running():
        assert time.monotonic() < until
        time.sleep(0.05)
    said = airloom_knob(code=2)
    assert said.startswith("airloom: which shell? --shell with one of ")
    assert {str(outer.pid), str(other.pid)} <= set(re.findall(r"\d+", said))
    other.kill()
    other.wait()
    (process,) = (process for process in of(seconds) if Path(f"/proc/{process}/comm").read_text() == "sleep\n")
    os.kill(process, signal.SIGTERM)
    said, _ = outer.communicate(timeout=30)
    assert said.startswith("sta1 scans at ")
    run = airloom.load(out)
    (scan,) = run.summary["scans"]
    changes = run.changes
    assert [change["change"] for change in changes] == ["scan sta1", "station.sta1.snr = 12 dB"]
    assert scan["start_s"] == pytest.approx(changes[0]["time_s"], abs=0.2)
    page = airloom.report(out, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "station.sta1.snr = 12 dB" in page
    assert outer.pid not in shells.running()


@pytest.mark.nightly
def test_a_station_is_sent_from_access_point_to_access_point(tmp_path: Path) -> None:
    """The examples' vehicle, which stands until it is sent."""
    text = (ROOT / "examples" / "vehicle.toml").read_text(encoding="utf-8")
    way = re.search("^walk = .*$", text, re.MULTILINE)
    assert way
    scenario = tmp_path / "vehicle.toml"
    scenario.write_text(text.replace(way[0], 'position = ["0 m", "0 m"]'), encoding="utf-8")
    with airloom.shell(scenario) as hosts, knobs.Shell(hosts.process) as asked:
        which = ["--shell", str(hosts.process)]

        def vehicle() -> tuple[str | None, tuple[float, ...]]:
            (host,) = (host for host in asked.look()["hosts"] if host["name"] == "vehicle")
            return host["ap"], tuple(host["position_m"] or ())

        assert vehicle() == ("dock", (0, 0, 0))
        assert "vehicle walks from " in airloom_knob("walk", "vehicle", "35 m, 1 m", "10 s", *which)
        until = time.monotonic() + 60
        while vehicle() != ("press", (35, 1, 0)):
            assert time.monotonic() < until, vehicle()
            time.sleep(0.1)
        assert "(35.0, 1.0) m" in airloom_knob(*which)
        assert "press is off at " in airloom_knob("press", "off", *which)
        until = time.monotonic() + 60
        while vehicle()[0] == "press":
            assert time.monotonic() < until, vehicle()
            time.sleep(0.1)
        assert [host["name"] for host in asked.look()["hosts"] if host["off"]] == ["press"]
        assert "press is on at " in airloom_knob("press", "on", *which)
        assert not any(host["off"] for host in asked.look()["hosts"])
        for wish, says in (
            (["walk", "vehicle"], "a walk needs a station, a place and a speed or a time"),
            (["walk", "vehicle", "35", "10 s"], '"35" is no place'),
            (["walk", "vehicle", "35 m, 1 m", "fast"], '"fast" is no pace'),
            (["walk", "dock", "35 m, 1 m", "10 s"], 'no station "dock"; there are vehicle'),
            (["vehicle", "off"], 'no access point "vehicle"; there are dock, press, paint, store'),
        ):
            assert says in airloom_knob(*wish, *which, code=2)


def airloom_knob(*arguments: str, code: int = 0) -> str:
    """What `airloom knob` says."""
    command = [sys.executable, "-P", "-m", "airloom", "knob", *arguments]
    came = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert came.returncode == code, came.stderr
    return came.stdout + came.stderr


def test_other_projects_have_hosts_over_wifi_in_three_lines(tmp_path: Path) -> None:
    assert metadata.entry_points(group="pytest11")["airloom"].value == fixture.__name__
    (tmp_path / "echo.py").write_text(ECHO)
    (tmp_path / "test_mine.py").write_text(PROJECT)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--strict-markers", "test_mine.py"]
    came = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert "2 passed" in came.stdout, came.stdout + came.stderr


def test_a_host_is_reached_from_outside_and_from_a_program() -> None:
    with airloom.shell(SCENARIO, set={"station.0.distance": "5 m"}) as hosts:
        assert hosts.process in shells.running()
        which = ["--shell", str(hosts.process)]
        command = [sys.executable, "-P", "-m", "airloom", "on", *which, "server", "--", "ip", "-4", "-brief", "address"]
        outside = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert "10.0.0.2/16" in outside
        assert hosts.run("server", "ip -4 -brief address").stdout == outside
        assert hosts.run("server", ["pwd"]).stdout.strip() == os.getcwd()  # noqa: PTH109 - as a shell says it
        with knobs.Shell(hosts.process) as asked:
            assert asked.look()["hosts"][1]["distance_m"] == 5
        with pytest.raises(EmulationError, match="no host 'phone'; there are laptop, server"):
            hosts.run("phone", "true")
        assert hosts.valid is None
    assert hosts.valid is not None
    assert hosts.timing
    with pytest.raises(EmulationError, match=r"none\.toml"), airloom.shell("none.toml"):
        pass
    assert hosts.process not in shells.running()


def test_the_commands_exit_code_is_the_shells() -> None:
    assert shell(SCENARIO, "--", "sh", "-c", "exit 5").returncode == 5
    assert shell(SCENARIO, "--", "sh", "-c", "kill -TERM $$").returncode == 128 + signal.SIGTERM


def test_a_host_that_something_ends_is_missed() -> None:
    """Its network is held by a process, which the commands of a shell can reach."""
    came = shell(SCENARIO, "--", "sh", "-c", 'kill -9 "${AIRLOOM_HOSTS##*=}"; sleep 0.2')
    assert came.returncode == 3, came.stderr
    assert "airloom: server was gone before the end: something ended the process that held its network\n" in came.stderr
    assert "laptop was gone" not in came.stderr


def test_hosts_are_apart_and_know_each_other() -> None:
    script = f"cat /etc/hosts; {sys.executable} -P -m airloom on server ip -4 -brief address"
    came = shell(SCENARIO, "--", "sh", "-c", script)
    assert "10.0.0.1 laptop" in came.stdout
    assert "10.0.0.2/16" in came.stdout
    assert "server" not in Path("/etc/hosts").read_text()


def greet(server: socket.socket) -> None:
    """Says hello to the first client."""
    with server.accept()[0] as other:
        other.sendall(b"hello")


def test_a_way_out_leads_to_this_machine_over_the_air() -> None:
    missing = [tool for tool in internet.TOOLS if not shutil.which(tool, path=internet.PATH)]
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        threading.Thread(target=greet, args=(server,), daemon=True).start()
        # The gateway of slirp4netns stands for this machine.
        ask = f"import socket; print(socket.create_connection(('192.168.127.2', {port})).recv(9))"
        came = shell(SCENARIO, "--internet", "--", sys.executable, "-c", ask)
    if missing:
        assert came.returncode == 2
        assert f"--internet needs `{missing[0]}`, which the package" in came.stderr
    else:
        assert came.stdout == "b'hello'\n", came.stderr
    came = shell(SCENARIO, "--set", "server=[]", "--internet", "--", "true")
    assert came.returncode == 2


def test_a_machine_that_does_not_allow_it_is_told_what_helps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def said() -> str:
        with pytest.raises(EmulationError) as refused:
            private.check()
        assert "\n" not in str(refused.value)
        return str(refused.value)

    monkeypatch.setattr(private, "corner", lambda: ["sh", "-c", "echo unshare: not permitted >&2; exit 1", "--"])
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert said().startswith(
        "needs namespaces of its own, which this system refuses (not permitted): run it as root, or "
    )
    monkeypatch.setattr(private, "TUN", str(tmp_path / "tun"))
    assert said().endswith(f"(No such file or directory): {private.device_remedy(errno.ENOENT)}")
    monkeypatch.setattr(private, "TUN", str(tmp_path))
    assert said().endswith(f"or `chmod 666 {tmp_path}` once")
    monkeypatch.setattr(private, "TOOLS", {"no-such-tool": "a-package"})
    assert said() == "needs `no-such-tool`, which the package a-package brings"


def test_a_shell_within_a_shell() -> None:
    """The inner one is on a host of the outer one, and names and addresses are its own."""
    inner = f"{sys.executable} -P -m airloom shell {SCENARIO} --set station.0.name=phone --set flow=[]"
    script = f"{inner} -- sh -c 'cat /etc/hosts; exit 9'; echo $?; cat /etc/hosts"
    came = shell(SCENARIO, "--", "sh", "-c", script)
    within, outside = came.stdout.split("9\n")
    assert ("10.0.0.1 phone" in within, "10.0.0.1 laptop" in within) == (True, False)
    assert ("10.0.0.1 phone" in outside, "10.0.0.1 laptop" in outside) == (False, True)
    assert came.stderr.count("airloom: timing valid") == 2


def test_what_cannot_be_is_refused() -> None:
    for arguments, code, says in (
        ((SCENARIO, "--as", "phone", "--", "true"), 2, "no host 'phone'; there are laptop, server"),
        ((SCENARIO, "--beside", "phone=true", "--", "true"), 2, "no host 'phone'; there are laptop, server"),
        ((SCENARIO, "--", "no-such-program"), 127, "no-such-program"),
        ((SCENARIO, "--", SCENARIO), 126, "Permission denied"),
        ((SCENARIO, "-o", ROOT / "docs", "--", "true"), 2, "docs: exists already"),
        # The command has no use without a world.
        ((SCENARIO, "-o", "/proc/none/run", "--", "sleep", "100"), 2, "/proc/none/run: cannot be written"),
        ((ROOT / "none.toml", "--", "true"), 2, "none.toml"),
    ):
        came = shell(*arguments)
        assert came.returncode == code, came
        assert says in came.stderr


def test_two_at_once_do_not_meet() -> None:
    command = [
        sys.executable,
        "-P",
        "-m",
        "airloom",
        "shell",
        str(SCENARIO),
        "--",
        "sh",
        "-c",
        "sleep 0.4; ip -brief link",
    ]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for one in both:
        links, _ = one.communicate(timeout=60)
        assert one.returncode in (0, 3)
        assert sorted(line.split()[0] for line in links.splitlines()) == ["air0", "lo"]


def of_this_machine() -> list[str]:
    """What a shell may have to do with: devices, routes, mounts."""
    links, routes = (
        subprocess.run(["ip", "-brief", *what], capture_output=True, text=True, check=True).stdout
        for what in (["link"], ["route"])
    )
    return [links, routes, Path("/proc/self/mountinfo").read_text()]


@pytest.mark.parametrize(("how", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_nothing_is_left_but_a_whole_bundle(how: signal.Signals, code: int, tmp_path: Path) -> None:
    before = of_this_machine()
    seconds, out = f"{1000 + os.getpid()}.{int(how)}", tmp_path / "run"
    command = ["shell", str(SCENARIO), "-o", str(out), "--", "sleep", seconds]
    outer = subprocess.Popen([sys.executable, "-P", "-m", "airloom", *command], stderr=subprocess.DEVNULL)
    runs(seconds)
    outer.send_signal(how)
    assert outer.wait(timeout=10) == code
    assert gone(seconds)
    assert of_this_machine() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["run"]
    assert airloom.load(out).summary["flows"] == []


def test_ctrl_c_is_the_commands(tmp_path: Path) -> None:
    """What is typed in a terminal goes to all processes there: the world ends with the command, and in order."""
    out = tmp_path / "run"
    on = f"{sys.executable} -P -m airloom on server echo there"
    for script, code, says in (
        ("echo go; exec sleep 100", 128 + signal.SIGINT, ""),
        (f"trap '{on}; exit 4' INT; echo go; while :; do sleep 0.05; done", 4, "there\n"),
    ):
        command = ["shell", str(SCENARIO), "-o", str(out), "--force", "--", "sh", "-c", script]
        outer = subprocess.Popen(
            [sys.executable, "-P", "-m", "airloom", *command], stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        with outer:
            assert outer.stdout
            assert outer.stdout.readline() == "go\n"
            os.killpg(outer.pid, signal.SIGINT)
            assert outer.stdout.read() == says
        assert outer.returncode == code
        assert [entry.name for entry in tmp_path.iterdir()] == ["run"]
        assert airloom.load(out).timing


def has_hosts(outer: int) -> bool:
    """Whether the process within has begun anything."""
    try:
        return bool(reach.children(child(child(outer))))
    except (OSError, ValueError):
        return False


@pytest.mark.parametrize("has_begun", [False, True])
def test_ctrl_c_before_there_is_a_command_leaves_nothing(tmp_path: Path, *, has_begun: bool) -> None:
    """When the process within cannot hear it yet, and when it makes hosts."""
    out = str(tmp_path / "run")
    command = [sys.executable, "-P", "-m", "airloom", "shell", str(SCENARIO), "-o", out, "--", "sleep", "100"]
    outer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    until = time.monotonic() + 30
    # Outside, unshare, within.
    while not has_hosts(outer.pid) if has_begun else len(of(out)) < 3:
        assert time.monotonic() < until
        time.sleep(0.001)
    os.killpg(outer.pid, signal.SIGINT)
    _, said = outer.communicate(timeout=10)
    # This machine's TCP may not be the scenario's, which is said before.
    lines = [line for line in said.splitlines() if not line.startswith("airloom: warning: tcp_")]
    assert (outer.returncode, lines) == (130, ["airloom: interrupted; nothing half-written was left behind"])
    assert list(tmp_path.iterdir()) == []


def test_a_starved_run_is_called_invalid() -> None:
    seconds = f"2.{os.getpid()}"
    command = [sys.executable, "-P", "-m", "airloom", "shell", str(SCENARIO), "--", "sleep", seconds]
    outer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    runs(seconds)
    # The command may begin before the world does, and what does not move yet cannot be late.
    time.sleep(1)
    inner = child(child(outer.pid))
    os.kill(inner, signal.SIGSTOP)
    time.sleep(0.5)
    os.kill(inner, signal.SIGCONT)
    _, said = outer.communicate(timeout=30)
    assert "timing invalid" in said
    assert outer.returncode == 3
