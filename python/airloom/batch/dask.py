"""A Dask cluster as an `Executor`: all cores of all its workers."""

from __future__ import annotations

import logging
import re
import time
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from airloom.batch.executor import Finished
from airloom.errors import GO_ON, SweepError
from airloom.simulation.simulate import engine

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from distributed import Future

    from airloom.batch.executor import Report

Item = TypeVar("Item")
Result = TypeVar("Result")

OTHER = "another build of airloom, or none"

ADDRESS = re.compile(r"\w+://\S+:\d+")
"""Dask's name for a scheduler."""

ANSWERED_WITHIN = "10s"
"""The longest time that a scheduler may take to answer."""

MUSTER = "60s"
"""The longest time until its first worker is there: a batch system starts them one after another."""

COUNTED = 1.0
"""Seconds after which the workers are counted again, since some may have come or gone."""


class Dask:
    """Sends work to the workers of a scheduler; the work and its items have to be what pickle can carry."""

    def __init__(self, scheduler: str) -> None:
        """Finds the scheduler, and that all its workers have this very build of airloom.

        Raises:
            SweepError: There is none, it has no workers, or they would give other results.
        """
        try:
            from distributed import Client
        except ImportError:
            raise SweepError("a cluster needs Dask: pip install 'airloom[dask]'") from None
        if not ADDRESS.fullmatch(scheduler):
            raise SweepError(f"{scheduler}: no address of a Dask scheduler; write tcp://HOST:8786")
        try:
            self.client = Client(scheduler, timeout=ANSWERED_WITHIN, set_as_default=False)
        except OSError as error:
            raise SweepError(f"no Dask scheduler at {scheduler}: {error}") from None
        self.scheduler = scheduler
        quieten()
        with suppress(TimeoutError):
            self.client.wait_for_workers(1, timeout=MUSTER)
        builds = self.client.run(engine, on_error="return")
        others = [worker for worker, build in builds.items() if build != engine()]
        if others or not builds:
            self.client.close()
            wrong = f"{OTHER}: {', '.join(others)}" if others else "no workers"
            raise SweepError(f"the Dask scheduler at {scheduler} has {wrong}")

    def run(
        self,
        work: Callable[[Item, Report], Result],
        items: Iterable[Item],
        progress: Callable[[float], object],
    ) -> Generator[Finished[Item, Result]]:
        """Yields every item as soon as it is done; see `Executor`. Only whole items count as progress.

        Raises:
            SweepError: The scheduler is gone; nothing comes back from it any more.
        """
        from distributed import CancelledError, as_completed

        waiting = iter(items)
        pending: dict[Future, Item] = {}
        completed = as_completed(loop=self.client.loop)

        def fill(room: int) -> None:
            for item in islice(waiting, max(0, room - len(pending))):
                future = self.client.submit(untold, work, item, engine(), pure=False)
                pending[future] = item
                completed.add(future)

        try:
            room, counted = self.room(), time.monotonic()
            fill(room)
            for done, future in enumerate(completed, 1):
                item = pending.pop(future)
                error = future.exception()
                if isinstance(error, OtherBuildError):
                    raise SweepError(f"the Dask scheduler at {self.scheduler} has {OTHER}: {error}; {GO_ON}")
                progress(done)
                yield Finished(item, None if error else future.result(), error)
                if time.monotonic() - counted > COUNTED:
                    room, counted = self.room(), time.monotonic()
                fill(room)
        except (CancelledError, OSError, RuntimeError) as error:  # whichever comes first as the connection breaks
            raise SweepError(f"the Dask scheduler at {self.scheduler} is gone: {GO_ON}") from error
        finally:
            with suppress(CancelledError, OSError, RuntimeError):
                self.client.cancel(list(pending))
            self.client.close()

    def room(self) -> int:
        """How many items are to be with the workers: one that each thread has, and one that it has next."""
        threads: int = sum(self.client.nthreads().values())
        return 2 * max(1, threads)


def quieten() -> None:
    """Keeps Dask from writing to the terminal by itself: airloom reports a lost scheduler in one line."""
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)


class OtherBuildError(Exception):
    """A worker that came later has another build of airloom; its address."""


def untold(work: Callable[[Item, Report], Result], item: Item, build: str) -> Result:
    """Does a piece of work without reporting its progress, with this build of airloom only."""
    if engine() != build:
        from distributed import get_worker

        raise OtherBuildError(get_worker().address)
    return work(item, lambda _: None)
