"""`airloom export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from airloom.cli import kinds
from airloom.cli.common import Out
from airloom.cli.export_link import export_link, is_scenario
from airloom.cli.progress import bar
from airloom.cli.terminal import say
from airloom.errors import AirloomError
from airloom.results import table_file

Given = dict[kinds.Kind, dict[str, object]]


def export(
    what: str,
    /,
    *others: str,
    out: Annotated[Path, Out],
    table: str | None = None,
    figure: str | None = None,
    station: str | None = None,
) -> None:
    """Write a table of a run, of several, of a sweep or of a paper into a file: .csv, .json or .parquet.

    Units are in the header of a CSV file, and in the metadata of a Parquet file.

    Of a scenario it writes the link between a station and the first server into a folder, for other emulators: traces
    of mahimahi, up and down, and a script with commands for Linux's netem and tbf.

    Examples:
        airloom export out/upload -o series.csv
        airloom export out/fifo out/fq_codel --table flows -o flows.csv
        airloom export out/upload --table segments -o segments.parquet
        airloom export buffer.sweep -o cells.csv
        airloom export scan -o claims.json
        airloom export scan --figure 3 -o figure-3.csv
        airloom export examples/download.toml -o out/link

    Args:
        what: A bundle, the folder of a sweep, the name of a paper, or a scenario's file.
        others: More bundles; a first column has the name of each row's.
        out: The file; its suffix says what it becomes. Of a scenario, the folder.
        table: Of runs: series (the default), flows or nodes; with captures also sockets, segments or transmissions.
        figure: Of a paper: the data of this figure, in place of the claims and what became of them.
        station: Of a scenario: whose link; the first station's without it.
    """
    if is_scenario(what):
        refuse(what, {"a second bundle": others, "--table": table, "--figure": figure})
        export_link(what, out, station)
        return
    if station:
        raise AirloomError(f"--station is for a scenario's file, and {what} is none")
    kind = kinds.kind_of(what)
    table_file.suffix(out)
    given: Given = {"run": {"--table": table, "a second bundle": others}, "paper": {"--figure": figure}}
    kinds.refuse_foreign(what, kind, given)
    match kind:
        case "run":
            from airloom.analysis.run_tables import table_of
            from airloom.results.bundle import load

            made = table_of({one: load(one) for one in (what, *others)}, table or "series")
        case "sweep":
            from airloom.sweep import results
            from airloom.sweep.table import build

            there = results.load(Path(what))
            if not there.journal.done:
                raise AirloomError(f"{what}: no cell is done yet")
            made = build(there.plan.grid, there.journal)
        case _:
            from airloom.papers import figures_page, paper, runner, tables
            from airloom.papers.figure_file import read_figures
            from airloom.papers.make_and_score import make_and_score

            published = paper.read(what)
            wanted = figures_page.numbered(read_figures(published), figure) if figure is not None else None
            with bar(what) as shown:
                if wanted:
                    runs = runner.make(published, wanted.runs, progress=shown.update)
                    made = tables.of_figure(published, wanted, runs)
                else:
                    made = tables.of_claims(make_and_score(published, progress=shown.update).scores)
    table_file.write(made, out)
    say(str(out))


def refuse(what: str, given: dict[str, object]) -> None:
    """Refuses options that are for no scenario."""
    for option, value in given.items():
        if value:
            raise AirloomError(f"{option} is for runs and papers, and {what} is a scenario")
