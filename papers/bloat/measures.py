"""What our runs say about pseudo retry-out: pings beside uploads, queues, throughput, and the state machine itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.papers.measure import Measures, Ours
from airloom.support.formatting import listed
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from airloom.analysis.run_view import RunView
    from airloom.papers.grid_runs import GridRuns

MEASURES = Measures()
claim = MEASURES.claim

MATRIX = "matrix"
SENDER_SIDE = "sender-side"

SLOW = 20.0
"""Mbit/s below which a link is slow."""

MIDDLING = 50.0
"""Mbit/s up to which the remedy is to keep queues short."""

HELD_BACK = ("tsq", "codel")
"""Senders that keep their queue short by themselves."""

LINUX = ("none", *HELD_BACK)
"""Senders whose transmit queue was measured: section IV.B has it of the Linux computer alone."""

TENTH = 0.10
"""A goodput that changes by no more than this share counts as the same."""

ALIKE = 0.15
"""Throughput is not affected when no more than this share is missing."""

CLEAR = 0.75
"""A gain is clear when less than this share of the old value is left: a small change is one of a quarter at most."""

LARGER = 1.25
"""What is clearly larger is so by this factor."""

BEARABLE = 250.0
"""Milliseconds of a round trip that is small, and no problem: the most that a ping may take which does not suffer from
delay. Around 200 is called suppressed, and a quarter more is no large change."""

PINGS_AROUND_200 = (100.0, 300.0)
"""Milliseconds of a run where all runs have around 200: a point of a figure, which is a run, may lie twice as far off
as their mean, which is 25 % (half of the digit that is given)."""

QUEUES_AROUND_600 = (420.0, 780.0)
"""The same of packets of a queue where all runs have around 600: twice 15 %."""

QUEUES_AROUND_100 = (20.0, 180.0)
"""The same where all runs have around 100: twice the list's 40 %, which is tighter than the words' 50 %."""

SHORT_QUEUE = 50.0
"""Packets below which the remedy keeps queues on middling links."""


@MEASURES.quantity("rate")
def rate(view: RunView) -> float:
    """Mean data rate of the laptop's A-MPDUs, in Mbit/s: where it stands, as published."""
    return view.total("laptop", "ampdu_rate_mbps")


@MEASURES.quantity("ping")
def ping(view: RunView) -> float:
    """Mean round trip of the ping, in milliseconds."""
    return view.total("ping", "rtt_mean_ms")


@MEASURES.quantity("queue")
def queue(view: RunView) -> float:
    """Mean number of packets between TCP and the air, in the queue and the driver."""
    laptop = next(node for node in view.run.summary["nodes"] if node["name"] == "laptop")
    return math.fsum(layer.get("mean_packets", 0.0) for layer in laptop["queues"])


@MEASURES.quantity("goodput")
def goodput(view: RunView) -> float:
    """Goodput of the upload in Mbit/s."""
    return view.total("upload", "goodput_mbps")


def senders(cells: GridRuns, remedy: str) -> dict[str, GridRuns]:
    """The runs with or without the remedy, by sender."""
    return cells.where(remedy=remedy).by("sender")


def slow_pings(cells: dict[str, GridRuns]) -> dict[str, dict[str, float]]:
    """The mean ping at each place that is slow for a sender, by sender and place."""
    return {
        name: {place: part.mean(ping) for place, part in runs.by("place").items() if part.mean(rate) < SLOW}
        for name, runs in cells.items()
    }


def runs_of(cells: GridRuns, low: float = 0.0, high: float = math.inf) -> list[RunView]:
    """The runs whose own mean data rate lies between these: each run is a point of a figure."""
    return [view for view in cells if low <= rate(view) < high]


def slow_runs(cells: dict[str, GridRuns], *, held_back: bool) -> dict[str, list[float]]:
    """The mean ping of each slow run, by sender: of those that hold back, or of the others."""
    chosen = {name: runs for name, runs in cells.items() if (name in HELD_BACK) is held_back}
    return {name: [ping(view) for view in runs_of(runs, high=SLOW)] for name, runs in chosen.items()}


