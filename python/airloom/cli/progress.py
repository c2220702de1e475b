"""A progress bar, on a terminal, for what takes over a second."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress, TaskID

SHOWN_AFTER_S = 1.0
"""Seconds of wall time that pass before a bar appears."""


class Bar:
    """How much is done and how long it will take; nothing before a second has passed, or away from a terminal."""

    def __init__(self, title: str) -> None:
        """Starts the clock."""
        self.title = visible(title)
        self.started = time.monotonic()
        self.shown: tuple[Progress, TaskID] | None = None
        self.lock = Lock()

    def update(self, done: float, total: int = 1, left_s: float | None = None) -> None:
        """Takes how much is done, parts included, of how many, and the seconds that the rest takes if that is known.

        It is where what is done is not alike; then the bar shows time in place of numbers.
        """
        with self.lock:
            if self.shown is None:
                if not sys.stderr.isatty() or time.monotonic() - self.started < SHOWN_AFTER_S:
                    return
                self.shown = start(total)
            progress, task = self.shown
            counted = f"{self.title}: {int(done):,} of {total:,}" if total > 1 else self.title
            spent = time.monotonic() - self.started
            whole, part = (total, done) if left_s is None else (spent + left_s, spent)
            progress.update(task, description=counted, completed=part, total=whole)

    def close(self) -> None:
        """Takes the bar away."""
        if self.shown is not None:
            self.shown[0].stop()


def start(total: int) -> tuple[Progress, TaskID]:
    """The bar itself."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from airloom.cli.screen import Screen

    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=Screen(stderr=True),
        transient=True,
    )
    progress.start()
    return progress, progress.add_task("", total=total)


@contextmanager
def bar(title: str) -> Iterator[Bar]:
    """A bar for as long as the block lasts."""
    shown = Bar(title)
    try:
        yield shown
    finally:
        shown.close()
