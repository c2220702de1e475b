"""Prints the tables of papers' pages that go beyond the claims: `paper_tables.py TABLE`, named after the paper."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import kept_scores
from airloom.papers import paper, runner
from airloom.papers.measures import bloat as measures
from airloom.papers.measures.arf import optima, throughputs
from airloom.papers.measures.usb import goodput
from airloom.papers.views import views_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from airloom.papers.grid_runs import GridRuns


def grids(name: str, *wanted: str) -> list[GridRuns]:
    """These grids of a paper; makes the runs that are missing."""
    one = paper.read(name)
    found = views_of(one, runner.make(one, wanted))
    return [found.grids[grid] for grid in wanted]


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
    """Two sessions in four cases, and under CUBIC in one, by what TCP knows of the link's rate."""
    (beyond,) = grids("arf", "beyond")
    cases = {
        "fall": "falls to 1 Mbit/s at 20 s",
        "flapping": "11 and 1 Mbit/s in turns of 10 s",
        "arf": "ARF at 3 dB with 3 dB of fading",
        "server": "falls, behind a server link of 300 kbit/s",
    }
    yield '| case | rate not known | rate reported (`"told"`) | rate polled every second |'
    yield "| --- | --- | --- | --- |"
    controls = {"cubic": "the first case with CUBIC", "validated": "the same with Linux's window validation"}
    rows = [(title, case, "newreno") for case, title in cases.items()]
    for title, case, control in [*rows, *((title, "fall", control) for control, title in controls.items())]:
        cells = beyond.where(case=case, control=control).by("link_rate")
        yield f"| {title} | {' | '.join(map(sessions, cells.values()))} |"


def each_session(cells: GridRuns) -> list[float]:
    """The mean throughput of each session, in kbit/s."""
    return [fmean(one) for one in zip(*map(throughputs, cells), strict=True)]


def sessions(cells: GridRuns) -> str:
    """The throughputs of two sessions and their sum, in kbit/s."""
    one, other = each_session(cells)
    return f"{one:.0f} + {other:.0f} = {one + other:.0f}"


KERNEL = Path(__file__).resolve().parents[1] / "tests" / "kernel" / "two_uploads.json"
"""What a kernel made of the same."""


def arf_kernel() -> Iterator[str]:
    """Two sessions of which the first falls, as published, simulated and carried by a kernel."""
    beyond, linux = grids("arf", "beyond", "linux")
    published = {score.id: score.published for score in kept_scores.scores(paper.read("arf"))}

    def printed(claim: str) -> float:
        """A published number."""
        value = published[claim]
        if not isinstance(value, int | float):
            raise TypeError(claim)
        return value

    found = json.loads(KERNEL.read_text(encoding="utf-8"))
    best = optima(next(iter(linux)))
    kernel = found["kernel"].partition("+")[0]
    yield f"| | published | simulated, ns-2 | simulated, Linux | Linux {kernel} | its first window |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for one in found["cells"]:
        aware = one["control"].startswith("airloom")
        name = {"reno": "Reno", "cubic": "CUBIC"}[one["control"].removeprefix("airloom_")]
        key = {"link_rate": "told" if aware else "ignore", "control": "newreno" if name == "Reno" else "cubic"}
        title = f"`{one['control']}`" if aware else name
        told = simulated = alike = "-"
        if one["options"]:
            title += f", {' '.join(one['options'])}"
        else:
            simulated = shared(each_session(beyond.where(case="fall", **key)), best)
            alike = shared(each_session(linux.where(**key)), best)
            if name == "Reno":
                claim = f"arf.t1.{'aware' if aware else 'newreno'}"
                told = shared([printed(f"{claim}.s{n}") for n in (1, 2)], best, printed(f"{claim}.jain"))
        window = f"{one['window_before']} to {one['window_after']}, within {one['took_ms']} ms" if aware else "stays"
        yield f"| {title} | {told} | {simulated} | {alike} | {shared(one['kbps'], best)} | {window} |"


def shared(rates: Sequence[float], best: Sequence[float], jain: float | None = None) -> str:
    """Throughputs in kbit/s and their sum, with Jain's index of the shares of the best, unless it is known."""
    shares = [ours / other for ours, other in zip(rates, best, strict=True)]
    index = jain or sum(shares) ** 2 / (len(shares) * sum(share**2 for share in shares))
    return f"{rates[0]:.0f} + {rates[1]:.0f} = {sum(rates):.0f}; {index:.3f}"


def arf_starts() -> Iterator[str]:
    """Five sessions that begin together or one after the other."""
    (starts,) = grids("arf", "starts")
    titles = {"one": "together at 1 s", "three": "together at 3 s", "staggered": "at 1, 2, 3, 4 and 5 s"}
    yield "| begin | NewReno, each | together | with the method, each | together |"
    yield "| --- | --- | ---: | --- | ---: |"
    for start, cells in starts.by("start").items():
        each = map(each_session, cells.by("link_rate").values())
        row = (f"{', '.join(f'{value:.0f}' for value in values)} | {sum(values):.0f}" for values in each)
        yield f"| {titles[start]} | {' | '.join(row)} |"


def usb() -> Iterator[str]:
    """The standard deviation of runs in which an adapter holds acknowledgments never, seldom or often."""
    (spells,) = grids("usb", "spells")
    titles = {"never": "no run", "seldom": "one run of twenty", "often": "one run of four"}
    yield "| acknowledgments are held in | bus, breadth first | bus, depth first | air |"
    yield "| --- | ---: | ---: | ---: |"
    for many, cells in spells.by("spells").items():
        deviations = (stdev(goodput(view) for view in part) for part in cells.by("bottleneck").values())
        yield f"| {titles[many]} | {' | '.join(f'{value:.3f}' for value in deviations)} |"


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
    """Prints the table that is named."""
    tables = {
        "anomaly": anomaly,
        "arf": arf,
        "arf-kernel": arf_kernel,
        "arf-starts": arf_starts,
        "bloat": bloat,
        "usb": usb,
    }
    sys.stdout.write("".join(f"{line}\n" for line in tables[sys.argv[1]]()))


if __name__ == "__main__":
    main()