def every(by: dict[str, list[float]]) -> list[float]:
    """The values of all senders."""
    return [value for values in by.values() for value in values]


def among(pings: dict[str, dict[str, float]], *, held_back: bool) -> dict[str, dict[str, float]]:
    """Those of the senders that hold back, or of the others."""
    return {name: found for name, found in pings.items() if (name in HELD_BACK) is held_back}


def by_place(pings: dict[str, dict[str, float]]) -> str:
    """These as text."""
    return f"ms by slow place: {'; '.join(f'{name} {listed(found.values())}' for name, found in pings.items())}"


def longer(pings: dict[str, dict[str, float]]) -> bool:
    """Whether each sender that holds nothing back has a long ping wherever it is slow, which it is somewhere.

    It is clearly longer than that of each sender that holds back, wherever both are slow.
    """
    held, free = ([pings[name] for name in pings if (name in HELD_BACK) is wanted] for wanted in (True, False))
    long = all(free) and all(value > BEARABLE for a in free for value in a.values())
    return long and all(a[place] > LARGER * b[place] for a in free for b in held for place in a.keys() & b.keys())


def gains(before: dict[str, dict[str, float]], after: dict[str, dict[str, float]]) -> bool:
    """Whether each sender that holds nothing back clearly gains at each place that is slow for it both times.

    A sender without such a place shows no gain.
    """
    return all(
        gain(old, {place: after[name][place] for place in old.keys() & after[name].keys()})
        for name, old in among(before, held_back=False).items()
    )


def gain(before: dict[str, float], after: dict[str, float]) -> bool:
    """The same of one sender's pings, by places of which the latter are some of the former."""
    return bool(after) and all(value < CLEAR * before[place] for place, value in after.items())


def by_name(values: dict[str, float], unit: str) -> str:
    """Values with their names and unit."""
    return ", ".join(f"{name} {value:.0f} {unit}" for name, value in values.items())


# ---------------------------------------------------------------------------------------------------- round trips


@claim("bloat.rtt.none", MATRIX)
def long_pings(matrix: GridRuns) -> Ours:
    """The worst ping of a run on a slow link; senders that hold nothing back have clearly longer ones at each."""
    without = senders(matrix, "off")
    found = slow_pings(without)
    worst = max(every(slow_runs(without, held_back=False)), default=math.nan)
    return Ours(worst, by_place(found), sound=longer(found))


@claim("bloat.rtt.tsq", MATRIX)
def short_pings(matrix: GridRuns) -> Ours:
    """The mean ping over a sender's slow runs, of the two that keep their queue short; each run lies around it.

    Each has slow ones.
    """
    found = slow_runs(senders(matrix, "off"), held_back=True)
    means = {name: mean(pings) for name, pings in found.items() if pings}
    ours = min(means.values(), default=math.nan), max(means.values(), default=math.nan)
    runs = every(found)
    return Ours(
        ours,
        f"{by_name(means, 'ms')}; {spread(runs, 'ms')}",
        sound=all(found.values()) and lie(runs, PINGS_AROUND_200),
    )


def lie(values: list[float], between: tuple[float, float]) -> bool:
    """Whether there are values, and all of them lie between these."""
    return bool(values) and between[0] <= min(values) and max(values) <= between[1]


def spread(values: list[float], unit: str) -> str:
    """The values of single runs as text."""
    return f"{min(values, default=math.nan):.0f} to {max(values, default=math.nan):.0f} {unit} by run"


@claim("bloat.rtt.fixed", MATRIX)
def remedied_pings(matrix: GridRuns) -> Ours:
    """The least and the most of a run of any sender on a slow link with the remedy; each has one.

    Those that hold nothing back clearly gain.
    """
    off, on = (senders(matrix, remedy) for remedy in ("off", "on"))
    before, after = slow_pings(off), slow_pings(on)
    runs = every(slow_runs(on, held_back=False)) + every(slow_runs(on, held_back=True))
    return Ours(
        (min(runs, default=math.nan), max(runs, default=math.nan)),
        f"{by_place(after)}; {spread(runs, 'ms')}",
        sound=all(after.values()) and gains(before, after),
    )


