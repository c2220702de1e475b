"""What a task's runs show: they are made here, whatever a hand-in says of its own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from airloom import _engine
from airloom.analysis.named_figure import figure
from airloom.batch.executor import Threads
from airloom.errors import RunError
from airloom.scenario import source
from airloom.support import library

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from airloom.lab.quantity import Figure
    from airloom.lab.task import Task
    from airloom.results.summary import Summary

    Report = Callable[[float], None]

ONE_PPDU = {"mpdu": 1540, "count": 1, "msdus_per_amsdu": 1, "rts": False}
"""What `airloom airtime` takes where it is not told."""


@dataclass(frozen=True)
class Truth:
    """What a task's runs show.

    Attributes:
        runs: The summary of each run.
        airtimes: What each airtime is made of.
    """

    runs: dict[str, Summary]
    airtimes: dict[str, dict[str, Any]]

    def __call__(self, asked: Figure) -> float | None:
        """A figure; none where there is no value.

        Raises:
            RunError: Nothing of this name has such a figure.
        """
        if asked.run in self.airtimes:
            return cast("float", self.airtimes[asked.run][asked.metric])
        try:
            return figure(self.runs[asked.run], asked.metric, asked.of)
        except LookupError as error:
            raise RunError(f"{asked.run}: {error.args[0]}", *error.args[1:]) from None


def found(tasks: Sequence[Task], progress: Callable[[float], object] = lambda _: None) -> list[Truth]:
    """What the runs of tasks show, on all cores.

    Raises:
        AirloomError: A run could not be made.
    """
    wanted = [(place, run) for place, task in enumerate(tasks) for run in task.runs]

    def make(one: tuple[int, str], report: Report) -> Summary:
        place, run = one
        return summary(tasks[place], run, report)

    made: dict[tuple[int, str], Summary] = {}
    for done in Threads().run(make, wanted, progress):
        if done.error is not None:
            raise done.error
        made[done.item] = cast("Summary", done.result)
    return [
        Truth({run: made[place, run] for run in task.runs}, airtimes_of(task.sheet.get("airtime", {})))
        for place, task in enumerate(tasks)
    ]


def summary(task: Task, run: str, report: Report) -> Summary:
    """The summary of one run. The scenario is the package's, whatever lies in the current folder."""
    file = library.folder("examples") / task.sheet["scenario"]
    text, _ = source.read(file)
    return cast("Summary", json.loads(_engine.summarize(text, task.scenario, task.runs[run], task.seed, report)))


def airtimes_of(asked: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What airtimes are made of, each by its name."""
    return {name: json.loads(_engine.airtime(json.dumps({**ONE_PPDU, **one}))) for name, one in asked.items()}
