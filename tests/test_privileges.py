"""What runs with more rights than its user has, and how it keeps to what it needs."""

import os
import re
import threading
from pathlib import Path

import pytest

from airloom import _engine
from airloom.emulation import live
from airloom.emulation.live import Emulation

ROOT = Path(__file__).parents[1]
OWNERSHIP = re.compile(r"\b(?:chown|chgrp|chmod)\b.*")


def shipped() -> list[Path]:
    """What runs as root where a package of ours is installed: units, scripts of its packages."""
    folders = [*ROOT.glob("crates/linux/*/package"), ROOT / "packaging" / "debian", ROOT / "packaging" / "tool"]
    return [file for folder in folders for file in folder.rglob("*") if file.is_file()]


def test_root_gives_nothing_away_through_a_link() -> None:
    found = [
        (file.name, command.group())
        for file in shipped()
        for line in file.read_text(errors="replace").splitlines()
        if not line.lstrip().startswith("#")
        for command in OWNERSHIP.finditer(line)
    ]
    assert found, "airloom-rate's unit gives its user a file"
    followed = [one for one in found if "--no-dereference" not in one[1]]
    assert not followed, followed


@pytest.mark.parametrize("bound", ["950000", "-1"])
@pytest.mark.parametrize("refused", [False, True])
def test_only_the_world_has_priority_and_only_where_it_is_bounded(
    bound: str, refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int, int, int]] = []
    ran: list[str] = []

    def schedule(process: int, policy: int, given: os.sched_param) -> None:
        asked.append((threading.current_thread().name, process, policy, given.sched_priority))
        if refused:
            raise PermissionError

    throttled = tmp_path / "sched_rt_runtime_us"
    throttled.write_text(f"{bound}\n")
    monkeypatch.setattr(live, "THROTTLED", throttled)
    monkeypatch.setattr(os, "sched_setscheduler", schedule)
    monkeypatch.setattr(_engine, "live", lambda *_: ran.append(threading.current_thread().name))
    with live.moving(Emulation("", "x.toml", {}), []):
        pass
    assert ran == ["world"], "the run goes on without the priority"
    # What it starts has no priority of its own: a program of the user's would keep the processor.
    fifo = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
    assert asked == ([] if bound == "-1" else [("world", 0, fifo, live.PRIORITY)])