# --------------------------------------------------------------------------------------------------------- queues


@claim("bloat.queue.none", MATRIX)
def long_queue(matrix: GridRuns) -> Ours:
    """The mean queue over all places of Linux that holds nothing back; that of each run lies around it."""
    runs = senders(matrix, "off")["none"]
    queues = [queue(view) for view in runs]
    return Ours(runs.mean(queue), spread(queues, "packets"), sound=lie(queues, QUEUES_AROUND_600))


@claim("bloat.queue.tsq", MATRIX)
def short_queue(matrix: GridRuns) -> Ours:
    """The mean queue over all places with TCP small queues and with CoDel, the shorter and the longer one.

    That of each run lies around it.
    """
    runs = senders(matrix, "off")
    over_all = {name: runs[name].mean(queue) for name in HELD_BACK}
    queues = [queue(view) for name in HELD_BACK for view in runs[name]]
    return Ours(
        (min(over_all.values()), max(over_all.values())),
        f"{by_name(over_all, 'packets')}; {spread(queues, 'packets')}",
        sound=lie(queues, QUEUES_AROUND_100),
    )


@claim("bloat.queue.fixed", MATRIX)
def remedied_queues(matrix: GridRuns) -> Ours:
    """The shortest and the longest queue of a run of a Linux sender up to middling rates, with the remedy."""
    queues = {
        name: [queue(view) for view in runs_of(runs, high=MIDDLING)] for name, runs in senders(matrix, "on").items()
    }
    measured = [value for name in LINUX for value in queues[name]]
    longest = {name: max(values, default=math.nan) for name, values in queues.items()}
    return Ours(
        (min(measured, default=math.nan), max(measured, default=math.nan)), f"longest: {by_name(longest, 'packets')}"
    )


@claim("bloat.queue.fast", MATRIX)
def queue_grows_again(matrix: GridRuns) -> Ours:
    """Above middling rates the mean queue is clearly longer than any below; pings are small there.

    They are so with the remedy and without it.
    """
    off, on = (senders(matrix, remedy) for remedy in ("off", "on"))
    slow = max((queue(view) for view in runs_of(on["none"], high=MIDDLING)), default=math.nan)
    fast = mean(queue(view) for view in runs_of(on["none"], low=MIDDLING))
    pings = [max((ping(view) for view in runs_of(runs["none"], low=MIDDLING)), default=math.nan) for runs in (on, off)]
    return Ours(
        grows(slow, fast) and all(ping < BEARABLE for ping in pings),
        f"{fast:.0f} packets on average instead of {slow:.0f} at most; ping {pings[0]:.0f} ms at most, "
        f"{pings[1]:.0f} ms without the remedy",
    )


def grows(slow: float, fast: float) -> bool:
    """Whether a queue is clearly longer on fast links than on slow ones, and than it may be there, in packets."""
    return not math.isnan(slow) and fast > max(SHORT_QUEUE, LARGER * slow)


# ----------------------------------------------------------------------------------------------------- throughput


@claim("bloat.goodput", MATRIX)
def same_goodput(matrix: GridRuns) -> Ours:
    """The goodput of every sender at every place changes by a tenth at most."""
    changes = {}
    for name, runs in senders(matrix, "on").items():
        before = senders(matrix, "off")[name].by("place")
        for place, cells in runs.by("place").items():
            change = cells.mean(goodput) / before[place].mean(goodput) - 1
            changes[name, place] = (change, cells.mean(rate))
    worst = max(changes, key=lambda at: abs(changes[at][0]))
    change, speed = changes[worst]
    return Ours(abs(change) <= TENTH, f"most: {change:+.1%}, {worst[0]} at {speed:.0f} Mbit/s")


