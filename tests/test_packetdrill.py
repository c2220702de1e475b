"""The runner of packetdrill's scripts, with another program in packetdrill's place."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from conftest import ROOT
from packetdrill.applicable import missing, missing_of_command
from packetdrill.commands import effects
from packetdrill.host import MissingError, settings
from packetdrill.run import library
from packetdrill.script import ready

if TYPE_CHECKING:
    from pathlib import Path

RUNNER = ROOT / "tests" / "packetdrill" / "run.py"
PLAYER = RUNNER.parent / "play.py"
SCRIPTS = sorted((RUNNER.parent / "scripts").glob("*.pkt"))

STANDIN = """#!{python}
# Fails where a script says so, as packetdrill does, and writes what it was given beside itself.
import os, re, subprocess, sys
from pathlib import Path
so, flags, script = sys.argv[3:]
text = Path(script).read_text()
first = re.search(r"`([^`]*)`", text)
if first:
    subprocess.run(first[1], shell=True, check=True)
seen = {{"so": so, "preload": os.environ["LD_PRELOAD"], "settings": Path(flags.split("=")[1]).read_text()}}
(Path(__file__).parent / (Path(script).stem + ".seen")).write_text(repr(seen))
for n, line in enumerate(text.splitlines(), 1):
    if "wrong" in line:
        sys.stderr.write(f"{{script}}:{{n}}: error handling packet: bad value\\nscript packet:  0.1 . 1:1(0)\\n"
                         f"actual packet:  0.2 . 1:1(0)\\n")
        sys.exit(1)
    if "untrue" in line:
        sys.stderr.write(f'Traceback:\\n  File "{{script}}", line {{n}}, in <module>\\nAssertionError: 7\\n')
        sys.exit(1)
"""


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """A program that stands in for packetdrill."""
    path = tmp_path / "standin"
    path.write_text(STANDIN.format(python=sys.executable), encoding="utf-8")
    path.chmod(0o755)
    return path


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the runner."""
    command = [sys.executable, str(RUNNER), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_script_is_passed_failed_or_not_applicable(tmp_path: Path, tool: Path) -> None:
    scripts, so, report = tmp_path / "scripts", tmp_path / "lib.so", tmp_path / "report.json"
    so.touch()
    (scripts / "sack").mkdir(parents=True)
    (scripts / "common.sh").write_text(
        "# Values\nsysctl -q net.ipv4.tcp_sack=1 net.ipv4.tcp_reordering=3\n", encoding="utf-8"
    )
    (scripts / "a.pkt").write_text("`./common.sh\nsysctl -q net.ipv4.tcp_sack=0`\n0 socket()\n", encoding="utf-8")
    (scripts / "sack" / "b.pkt").write_text("`true\n`\n\n0 wrong\n", encoding="utf-8")
    (scripts / "c.pkt").write_text("0 sendto(3, MSG_FASTOPEN)\n", encoding="utf-8")
    (scripts / "d.pkt").write_text(
        "// wrong, but a comment\n+0 %{ assert untrue }%\n".replace("wrong", "no"), encoding="utf-8"
    )
    done = run(scripts, "--tool", tool, "--library", so, "--json", report)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "a.pkt       passed",
        "c.pkt       not applicable: TCP Fast Open",
        "d.pkt       failed: line 2: AssertionError: 7",
        (
            "sack/b.pkt  failed: line 4: error handling packet: bad value; "
            "script packet:  0.1 . 1:1(0); actual packet:  0.2 . 1:1(0)"
        ),
        "1 passed, 2 failed, 1 not applicable",
    ]
    outcomes = json.loads(report.read_text(encoding="utf-8"))
    assert outcomes[1] == {"script": "c.pkt", "outcome": "not applicable", "line": None, "reason": "TCP Fast Open"}
    seen = eval((tmp_path / "a.seen").read_text(encoding="utf-8"))  # noqa: S307 - what the stand-in wrote
    assert (seen["so"], seen["preload"]) == (f"--so_filename={so}", str(so))
    assert seen["settings"].splitlines() == ["sack = true", "recovery.duplicate_threshold = 3", "sack = false"]
    (scripts / "sack" / "b.pkt").unlink()
    (scripts / "d.pkt").unlink()
    assert run(scripts, "--tool", tool, "--library", so).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "packetdrill: no folder nowhere; name that of the scripts: make packetdrill SCRIPTS=DIR\n"),
        (
            [ROOT, "--tool", "no-such-tool"],
            "packetdrill: no program no-such-tool; build https://github.com/google/packetdrill",
        ),
        ([ROOT / "examples", "--tool", sys.executable], "packetdrill: no scripts (*.pkt) below "),
        (
            [RUNNER.parent, "--tool", sys.executable, "--json", "/nowhere/file"],
            "packetdrill: no folder /nowhere for",
        ),
        ([RUNNER.parent, "--tool", sys.executable, "--library", "/nowhere"], "packetdrill: no library /nowhere; leave"),
    ],
)
def test_without_anything_to_run_it_says_what_is_missing(arguments: list[object], message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)


