"""Many pieces of work at the same time. A sweep or a paper hands its runs to an `Executor`."""

from __future__ import annotations

import ctypes
import os
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from threading import Event, Lock, get_ident
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    Report = Callable[[float], None]

Item = TypeVar("Item")
Result = TypeVar("Result")


GRACE_S = 2.0
"""What work that is to end may take until it does, in seconds."""


class StoppedError(Exception):
    """Raised in a piece of work that is no longer wanted."""


@dataclass(frozen=True)
class Finished(Generic[Item, Result]):
    """The outcome of one item: a result, or the exception raised."""

    item: Item
    result: Result | None = None
    error: BaseException | None = None


class Executor(Protocol):
    """Does the same work on many items, several at a time."""

    def run(
        self,
        work: Callable[[Item, Report], Result],
        items: Iterable[Item],
        progress: Callable[[float], object],
    ) -> Generator[Finished[Item, Result]]:
        """Yields every item as soon as it is done; closed before its end, it stops those that are under way.

        Args:
            work: Called with an item, and with a function to which it reports the fraction that is done.
            items: Taken one by one as there is room for them.
            progress: Called with how many are done, fractions included, from any thread.
        """
        ...


class Threads:
    """All cores of this machine; threads are enough, since the engine does not hold the interpreter."""

    def __init__(self, workers: int | None = None) -> None:
        """Takes the number of threads; without one, that of the cores."""
        self.workers = workers or cores()

    def run(
        self,
        work: Callable[[Item, Report], Result],
        items: Iterable[Item],
        progress: Callable[[float], object],
    ) -> Generator[Finished[Item, Result]]:
        """Yields every item as soon as it is done; see `Executor`."""
        tally = Tally(progress)
        waiting = enumerate(items)
        at_work: dict[int, int] = {}

        def begin(number: int, item: Item) -> Result:
            at_work[number] = get_ident()
            try:
                return work(item, lambda fraction: tally.tell(number, fraction))
            finally:
                del at_work[number]

        with ThreadPoolExecutor(self.workers) as pool:
            # One more for each thread than it works on, so that none waits until its result is taken.
            pending = {pool.submit(begin, *one): one for one in islice(waiting, 2 * self.workers)}
            try:
                while pending:
                    for future in wait(pending, return_when=FIRST_COMPLETED).done:
                        number, item = pending.pop(future)
                        tally.finish(number)
                        error = future.exception()
                        yield Finished(item, None if error else future.result(), error)
                        pending |= {pool.submit(begin, *one): one for one in islice(waiting, 1)}
            finally:
                tally.stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                try:
                    # What was cancelled before it began is never done.
                    wait([one for one in pending if not one.cancelled()], timeout=GRACE_S)
                finally:
                    raise_in(at_work.values())


def raise_in(threads: Iterable[int]) -> None:
    """Ends threads that hear nothing, as in a hook that loops without end: what they run raises an error."""
    for thread in list(threads):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(StoppedError))


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Tally:
    """The progress of pieces of work that report their fractions from several threads."""

    def __init__(self, progress: Callable[[float], object]) -> None:
        """Takes the function that hears the sum."""
        self.progress = progress
        self.stop = Event()
        self.lock = Lock()
        self.done = 0
        self.fractions: dict[int, float] = {}

    def tell(self, number: int, fraction: float) -> None:
        """Takes the fraction of one of them; raises where it is to end."""
        if self.stop.is_set():
            raise StoppedError
        with self.lock:
            self.fractions[number] = fraction
            total = self.done + sum(self.fractions.values())
        self.progress(total)

    def finish(self, number: int) -> None:
        """Counts one of them as done."""
        with self.lock:
            self.fractions.pop(number, None)
            self.done += 1
            total = self.done + sum(self.fractions.values())
        self.progress(total)