@claim("bloat.same", MATRIX)
def unaffected(matrix: GridRuns) -> Ours:
    """Without the remedy a long queue costs no throughput where links are slow, beside one that holds it back."""
    runs = {name: part.by("place") for name, part in senders(matrix, "off").items()}
    short = {place: max(runs[name][place].mean(goodput) for name in HELD_BACK) for place in runs[LINUX[0]]}
    less = {
        (name, place): 1 - cells.mean(goodput) / short[place]
        for name, by in runs.items()
        for place, cells in by.items()
        if name not in HELD_BACK and cells.mean(rate) < SLOW
    }
    if not less:
        return Ours(False, "no link is slow")
    name, place = worst = max(less, key=less.__getitem__)
    speed = runs[name][place].mean(rate)
    return Ours(less[worst] <= ALIKE, f"most: {name} {less[worst]:.1%} less at {speed:.0f} Mbit/s")


@claim("bloat.sender_side", SENDER_SIDE)
def fewer_retries(runs: GridRuns) -> Ours:
    """Fewer retransmissions by the sender resolve the delay at each place whose link is slow."""
    fixed, by_rate = (runs.where(limit=limit).by("place") for limit in ("fixed", "rate"))
    slow, notes = [], []
    for place, cells in fixed.items():
        before, after = cells.mean(ping), by_rate[place].mean(ping)
        notes.append(f"{before:.0f} to {after:.0f} ms at {cells.mean(rate):.0f} Mbit/s")
        if cells.mean(rate) < SLOW:
            slow.append(resolved(before, after))
    return Ours(bool(slow) and all(slow), "; ".join(notes))


def resolved(before: float, after: float) -> bool:
    """Whether a ping, in ms, is no problem any more and clearly shorter than before."""
    return after <= BEARABLE and after < CLEAR * before


# -------------------------------------------------------------------------------------------- the state machine


@claim("bloat.example")
def worked_example() -> Ours:
    """The receiver's action for each MPDU of the published example, cell by cell."""
    ampdus = ["1 2! 3 4! 5", "6! 7 8", "2! 4! 9! 10!", "2 4! 9 10!", "6", "4! 10", "4"]
    expected = [
        {1: "up", 2: "0", 3: "keep", 4: "0", 5: "keep"},
        {6: "0", 7: "keep", 8: "keep"},
        {2: "1", 4: "1", 9: "0", 10: "0"},
        {2: "up", 3: "up", 4: "lost", 5: "up", 9: "keep", 10: "1"},
        {6: "up", 7: "up", 8: "up", 9: "up"},
        {4: "3", 10: "up"},
        {4: "ignore"},
    ]
    ours = _engine.receive(6.5, 1, ampdus)
    wrong = [number for number, (row, cells) in enumerate(zip(ours, expected, strict=True), 1) if row != cells]
    cells = sum(len(row) for row in expected)
    return Ours(not wrong, f"{cells} cells" + "".join(f"; A-MPDU({number}) differs" for number in wrong))


@claim("bloat.index")
def index_by_rate() -> Ours:
    """The index on either side of each bound, and the weights of the average."""
    bounds = {6.5: 2, 25.0: 2, 25.1: 5, 50.0: 5, 50.1: 8, 100.0: 8, 100.1: None, 300.0: None}
    by_rate = {speed: _engine.retry_out_index([speed]) for speed in bounds}
    # 0.75 x 100 + 0.25 x 104 is above 100, 0.75 x 100 + 0.25 x 100 is not; and so at the next bound.
    smoothed = [_engine.retry_out_index([100.0, late]) for late in (104.0, 100.0)] + [
        _engine.retry_out_index([60.0, late]) for late in (20.0, 20.8)
    ]
    return Ours(by_rate == bounds and smoothed == [None, 8, 5, 8], ", ".join(f"{k:g}: {v}" for k, v in by_rate.items()))
