"""`airloom shell`, `on` and `knob` where more than one user is at work: nobody is believed by a name."""

from __future__ import annotations

import json
import os
import pwd
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from airloom.emulation import knobs, private, reach, shells
from airloom.emulation.hosts import network_of
from airloom.errors import EmulationError
from conftest import ROOT
from tools import lack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCENARIO = ROOT / "examples" / "download.toml"
OTHER = pwd.getpwnam("nobody")
AIRLOOM = (sys.executable, "-P", "-m", "airloom")
AS_OTHER = ("setpriv", f"--reuid={OTHER.pw_uid}", f"--regid={OTHER.pw_gid}", "--clear-groups", "--")

FALSE = """
# Pretends to be a shell, as another user: with processes where those of a shell are, in namespaces of its own, in which
# a program of the system is another one.
import json, os, socket, subprocess, sys, threading
os.setgroups([])
os.setgid(int(sys.argv[2]))
os.setuid(int(sys.argv[1]))
os.chdir("/")
taken = socket.socket(socket.AF_UNIX)
taken.bind(f"\\0airloom-shell/{os.getpid()}")
taken.listen()
lay = '''
mount -t tmpfs none /mnt
printf '#!/bin/sh\\necho taken over as $(id -u)\\n' > /mnt/own
chmod 755 /mnt/own
mount --bind /mnt/own "$(command -v id)"
sleep 1000 & sleep 1000 & wait
'''
corner = ["unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
held = subprocess.Popen([*corner, "sh", "-c", lay])
unknown = dict.fromkeys(("ap", "queued", "distance_m", "position_m", "snr_db", "discipline", "remedy"))
host = dict(unknown, sent=0, received=0, away=False)
hosts = [dict(host, name=name, kind=kind) for name, kind in (("laptop", "station"), ("server", "server"))]
state = dict(title="x", time_s=1.0, verdict="valid", valid_below_mbps=None, late_us=[0] * 4, hosts=hosts, flows=[])
def serve(one):
    for line in one.makefile("rb"):
        one.sendall(json.dumps(state).encode() + b"\\n")
print("there", flush=True)
while True:
    threading.Thread(target=serve, args=(taken.accept()[0],), daemon=True).start()
"""

SQUATTER = """
# Takes the names that the shells of the next processes would have if they were called by their numbers.
import os, resource, socket, sys
os.setgid(int(sys.argv[2]))
os.setuid(int(sys.argv[1]))
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
kept = []
for number in range(os.getpid(), os.getpid() + 500):
    one = socket.socket(socket.AF_UNIX)
    one.bind(f"\\0airloom-shell/{number}")
    one.listen()
    kept.append(one)
print("there", flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module", autouse=True)
def _alone() -> Iterator[None]:
    """A network where no other test's shell can be found; says in a line why nothing was tried where that is so.

    Names of the abstract namespace are those of a network (unix(7)).
    """
    if os.geteuid() != 0:
        lack("a second user takes root")
    try:
        private.check()
    except EmulationError as error:
        pytest.skip(str(error))
    with subprocess.Popen(
        ["unshare", "--net", "--", "sh", "-c", "echo there; exec sleep 1000"], stdout=subprocess.PIPE
    ) as held:
        assert held.stdout
        assert held.stdout.readline() == b"there\n"
        with network_of(held.pid):
            yield
        held.kill()


@pytest.fixture
def other() -> Iterator[Callable[[str], int]]:
    """Starts a program of ours, which becomes another user; gives its process."""
    begun = []

    def start(program: str) -> int:
        command = [sys.executable, "-c", program, str(OTHER.pw_uid), str(OTHER.pw_gid)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        begun.append(process)
        assert process.stdout
        assert process.stdout.readline() == "there\n"
        return process.pid

    yield start
    for process in begun:
        os.killpg(process.pid, 9)
        process.communicate()


def airloom(*words: str, before: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Runs the program, outside of any shell."""
    return subprocess.run([*before, *AIRLOOM, *words], capture_output=True, text=True, check=False, timeout=300)


def below(process: int, levels: int) -> list[int]:
    """The processes that a process began, so many levels down."""
    found = [process]
    for _ in range(levels):
        found = [child for one in found for child in reach.children(one)]
    return found


def test_a_false_shell_of_another_user_is_neither_entered_nor_believed(other: Callable[[str], int]) -> None:
    false = other(FALSE)
    until = time.monotonic() + 30
    while len(below(false, levels=3)) < 2:
        assert time.monotonic() < until, "it looks like a shell from outside"
        time.sleep(0.02)
    assert false not in shells.running()
    assert any(listener.process == false and not listener.own for listener in shells.listeners())
    for words in (("on", "laptop", "id"), ("knob",), ("knob", "--json"), ("knob", "scan", "laptop")):
        for which in ((), ("--shell", str(false))):
            came = airloom(words[0], *which, *words[1:])
            said = came.stdout + came.stderr
            assert came.returncode == 2, came
            if which:
                assert f"process {false} belongs to nobody, and so does what it says" in said
                assert "ask it as that user, by `sudo -u nobody`" in said
            else:
                assert "no shell of yours runs here; `airloom shell SCENARIO` starts one" in said
    with pytest.raises(EmulationError, match="belongs to another user"):
        reach.holders(false, ["laptop", "server"])


