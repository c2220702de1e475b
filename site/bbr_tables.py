"""Prints the tables of docs/bbr.md: `bbr_tables.py TABLE FOLDER`, of the sweep in the folder; a table has its name."""

from __future__ import annotations

import sys
from statistics import fmean
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CONTROL = "flow.0.tcp.congestion"


def rows(head: str, lines: dict[str, list[str]], columns: list[str]) -> Iterator[str]:
    """A table in Markdown."""
    yield f"| {head} | {' | '.join(columns)} |"
    yield "| --- " + "| --- " * len(columns) + "|"
    for name, cells in lines.items():
        yield f"| {name} | {' | '.join(cells)} |"


def shown(values: pl.Series) -> str:
    """A mean over the seeds: whole from 10 on, else with one place."""
    mean = fmean(values)
    return f"{mean:.0f}" if mean >= 9.95 else f"{mean:.1f}"  # noqa: PLR2004


def spread(values: pl.Series) -> float:
    """Half of what the seeds lie apart."""
    return float(max(values) - min(values)) / 2


def one(flow: pl.DataFrame) -> str:
    """A flow's goodput, its round trips and what it sent again."""
    times = f"{shown(flow['rtt_median_ms'])} / {shown(flow['rtt_p95_ms'])}"
    return f"**{fmean(flow['goodput_mbps']):.1f}**, {times}, {fmean(flow['retransmissions']):,.0f}"


def by_control(table: pl.DataFrame, keys: list[str]) -> Iterator[str]:
    """One flow: a line for each path, a column for each congestion control."""
    flows = table.filter(kind="flow")
    controls = flows[CONTROL].unique(maintain_order=True).to_list()
    lines = {
        ", ".join(map(str, path)): [one(part.filter(pl.col(CONTROL) == control)) for control in controls]
        for path, part in flows.group_by(keys, maintain_order=True)
    }
    yield from rows("", lines, controls)
    parts = [part for _, part in flows.group_by([*keys, CONTROL], maintain_order=True)]
    far = max(parts, key=lambda part: spread(part["goodput_mbps"]) / fmean(part["goodput_mbps"]))
    off = 100 * spread(far["goodput_mbps"]) / fmean(far["goodput_mbps"])
    where = ", ".join(str(far[key][0]) for key in [*keys, CONTROL])
    yield f"\nThe goodput of a seed is at most {off:.1f} % off the mean ({where})."


def alone(table: pl.DataFrame) -> Iterator[str]:
    """A path of its own."""
    return by_control(table, ["way", "place", "queue"])


def scan(table: pl.DataFrame) -> Iterator[str]:
    """A station that scans, and paths that differ in what else they may hang on."""
    return by_control(table, ["path"])


def loss(table: pl.DataFrame) -> Iterator[str]:
    """Losses of the air."""
    snr = pl.col("station.0.snr")
    return by_control(table.with_columns(pl.format("{} dB", snr).alias("station.0.snr")), ["station.0.snr"])


def both(cell: pl.DataFrame) -> str:
    """The goodputs of two flows and how far a seed is off."""
    first, second = (cell.filter(entity=name)["goodput_mbps"] for name in ("first", "second"))
    off = max(spread(first), spread(second))
    return f"{shown(first)} + {shown(second)}" + (f" (± {off:.0f})" if off >= 1 else "")


def beside(table: pl.DataFrame) -> Iterator[str]:
    """Two flows: a table for one station, and one for two."""
    flows = table.filter(kind="flow")
    pairs = flows["pair"].unique(maintain_order=True).to_list()
    for stations in ("one station", "near and far"):
        part = flows.filter(pl.col("path").str.starts_with(f"{stations}, "))
        paths = part["path"].unique(maintain_order=True).to_list()
        lines = {pair: [both(part.filter(path=path, pair=pair)) for path in paths] for pair in pairs}
        yield from rows(stations, lines, [path.removeprefix(f"{stations}, ") for path in paths])
        yield ""


TABLES: dict[str, Callable[[pl.DataFrame], Iterator[str]]] = {
    "alone": alone,
    "beside": beside,
    "scan": scan,
    "loss": loss,
    "doubts": scan,
    "order": beside,
}


def main() -> None:
    """Prints the table that is named."""
    name, folder = sys.argv[1:]
    table = pl.read_parquet(f"{folder}/table.parquet")
    sys.stdout.writelines(f"{line}\n" for line in TABLES[name](table))


if __name__ == "__main__":
    main()
