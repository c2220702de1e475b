"""A progress bar, on a terminal, for what takes over a second."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds of wall time that pass before a bar appears."""


class Bars:
    """One bar for each thing under way; nothing at all before a second has passed, or away from a terminal."""

    def __init__(self) -> None:
        """Starts the clock."""
        self.started = time.monotonic()
        self.progress: Progress | None = None
        self.tasks: dict[str, TaskID] = {}
        self.lock = Lock()

    def update(self, name: str, fraction: float) -> None:
        """Takes the fraction done of one of them."""
        with self.lock:
            if self.progress is None:
                if not sys.stderr.isatty() or time.monotonic() - self.started < PATIENCE:
                    return
                self.progress = start()
            if name not in self.tasks:
                self.tasks[name] = self.progress.add_task(name, total=1.0)
            self.progress.update(self.tasks[name], completed=fraction)

    def close(self) -> None:
        """Takes the bars away."""
        if self.progress is not None:
            self.progress.stop()


def start() -> Progress:
    """The bar itself."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    progress.start()
    return progress


@contextmanager
def bars() -> Iterator[Callable[[str, float], None]]:
    """Gives a function that takes a name and the fraction done."""
    shown = Bars()
    try:
        yield shown.update
    finally:
        shown.close()