def test_a_true_shell_is_found_beside_false_ones(other: Callable[[str], int]) -> None:
    other(FALSE)
    other(SQUATTER)
    script = f"{' '.join(AIRLOOM)} knob --json"
    came = airloom("shell", str(SCENARIO), "--", "sh", "-c", f"{script}; env -u AIRLOOM_HOSTS {script}; exec true")
    assert came.returncode in (0, 3), came.stderr
    outer = subprocess.Popen([*AIRLOOM, "shell", str(SCENARIO), "--", "sleep", "1000"])
    try:
        until = time.monotonic() + 60
        while airloom("on", "server", "true").returncode:
            assert time.monotonic() < until
        assert shells.running() == [outer.pid]
        with knobs.Shell() as asked:
            assert asked.process == outer.pid
    finally:
        outer.terminate()
        outer.wait()


def test_who_enters_another_user_namespace_leaves_all_rights_behind() -> None:
    """Root too: a process of root's own may be in one, and so may what is mounted there."""
    held = subprocess.Popen(["unshare", "--user", "--map-root-user", "--mount", "--net", "--", "sleep", "1000"])
    try:
        until = time.monotonic() + 30
        while Path(f"/proc/{held.pid}/comm").read_text() != "sleep\n":
            assert time.monotonic() < until
            time.sleep(0.01)
        assert "--user" in reach.within(held.pid)
        came = subprocess.run(
            [*reach.within(held.pid), "readlink", "/proc/self/ns/user"], capture_output=True, text=True, check=True
        )
        assert came.stdout.strip() == str(Path(f"/proc/{held.pid}/ns/user").readlink())
        assert "--user" not in reach.within(os.getpid())
    finally:
        held.kill()
        held.wait()


LAID = """
set -e
own=$1
shift
mount -t tmpfs -o mode=755 none "$own"
mknod -m 666 "$own/tun" c 10 200
mount --bind "$own/tun" /dev/net/tun
number=0
for needed; do number=$((number + 1)); mkdir "$own/$number"; mount --bind "$needed" "$own/$number"; done
for needed; do mount -t tmpfs -o mode=755 none "/$(echo "$needed" | cut -d/ -f2)"; done
number=0
for needed; do number=$((number + 1)); mkdir -p "$needed"; mount --move "$own/$number" "$needed"; done
echo there
exec sleep 1000
"""
"""Mounts that are gone with their process: the device that shells need is for everybody there, and folders that the
program is made of lie where they lay, but below folders that everybody may pass."""


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[tuple[str, ...]]:
    """What goes before a command that runs where another user may run the program."""
    hidden = {Path(place) for place in (sys.base_prefix, sys.prefix, ROOT) if not for_all(Path(place))}
    corner = ["unshare", "--mount", "--", "sh", "-c", LAID, "sh", str(tmp_path), *map(str, hidden)]
    with subprocess.Popen(corner, stdout=subprocess.PIPE, text=True) as held:
        assert held.stdout
        assert held.stdout.readline() == "there\n"
        yield ("nsenter", "--target", str(held.pid), "--mount", f"--wd={ROOT}", "--")
        held.kill()


def for_all(place: Path) -> bool:
    """Whether everybody reaches a folder."""
    return all(folder.stat().st_mode & 0o001 for folder in (place, *place.parents))


def test_root_asks_a_users_shell_as_that_user_alone(shared: tuple[str, ...]) -> None:
    as_other = (*shared, *AS_OTHER)
    tried = subprocess.run([*as_other, "unshare", "--user", "true"], capture_output=True, check=False)
    if tried.returncode:
        lack("users without rights make no user namespaces here")
    outer = subprocess.Popen([*as_other, *AIRLOOM, "shell", str(SCENARIO), "--", "sleep", "1000"])
    try:
        until = time.monotonic() + 60
        while (came := airloom("on", "server", "id", "-u", before=as_other)).returncode:
            assert outer.poll() is None
            assert time.monotonic() < until, came.stderr
        assert came.stdout == "0\n", "it is root there, and nowhere else"
        assert len(json.loads(airloom("knob", "--json", before=as_other).stdout)["hosts"]) == 3
        found = [one for one in shells.listeners() if one.user == OTHER.pw_uid]
        assert len(found) == 1
        asks = ("one of another user is asked as that user: `sudo -u USER airloom ...`", "by `sudo -u nobody`")
        for words in (("on", "server", "id"), ("knob", "--json")):
            for which, says in zip(((), ("--shell", str(found[0].process))), asks, strict=True):
                came = airloom(words[0], *which, *words[1:], before=shared)
                assert came.returncode == 2
                assert says in came.stdout + came.stderr
    finally:
        outer.terminate()
        outer.wait()
