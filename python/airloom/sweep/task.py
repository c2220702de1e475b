"""Runs one cell, in a thread, in a process of its own or on a machine of a cluster."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.errors import OwnClassError, RunError, ScenarioError, TooLargeError
from airloom.own.brought import digest
from airloom.own.modules import told_again
from airloom.results.bundle import load
from airloom.simulation.simulate import simulate
from airloom.support.itself import itself
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.scenario.grid import Overrides

TICK = 0.05
"""Seconds between two looks at a process."""


class CrashError(RunError):
    """A cell that kills the process in which it is run."""


FAULTS = (ScenarioError, TooLargeError, CrashError, OwnClassError)
"""Errors of the cell itself: it fails, and the other cells still run."""


@dataclass(frozen=True)
class Task:
    """A cell to be run.

    Attributes:
        number: Its number in the grid.
        overrides: What it sets over the scenario.
        seed: Its seed, if not the scenario's own.
        alone: Whether it is run in a process of its own, since one in which it was begun has died.
    """

    number: int
    overrides: Overrides
    seed: int | None
    alone: bool = False


@dataclass(frozen=True)
class Work:
    """Runs cells of one scenario.

    Attributes:
        scenario: The scenario file.
        text: Its text.
        bundles: The folder that gets the bundle of every cell; none if they are not kept.
    """

    scenario: Path
    text: str
    bundles: Path | None

    def __call__(self, task: Task, report: Callable[[float], None]) -> str:
        """Runs a cell and gives its summary, as JSON on one line."""
        report(0.0)
        if task.alone and self.can_be_apart(task):
            return self.apart(task, report)
        file = visible(str(self.scenario))
        if self.bundles is None:
            return _engine.summarize(self.text, file, task.overrides, task.seed, report)
        folder = self.bundles / str(task.number)
        run = simulate(self.text, file, task.overrides, task.seed, folder, force=folder.exists(), progress=report)
        return json.dumps(run.summary)

    def can_be_apart(self, task: Task) -> bool:
        """Whether another process knows all that the cell names: classes of a program in Python it does not."""
        return bool(told_again()) or not digest((self.text, *(value for _, value in task.overrides)))

    def apart(self, task: Task, report: Callable[[float], None]) -> str:
        """Runs a cell in a process of its own, so that it takes no other with it if it dies."""
        with tempfile.TemporaryDirectory(prefix="airloom-") as scratch:
            folder = Path(scratch) / "run" if self.bundles is None else self.bundles / str(task.number)
            arguments = command(self.scenario, task, folder, "--json", *(["--force"] if folder.exists() else []))
            with (Path(scratch) / "log").open("w+") as log:
                process = subprocess.Popen(itself(*arguments), stdout=subprocess.DEVNULL, stderr=log)
                try:
                    while process.poll() is None:
                        report(0.0)
                        time.sleep(TICK)
                finally:
                    process.kill()
                    process.wait()
                log.seek(0)
                complaint = log.read().strip()
            if process.returncode < 0:
                raise CrashError(f"the process that ran it died of signal {-process.returncode}")
            if process.returncode:
                # Raises, if the cell is at fault.
                _engine.check(self.text, visible(str(self.scenario)), task.overrides, task.seed)
                raise RunError(*map(str.strip, complaint.removeprefix("airloom: ").splitlines()))
            return json.dumps(load(folder).summary)


def command(scenario: Path, task: Task, folder: Path, *options: str) -> list[str]:
    """The command that runs a cell into a bundle, as its words."""
    settings = [word for key, value in task.overrides for word in ("--set", f"{key}={value}")]
    seed = [] if task.seed is None else ["--seed", str(task.seed)]
    return ["run", str(scenario), *told_again(), *settings, *seed, "-o", str(folder), *options]