def test_commands_are_read_not_run(tmp_path: Path) -> None:
    (tmp_path / "defaults.sh").write_text(
        "#!/bin/bash\nip tcp_metrics flush all > /dev/null 2>&1\n"
        'sysctl -q net.ipv4.tcp_rmem="4096 540000 $((15*1024*1024))"\n',
        encoding="utf-8",
    )
    text = """./defaults.sh
        tc qdisc replace dev tun0 root fq
        sysctl -q net.ipv4.tcp_fastopen_cookies=0 &> /dev/null ||\\
          sysctl -q net.ipv4.tcp_sack=9
        ../common/set_sysctls.py /proc/sys/net/ipv4/tcp_wmem="4096 50000 4194304" \\
            /proc/sys/net/ipv4/tcp_timestamps=0  # a comment
        nstat > /dev/null ; /tmp/sysctl_restore_${PPID}.sh"""
    found = effects(text, tmp_path)
    assert found.sysctls == [
        ("net.ipv4.tcp_rmem", "4096 540000 15728640"),
        ("net.ipv4.tcp_fastopen_cookies", "0"),
        ("net.ipv4.tcp_wmem", "4096 50000 4194304"),
        ("net.ipv4.tcp_timestamps", "0"),
    ]
    assert found.others == ["ip tcp_metrics flush all", "tc qdisc replace dev tun0 root fq", "nstat"]


def test_sysctls_become_keys_of_a_host() -> None:
    told = [
        ("net.ipv4.tcp_rmem", "4096 540000 15728640"),
        ("net.ipv4.tcp_early_retrans", "0"),
        ("net.ipv4.tcp_ecn", "2"),
    ]
    assert list(settings(told)) == [
        "receive_buffer_initial = '540000 B'",
        "receive_buffer_max = '15728640 B'",
        "window_scale = 8",
        "recovery.tail_loss_probe = false",
        "ecn = 'off'",
        "ecn_if_asked = true",
    ]
    for wrong, reason in [
        (("net.ipv4.tcp_mtu_probing", "2"), "the sysctl net.ipv4.tcp_mtu_probing"),
        (("net.ipv4.tcp_congestion_control", "vegas"), "the congestion control vegas"),
        (("net.ipv4.tcp_ecn", "3"), "Accurate ECN"),
        (("net.ipv4.tcp_recovery", "0x3"), "RACK with a fixed reordering window"),
        (("net.ipv4.tcp_recovery", "5"), "RACK without a threshold of SACKed segments"),
    ]:
        with pytest.raises(MissingError, match=reason):
            list(settings([wrong]))


