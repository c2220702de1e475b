"""Many pieces of work at the same time."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from itertools import count, islice
from typing import TYPE_CHECKING

from airloom.batch.executor import GRACE_S, StoppedError, Threads

if TYPE_CHECKING:
    from collections.abc import Callable


def square(item: int, report: Callable[[float], None]) -> int:
    report(0.5)
    if item == 3:
        raise ValueError("three")
    return item * item


def test_every_item_is_done_once_and_a_failure_stops_no_other() -> None:
    finished = list(Threads(2).run(square, range(10), lambda _: None))
    assert sorted(one.item for one in finished) == list(range(10))
    assert {one.item: one.result for one in finished if not one.error} == {n: n * n for n in range(10) if n != 3}
    (failed,) = (one for one in finished if one.error)
    assert (failed.item, str(failed.error)) == (3, "three")


def test_work_goes_on_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=10)
    finished = list(Threads(2).run(lambda _, __: both.wait(), range(4), lambda _: None))
    assert [one.error for one in finished] == [None] * 4


def test_progress_is_the_sum_of_all_and_ends_with_their_number() -> None:
    reported: list[float] = []
    list(Threads(1).run(square, range(3), reported.append))
    assert sorted(reported) == [0.5, 1.0, 1.5, 2.0, 2.5, 3.0]


def test_items_are_taken_as_there_is_room_for_them() -> None:
    with closing(Threads(2).run(lambda item, _: item, count(), lambda _: None)) as finished:
        assert len(list(islice(finished, 5))) == 5


def test_closing_the_results_stops_the_work() -> None:
    ended = []

    def work(item: int, report: Callable[[float], None]) -> None:
        try:
            while item:
                report(0.1)
                time.sleep(0.001)
        except StoppedError:
            ended.append(item)
            raise

    with closing(Threads(2).run(work, range(100), lambda _: None)) as finished:
        assert next(finished).item == 0
        begin = time.monotonic()
    assert time.monotonic() - begin < GRACE_S
    assert 1 <= len(ended) <= 3
