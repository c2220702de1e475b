"""What the runs of a fit gave: a file with one line for each, so that a fit that was interrupted goes on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NotRequired, TypedDict

from airloom.batch.lines import append, opened
from airloom.errors import SweepError
from airloom.support import reading

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Place = tuple[tuple[float, ...], str, int]
"""A run: the values of the unknowns, the experiment, the seed."""


class Entry(TypedDict):
    """A line: a wave's points, or what a run has in the place of each measurement of its experiment."""

    wave: NotRequired[int]
    hold_out: NotRequired[str]
    points: NotRequired[list[list[float]]]
    point: NotRequired[list[float]]
    experiment: NotRequired[str]
    seed: NotRequired[int]
    values: NotRequired[dict[str, float | None]]
    error: NotRequired[str]


class Journal:
    """The lines of a journal, which this process and no other goes on with.

    Attributes:
        waves: The points of each wave that was begun, by the fold that is held out and the wave's number.
        values: What each run has, by the measurement's name.
        failed: What was wrong with those that failed.
    """

    def __init__(self, path: Path) -> None:
        """Reads what is there; what the end of another process cut off is dropped.

        Raises:
            SweepError: A line is not what a fit writes, or another process is at work on it.
        """
        self.path = path
        self.waves: dict[tuple[str, int], list[tuple[float, ...]]] = {}
        self.values: dict[Place, dict[str, float | None]] = {}
        self.failed: dict[Place, str] = {}
        self.file = opened(path)
        self.file.seek(0)
        end = 0
        for number, line in enumerate(self.file.read().splitlines(keepends=True), 1):
            if not line.endswith(b"\n"):
                break
            try:
                self.take(reading.shaped(reading.json(line), Entry))
            except (ValueError, KeyError) as error:
                raise SweepError(
                    f"{path}:{number}: damaged ({error}); remove the line, and its run is made again"
                ) from None
            end += len(line)
        self.file.truncate(end)

    @property
    def runs(self) -> int:
        """How many runs it has, those that failed too."""
        return len(self.values) + len(self.failed)

    def take(self, entry: Entry) -> None:
        """Notes what a line says."""
        if "points" in entry:
            self.waves[entry["hold_out"], entry["wave"]] = [tuple(point) for point in entry["points"]]
            return
        place = tuple(entry["point"]), entry["experiment"], entry["seed"]
        self.failed.pop(place, None)
        if "values" in entry:
            self.values[place] = entry["values"]
        else:
            self.failed[place] = entry["error"]

    def wave(self, hold_out: str, number: int, points: Sequence[tuple[float, ...]]) -> None:
        """Notes the points of a wave."""
        self.write({"hold_out": hold_out, "wave": number, "points": [list(point) for point in points]})

    def finish(self, place: Place, values: dict[str, float | None]) -> None:
        """Notes what a run has."""
        point, experiment, seed = place
        self.write({"point": list(point), "experiment": experiment, "seed": seed, "values": values})

    def fail(self, place: Place, error: str) -> None:
        """Notes what was wrong with one."""
        point, experiment, seed = place
        self.write({"point": list(point), "experiment": experiment, "seed": seed, "error": error})

    def write(self, entry: Entry) -> None:
        """Appends a line, which from then on outlives this process."""
        append(self.file, self.path, entry)
        os.fsync(self.file.fileno())
        self.take(entry)

    def close(self) -> None:
        """Lets others have it."""
        self.file.close()