@pytest.mark.parametrize(
    ("value", "on"), [("0", "false"), ("1", "false"), ("2", "false"), ("3", "true"), ("4", "true")]
)
def test_tail_loss_probes_are_the_later_kinds_of_early_retransmit(value: str, on: str) -> None:
    assert list(settings([("net.ipv4.tcp_early_retrans", value)])) == [f"recovery.tail_loss_probe = {on}"]


def test_what_is_missing_is_told_by_the_script_itself() -> None:
    assert missing("// MSG_FASTOPEN is not used\n+0 < S 0:0(0) win 1 <mss 1000,sackOK>\n") is None
    assert missing("+0 > S 0:0(0) <mss 1460,FO abcd1234,nop,nop>\n") == "TCP Fast Open"
    assert missing("`sysctl -q net.ipv4.tcp_fastopen=1 # MSG_FASTOPEN`\n") is None
    assert missing("+0 > S 0:0(0) <mss 1460,md5 000>\n") == "MD5 signatures"
    assert missing_of_command("tc qdisc replace dev tun0 root pfifo limit 0") == "a device that drops every packet"
    assert missing_of_command("tc qdisc add dev tun0 root pfifo") is None
    assert missing_of_command("reboot") == "the command `reboot`"


def test_lines_stay_where_they_are(tmp_path: Path) -> None:
    text = "`sysctl -q net.ipv4.tcp_sack=0\n\n`\n0 socket()\n+0 `true`\n"
    made = ready(text, tmp_path, tmp_path / "settings")
    assert made.splitlines()[0] == f"`printf '%s\\n' 'sack = false' >> {tmp_path}/settings"
    assert made.splitlines()[1:] == ["", "`", "0 socket()", "+0 `true`"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_our_own_scripts_are_applicable(script: Path, tmp_path: Path) -> None:
    assert "settings" in ready(script.read_text(encoding="utf-8"), script.parent, tmp_path / "settings")


@pytest.fixture(scope="module")
def so() -> Path:
    """The library of this tree."""
    return library()


def test_our_own_scripts_pass(so: Path) -> None:
    done = run(RUNNER.parent / "scripts", "--tool", PLAYER, "--library", so)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.splitlines()[-1] == f"{len(SCRIPTS)} passed, 0 failed, 0 not applicable"


@pytest.mark.long
@pytest.mark.parametrize(
    ("script", "old", "new", "reason"),
    [
        ("timeout.pkt", "+.3 > P", "+.304 > P", "timing error: expected outbound packet at 0.404"),
        ("timeout.pkt", "+.6 > P. 1:1001", "+.6 > . 1:1001", "flags: expected: 16 vs actual: 24"),
        ("timeout.pkt", "nop,wscale 10", "nop,wscale 9", "options: expected: "),
        ("timeout.pkt", "= 1000", "= 999", "runtime error in write call: Expected result 999 but got 1000"),
        ("undo-by-dsack.pkt", "1:10001(10000)", "1:10002(10001)", "the segments of 10001 bytes differ"),
        ("undo-by-dsack.pkt", "ssthresh == 7", "ssthresh == 6", "error in Python code; AssertionError: 7"),
        ("undo-by-dsack.pkt", "> . 1:1001(1000)", "> . 1001:2001(1000)", "number: expected: 1001 vs actual: 1"),
        ("undo-by-dsack.pkt", "<sack 1:1001,nop,nop>", "", "AssertionError: 3"),
        ("undo-by-dsack.pkt", "+0 accept(3, ..., ...) = 4", "+0 epoll_create(3) = 4", "does not read"),
    ],
)
def test_the_player_sees_what_differs(so: Path, tmp_path: Path, script: str, old: str, new: str, reason: str) -> None:
    text = (RUNNER.parent / "scripts" / script).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / script).write_text(text.replace(old, new, 1), encoding="utf-8")
    done = run(tmp_path, "--tool", PLAYER, "--library", so)
    assert done.returncode == 1
    assert reason in done.stdout
