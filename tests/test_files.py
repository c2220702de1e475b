"""Files that are whole or not there: in which order what is written reaches the disk."""

from __future__ import annotations

import errno
import fcntl
import os
import re
from pathlib import Path

import pytest

from airloom.support.atomic import PARTIAL, folder_of, whole


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is done to the disk, in order: what is synced, what is renamed."""
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(handle: int) -> None:
        done.append(f"sync {Path(f'/proc/self/fd/{handle}').readlink().name}")
        fsync(handle)

    def note_replace(source: Path, target: Path) -> None:
        done.append(f"rename {Path(source).name} {Path(target).name}")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    return done


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, events: list[str]) -> None:
    with whole(tmp_path / "page.html") as partial:
        partial.write_text("all of it")
        name = partial.name
    assert events == [f"sync {name}", f"rename {name} page.html", f"sync {tmp_path.name}"]
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_a_folder_is_on_the_disk_before_it_has_its_name(tmp_path: Path, events: list[str]) -> None:
    folder_of({"a": "1", "b": "2"}, tmp_path / "out")
    partial = events[2].removeprefix("sync ")
    assert partial.startswith(".out.")
    assert events == ["sync a", "sync b", f"sync {partial}", f"rename {partial} out", f"sync {tmp_path.name}"]
    assert {file.name: file.read_text() for file in (tmp_path / "out").iterdir()} == {"a": "1", "b": "2"}


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    with whole(target) as first:
        with whole(target) as second:
            assert first != second
            second.write_text("second")
        first.write_text("first")
    assert target.read_text() == "first"
    assert list(tmp_path.iterdir()) == [target]


def test_what_fails_leaves_the_old_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "page.html"
    target.write_text("old")
    writing = whole(target)
    writing.__enter__().write_text("half of")
    assert writing.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None) is not True
    assert list(tmp_path.iterdir()) == [target]

    def full(_: int) -> None:
        raise OSError

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError), whole(target) as partial:  # noqa: PT011 - whichever it is
        partial.write_text("all of it")
    with pytest.raises(OSError):  # noqa: PT011
        folder_of({"a": "1"}, tmp_path / "out")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_what_a_killed_writer_has_left_is_cleared_and_what_another_writes_stays(tmp_path: Path) -> None:
    target, left = tmp_path / "page.html", tmp_path / ".page.html.killed.airloom-partial"
    left.write_text("half")
    with whole(target) as first:
        assert not left.exists()
        with whole(target) as second:
            second.write_text("second")
        first.write_text("first")
    assert target.read_text() == "first"
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_only_a_regular_file_is_replaced(tmp_path: Path) -> None:
    """A device or a pipe of that name would be gone, and so would a link, whose file stays as it was."""
    pipe, link, file = (tmp_path / name for name in ("pipe", "link", "file"))
    os.mkfifo(pipe)
    link.symlink_to(file)
    for made in (False, True):
        if made:
            file.write_text("first")
        for target, why in ((pipe, "not a regular file"), (link, "is a link")):
            with pytest.raises(FileExistsError, match=why), whole(target) as partial:
                partial.write_text("second")
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert file.read_text() == "first"
    assert len(list(tmp_path.iterdir())) == 3


def test_what_a_killed_writer_of_a_folder_has_left_is_cleared(tmp_path: Path) -> None:
    left = tmp_path / f".out.killed{PARTIAL}"
    left.mkdir()
    (left / "a").write_text("half")
    folder_of({"a": "1"}, tmp_path / "out")
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_a_folder_that_another_writes_stays(tmp_path: Path) -> None:
    writing = tmp_path / f".out.writing{PARTIAL}"
    writing.mkdir()
    handle = os.open(writing, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    folder_of({"a": "1"}, tmp_path / "out")
    os.close(handle)
    assert sorted(file.name for file in tmp_path.iterdir()) == [writing.name, "out"]


def test_what_no_writer_has_left_neither_blocks_nor_goes(tmp_path: Path) -> None:
    fifo, link, kept = (tmp_path / f".page.html.{name}{PARTIAL}" for name in ("fifo", "link", "kept"))
    os.mkfifo(fifo)
    link.symlink_to(fifo)
    kept.symlink_to(tmp_path / "other", target_is_directory=True)
    (tmp_path / "other").mkdir()
    with whole(tmp_path / "page.html") as partial:
        partial.write_text("all of it")
    assert {file.name for file in tmp_path.iterdir()} == {fifo.name, link.name, kept.name, "other", "page.html"}


def test_a_place_that_is_cleared_before_it_is_locked_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock
    cleared: list[int] = []

    def late(handle: int, operation: int) -> None:
        if len(cleared) in (0, 2):
            place = Path(f"/proc/self/fd/{handle}").readlink()
            place.rmdir() if place.is_dir() else place.unlink()
        cleared.append(operation)
        flock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    with whole(tmp_path / "page.html") as partial:
        partial.write_text("all of it")
    folder_of({"a": "1"}, tmp_path / "out")
    assert len(cleared) == 4
    assert (tmp_path / "page.html").read_text() == "all of it"
    assert (tmp_path / "out" / "a").read_text() == "1"


def test_a_file_that_does_not_fit_is_named(tmp_path: Path) -> None:
    def written(target: Path) -> None:
        with whole(target) as partial:
            partial.write_bytes(b"x")
            raise OSError(errno.ENOSPC, "No space left on device")

    target = tmp_path / "page.html"
    with pytest.raises(OSError, match=re.escape(f"'{target}'")):
        written(target)
    assert list(tmp_path.iterdir()) == []
