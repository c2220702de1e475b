"""`airloom knob` and a shell that answers what none of ours does: each is refused in a line, and in time."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from airloom.emulation import knobs, shells
from airloom.errors import EmulationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SOUND = {
    "title": "x",
    "time_s": 1.5,
    "verdict": "valid",
    "valid_below_mbps": None,
    "late_us": [0, 0, 0, 0],
    "hosts": [],
    "flows": [],
}


@contextmanager
def answering(answer: Callable[[socket.socket], None]) -> Iterator[None]:
    """A shell of this process and user that answers each request so."""
    listener = socket.socket(fileno=shells.listener(shells.new_name()))

    def serve() -> None:
        with suppress(OSError):
            while True:
                with listener.accept()[0] as one, suppress(OSError):
                    if one.recv(1000):
                        answer(one)

    server = threading.Thread(target=serve)
    server.start()
    try:
        yield
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        server.join()
        listener.close()


def drip(one: socket.socket) -> None:
    """One octet after the other, without an end."""
    while True:
        one.sendall(b" ")
        time.sleep(0.01)


def flood(one: socket.socket) -> None:
    """A line without an end."""
    while True:
        one.sendall(b"x" * (1 << 20))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"{{{\n", "no shell of this version"),
        (b"\xff\n", "no shell of this version"),
        (b"[1]\n", "no shell of this version"),
        (b"[" * 200_000 + b"\n", "no shell of this version"),
        (b'{"a": 1}\n', "no shell of this version: Object missing required field `title`"),
        (b'{"error": 7}\n', "no shell of this version"),
        (json.dumps(SOUND | {"verdict": "fine"}).encode() + b"\n", "no shell of this version: Invalid enum value"),
        (json.dumps(SOUND | {"late_us": []}).encode() + b"\n", "no shell of this version"),
        (json.dumps(SOUND | {"time_s": "soon"}).encode() + b"\n", "no shell of this version"),
        (json.dumps(SOUND).encode(), ""),
        (json.dumps({"error": "\x1b[31mno"}).encode() + b"\n", r"^\\x1b\[31mno$"),
        (b"", "the shell is gone"),
        (drip, "the shell does not answer: timed out"),
        (flood, "the shell does not answer: a line of more than 16 MiB"),
    ],
)
def test_what_no_shell_says_is_refused_in_time(
    answer: bytes | Callable[[socket.socket], None], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knobs, "PATIENCE_S", 2.0)
    said = answer if callable(answer) else lambda one: one.sendall(answer)
    with answering(said), knobs.Shell(os.getpid()) as asked:
        begun = time.monotonic()
        if says:
            with pytest.raises(EmulationError) as refused:
                asked.look()
            assert re.search(says, str(refused.value))
        else:
            assert asked.look() == SOUND
        assert time.monotonic() - begun < 10


def test_a_refusal_and_what_helps_stand_on_lines_of_their_own() -> None:
    said = json.dumps({"error": "there is no `station.phone1`\n  did you mean `phone`?"}).encode() + b"\n"
    with answering(lambda one: one.sendall(said)), knobs.Shell(os.getpid()) as asked:
        with pytest.raises(EmulationError) as refused:
            asked.look()
        assert str(refused.value) == "there is no `station.phone1`\n  did you mean `phone`?"


def test_the_command_says_it_in_a_line() -> None:
    with answering(lambda one: one.sendall(b"[[1]\n")):
        command = [sys.executable, "-P", "-m", "airloom", "knob", "--shell", str(os.getpid()), "scan", "sta1"]
        came = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (came.returncode, came.stdout) == (2, "")
    assert came.stderr.startswith("airloom: what answers is no shell of this version: ")
    assert came.stderr.count("\n") == 1
