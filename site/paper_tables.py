"""Prints the tables of papers' pages that go beyond the claims: `paper_tables.py PAPER`."""

from __future__ import annotations

import sys
from statistics import fmean
from typing import TYPE_CHECKING

from airloom.analysis.run_view import RunView
from airloom.papers import paper, runner
from airloom.papers.grid_runs import runs_of_grids
from airloom.papers.measures import bloat as measures
from airloom.papers.measures.arf import throughputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airloom.papers.grid_runs import GridRuns


def grids(name: str, *wanted: str) -> list[GridRuns]:
    """These grids of a paper; makes the runs that are missing."""
    one = paper.read(name)
    views = {run: RunView(bundle) for run, bundle in runner.make(one, wanted).items()}
    found = runs_of_grids(one, views)
    return [found[grid] for grid in wanted]


def mean(cells: GridRuns, of: str, metric: str) -> float:
    """The mean of a number of the summary."""
    return cells.mean(lambda view: view.total(of, metric))


def short(value: float) -> str:
    """A number of one place where it is small, of none where it is not."""
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"  # noqa: PLR2004


def anomaly() -> Iterator[str]:
    """Two stations with FIFO and with the queues of mac80211."""
    two, today = grids("anomaly", "two", "today")
    queues = {"FIFO": two.where(discipline="fifo"), "mac80211": today}
    yield f"| position | | {' | '.join(two.by('position'))} |"
    yield "| --- | ---" + " | ---:" * len(two.by("position")) + " |"
    for title, flow, metric in (
        ("near, Mbit/s", "to-near", "goodput_mbps"),
        ("far, Mbit/s", "to-far", "goodput_mbps"),
        ("round trip, near, ms", "to-near", "rtt_mean_ms"),
        ("round trip, far, ms", "to-far", "rtt_mean_ms"),
    ):
        for at, (queue, cells) in enumerate(queues.items()):
            values = [short(mean(part, flow, metric)) for part in cells.by("position").values()]
            yield f"| {'' if at else title} | {queue} | {' | '.join(values)} |"


def arf() -> Iterator[str]:
    """Two sessions in four cases, under NewReno, by what TCP knows of the link's rate."""
    (beyond,) = grids("arf", "beyond")
    cases = {
        "fall": "falls to 1 Mbit/s at 20 s",
        "flapping": "11 and 1 Mbit/s in turns of 10 s",
        "arf": "ARF at 3 dB with 3 dB of fading",
        "server": "falls, behind a server link of 300 kbit/s",
    }
    yield '| case | NewReno | rate reported (`"told"`) | rate polled every second |'
    yield "| --- | --- | --- | --- |"
    for case, title in cases.items():
        cells = beyond.where(case=case, control="newreno").by("link_rate")
        yield f"| {title} | {' | '.join(map(sessions, cells.values()))} |"


def sessions(cells: GridRuns) -> str:
    """The throughputs of two sessions and their sum, in kbit/s."""
    one, other = (fmean(of_both) for of_both in zip(*map(throughputs, cells), strict=True))
    return f"{one:.0f} + {other:.0f} = {one + other:.0f}"


def bloat() -> Iterator[str]:
    """A link that loses many MPDUs, at four rates, without the remedy and with it."""
    (lossy,) = grids("bloat", "lossy")
    yield "| rate | remedy | goodput | ping | queue |"
    yield "| --- | --- | ---: | ---: | ---: |"
    for rate, cells in zip(("30", "60", "90", "150"), lossy.by("link").values(), strict=True):
        both = list(cells.by("remedy").values())
        goodput, ping, queue = (
            ", ".join(f"{part.mean(measure):.{places}f}" for part in both)
            for measure, places in ((measures.goodput, 1), (measures.ping, 0), (measures.queue, 0))
        )
        yield f"| {rate} Mbit/s | off, on | {goodput} Mbit/s | {ping} ms | {queue} packets |"


def main() -> None:
    """Prints the table of the paper that is named."""
    tables = {"anomaly": anomaly, "arf": arf, "bloat": bloat}
    sys.stdout.write("".join(f"{line}\n" for line in tables[sys.argv[1]]()))


if __name__ == "__main__":
    main()
