"""The outcomes of a sweep's cells: a file with one line for each, written as soon as it is known.

A line is whole once it ends; one that the end of the process cut off is dropped when the journal is opened next. The
last line of a cell counts.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, cast

from airloom.batch.lines import append, opened
from airloom.errors import SweepError
from airloom.results.summary import read as summary_of
from airloom.support import reading
from airloom.support.atomic import sync

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from pathlib import Path

    from airloom.results.summary import Summary


class Entry(TypedDict):
    """A line: a cell that is begun, and where there is one of these, what became of it."""

    cell: int
    summary: NotRequired[Any]
    error: NotRequired[str]
    hindered: NotRequired[str]


def entry_of(line: bytes, cells: Container[int]) -> Entry:
    """What a line says of one of these cells.

    Raises:
        ValueError: Nothing that a sweep writes.
    """
    entry = reading.shaped(reading.json(line), Entry)
    if entry["cell"] not in cells:
        raise ValueError(f"no cell {entry['cell']} is in this sweep")
    if "summary" in entry:
        summary_of(entry["summary"])
    return entry


class Journal:
    """The lines of a journal.

    Attributes:
        done: Where the summary of each finished cell stands in the file, by the cell's number.
        failed: What was wrong with those that failed.
        hindered: What kept others from being run, such as a full disk.
        begun: Those that were begun and neither finished nor failed.
    """

    def __init__(self, path: Path, cells: Container[int]) -> None:
        """Reads what is there of these cells; nothing, if there is no file yet.

        Raises:
            SweepError: A line is not what a sweep writes.
        """
        self.path = path
        self.cells = cells
        self.done: dict[int, int] = {}
        self.failed: dict[int, str] = {}
        self.hindered: dict[int, str] = {}
        self.begun: set[int] = set()
        self.end = 0
        if path.is_file():
            with path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    if not line.endswith(b"\n"):
                        break
                    self.take(self.entry(number, line), len(line))

    def entry(self, number: int, line: bytes) -> Entry:
        """What a line says."""
        try:
            return entry_of(line, self.cells)
        except ValueError as error:
            damage = f"{self.path}:{number}: damaged ({error})"
            raise SweepError(f"{damage}; remove the line, and its cell is run again") from None

    def take(self, entry: Entry, length: int) -> None:
        """Notes what a line of a length in bytes says."""
        cell = entry["cell"]
        self.begun.discard(cell)
        self.failed.pop(cell, None)
        self.hindered.pop(cell, None)
        if "summary" in entry:
            self.done[cell] = self.end
        elif "error" in entry:
            self.failed[cell] = entry["error"]
        elif "hindered" in entry:
            self.hindered[cell] = entry["hindered"]
        else:
            self.begun.add(cell)
        self.end += length

    def summary(self, cell: int) -> Summary:
        """The summary of one finished cell."""
        with self.path.open("rb") as file:
            file.seek(self.done[cell])
            return cast("Summary", json.loads(file.readline())["summary"])

    def summaries(self) -> Iterator[tuple[int, Summary]]:
        """The finished cells and their summaries, in the order of their numbers."""
        with self.path.open("rb") as file:
            for cell, place in sorted(self.done.items()):
                file.seek(place)
                yield cell, cast("Summary", json.loads(file.readline())["summary"])


class Writer:
    """A journal that this process, and no other, goes on with."""

    def __init__(self, path: Path, cells: Container[int]) -> None:
        """Opens it; what the end of another process cut off is dropped.

        Raises:
            SweepError: Another process writes it.
        """
        self.path = path
        self.file = opened(path)
        try:
            self.journal = Journal(path, cells)
            sync(path.parent)
            self.file.truncate(self.journal.end)
        except BaseException:
            self.file.close()
            raise

    def begin(self, cell: int) -> None:
        """Notes that a cell is about to run."""
        self.write({"cell": cell})

    def finish(self, cell: int, summary: str) -> None:
        """Keeps a cell's summary, JSON on one line."""
        self.write({"cell": cell, "summary": json.loads(summary)})
        os.fsync(self.file.fileno())

    def fail(self, cell: int, error: str) -> None:
        """Notes what was wrong with a cell."""
        self.write({"cell": cell, "error": error})

    def hinder(self, cell: int, reason: str) -> None:
        """Notes what kept a cell from being run that is not wrong with the cell itself."""
        self.write({"cell": cell, "hindered": reason})

    def write(self, entry: Entry) -> None:
        """Appends a line, which from then on outlives this process."""
        self.journal.take(entry, append(self.file, self.path, entry))

    def close(self) -> None:
        """Lets others have it."""
        self.file.close()
