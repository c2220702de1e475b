"""`airloom sweep`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

from cyclopts import App

from airloom.batch.choice import executor_of
from airloom.cli.common import AsJson, Out, Whole, With, alone, bring_along, pairs
from airloom.cli.kinds import shown
from airloom.cli.progress import bar
from airloom.cli.refusal import as_dicts
from airloom.cli.terminal import print_json, say, warn_of
from airloom.errors import GO_ON, GridError, SweepError
from airloom.results.aggregates import Over
from airloom.support.formatting import count
from airloom.sweep import columns, plan, results, table
from airloom.sweep.cell_warnings import of_cells
from airloom.sweep.journal import Journal
from airloom.sweep.task import command

LISTED = 5
"""Failed cells that the message lists one by one."""

app = App(name="sweep", help="Run a grid of scenarios on all cores; show what came of it.")


@app.default
def sweep(
    grid: Path,
    /,
    *,
    out: Annotated[Path | None, Out] = None,
    yes: bool = False,
    retry: bool = False,
    dask: str | None = None,
    modules: With = (),
    as_json: AsJson = False,
) -> None:
    """Run the cells of a grid, or go on with those that are missing.

    Examples:
        airloom sweep grid.toml -o out/grid
        airloom sweep show out/grid
        airloom sweep show out/grid --metric goodput_mbps --by station.0.distance

    Args:
        grid: The grid file.
        out: The folder of the results. Without it, the grid's name with `.sweep`, in the current folder.
        yes: Run a grid of very many cells.
        retry: Run those cells again that failed.
        dask: Run the cells on a Dask cluster, with its scheduler at this address, such as tcp://10.0.0.1:8786.
        modules: A module of classes that the scenarios name.
        as_json: Print what was done as JSON.
    """
    alone(modules, dask)
    bring_along(modules)
    asked = plan.read(grid)
    if asked.size > plan.ASKED_ABOVE and not yes:
        raise GridError(
            f"{grid}: {asked.size:,} cells; pass --yes to run them all, "
            "or draw some: sample = { cells = 1000, seed = 1 }"
        )
    asked.check()
    warnings = of_cells(asked)
    warn_of(warnings)
    executor = executor_of(None, dask)
    folder = out if out is not None else Path(f"{grid.stem}.sweep")
    made = results.make(asked, folder)
    before = made.journal
    try:
        with bar(folder.name) as progress:
            journal = made.run(executor, retry=retry, progress=progress.update)
    except KeyboardInterrupt:
        kept = f"{len(made.journal.done):,} of {count(asked.size, 'cell')} are kept in {folder}"
        raise KeyboardInterrupt(f"{kept}; the same command goes on from there") from None
    answer = {
        "folder": str(folder),
        "cells": asked.size,
        "run": len(journal.done) - len(before.done),
        "done": len(journal.done),
        "failed": {str(number): error for number, error in sorted(journal.failed.items())},
        "hindered": {str(number): error for number, error in sorted(journal.hindered.items())},
        "warnings": as_dicts(warnings),
    }
    if as_json:
        print_json("sweep", answer | doubtful(made))
    else:
        there = f", {len(before.done):,} of them before" if before.done else ""
        say(f"{count(asked.size, 'cell')}: {len(journal.done):,} done{there}")
        if journal.done and not journal.hindered:
            say(f"table: {folder / results.TABLE}")
        if unsettled := made.unsettled:
            say(unsettled)
        if silent := made.silent:
            say(silent)
    if journal.hindered:
        raise SweepError(*listed(made, "could not be run", journal.hindered), GO_ON)
    if journal.failed:
        raise SweepError(*listed(made, "failed", journal.failed))


@app.command
def show(
    folder: Path,
    /,
    *,
    metric: str | None = None,
    by: str | None = None,
    lines: tuple[str, ...] = (),
    panels: str | None = None,
    of: str | None = None,
    over: Over | None = None,
    where: tuple[str, ...] = (),
    cell: Annotated[int | None, Whole] = None,
    out: Annotated[Path | None, Out] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a sweep found: how far it is, one metric against one key, or one cell.

    A value is the mean over the seeds, with its 95 % confidence interval (Student's t). Axes that no
    option names are averaged first. In JSON `from` and `to` are the ends of that interval, `margin` is half
    its width, and `low` and `high` are the least and the greatest seed.

    Examples:
        airloom sweep show out/buffer
        airloom sweep show out/buffer --metric rtt_mean_ms --by ap.0.queue.limit --lines place
        airloom sweep show out/buffer --metric goodput_mbps --by place -o page.html
        airloom sweep show out/calls --metric delay_p95_ms --by ap.0.queue.discipline --of voice --over worst

    Args:
        folder: The folder of the results.
        metric: A metric of the summaries, such as goodput_mbps.
        by: The key along which it is shown: an axis, another key that the grid sets, or entity.
        lines: A second key, whose values have a column or a line each. May be given twice: a colour for each value of
            the first, a shape for each of the second.
        panels: A further key, whose values have a chart each.
        of: The flow, the node or the group whose metric it is, or run for the whole run; several with commas between
            them are one group, such as the two directions of calls: spoken,heard. Without it, each group that has it,
            and each that is of none.
        over: What is shown of a group in a run, over its members. The worst is the lowest goodput or the highest delay.
            Without it, the sum, or the median of what does not add up.
        where: Only cells with this value, KEY=VALUE. May be repeated.
        cell: Show one cell, and the command that runs it into a bundle.
        out: Write it into a file, as its suffix says: .html for a page, .csv for a table, .svg, .png or .pdf for a
            picture.
        as_json: Print JSON.
    """
    made = results.load(folder)
    if cell is not None:
        one_cell(made, cell, as_json=as_json)
        return
    journal = made.journal
    if not any((metric, by, lines, panels, of, over, where, out)):
        overview(made, journal, as_json=as_json)
        return
    if out is not None:
        from airloom.sweep import shown_file

        shown_file.check(out)
    found = shown(made, metric, by, lines, panels, of, over, pairs(where, "--where", "position=far"))
    if out is not None:
        shown_file.write(made, found, out)
    if as_json:
        notes = [*found.notes, *found.idle]
        print_json("sweep-show", {"points": found.as_json(), "unlike": found.unlike, "notes": notes})
        return
    from airloom.cli.screen import Screen
    from airloom.cli.tables import swept

    screen = Screen()
    screen.table(swept(found))
    for note in found.notes:
        screen.fold(note, indent=0, style="dim")
    for text in found.idle:
        screen.fold(text, indent=0)
    if out is not None:
        screen.say(f"written: {out}")


def overview(made: results.Results, journal: Journal, *, as_json: bool) -> None:
    """Prints the progress of a sweep, and its metrics and keys."""
    built = table.build(made.plan.grid, journal) if journal.done else None
    answer = {
        "cells": made.plan.size,
        "done": len(journal.done),
        "failed": {str(number): error for number, error in sorted(journal.failed.items())},
        "hindered": {str(number): error for number, error in sorted(journal.hindered.items())},
        "axes": {axis.name: axis.values for axis in made.plan.grid.axes},
        "columns": built.column_names if built is not None else [],
    }
    if as_json:
        print_json("sweep-progress", answer | doubtful(made))
        return
    failed = f", {len(journal.failed):,} failed" if journal.failed else ""
    hindered = f", {len(journal.hindered):,} could not be run" if journal.hindered else ""
    say(f"{count(made.plan.size, 'cell')}: {len(journal.done):,} done{failed}{hindered}")
    for axis in made.plan.grid.axes:
        say(f"  {axis.name}: {', '.join(choice.name for choice in axis.choices)}")
    if built is not None:
        for text in filter(None, (made.unsettled, made.silent)):
            say(text)
        from airloom.cli.screen import Screen

        screen = Screen()
        for heading, parts in columns.listed(built):
            screen.fold(heading, indent=0, style="bold")
            for text in parts:
                screen.fold(text, indent=2)
        screen.fold(columns.MEANING, indent=0, style="dim")
    for number, error in sorted({**journal.failed, **journal.hindered}.items()):
        say(*trouble(made, number, error))


def doubtful(made: results.Results) -> dict[str, list[int]]:
    """The cells in which a figure still changes as the run ends, and those with flows that delivered nothing."""
    return {what: sorted(numbers) for what, numbers in made.doubted.items()}


def one_cell(made: results.Results, number: int, *, as_json: bool) -> None:
    """A cell's place, what became of it, and the command that runs it."""
    if number not in made.plan.numbers:
        raise SweepError(f"{made.folder}: no cell {number}; there are {made.plan.size:,}, from {made.plan.numbers[0]}")
    journal = made.journal
    troubles = {**journal.failed, **journal.hindered}
    state = troubles.get(number, "done" if number in journal.done else "not run yet")
    summary = journal.summary(number) if number in journal.done else None
    answer = {"cell": number, "place": made.plan.grid[number].values, "state": state, "command": rerun(made, number)}
    if as_json:
        print_json("sweep-cell", {**answer, "summary": summary})
        return
    say(f"cell {number} ({placed(made, number)}): {state}", f"  {rerun(made, number)}")
    if summary is not None:
        from airloom.cli.run_tables import show
        from airloom.cli.screen import Screen

        show(Screen(), summary)


def listed(made: results.Results, what: str, cells: dict[int, str]) -> list[str]:
    """The errors of cells, each with the command that runs the cell alone."""
    lines = [f"{count(len(cells), 'cell')} {what}"]
    for number in sorted(cells)[:LISTED]:
        lines += trouble(made, number, cells[number])
    if len(cells) > LISTED:
        lines.append(f"and {len(cells) - LISTED:,} more: airloom sweep show {made.folder}")
    return lines


def trouble(made: results.Results, number: int, error: str) -> list[str]:
    """The error of a cell, and the command that runs it."""
    return [f"cell {number} ({placed(made, number)}): {error}", f"  {rerun(made, number)}"]


def placed(made: results.Results, number: int) -> str:
    """A cell's place in the grid."""
    return ", ".join(f"{axis} {value}" for axis, value in made.plan.grid[number].place.items())


def rerun(made: results.Results, number: int) -> str:
    """The command that runs a cell once more, into a bundle."""
    again = command(made.folder / results.SCENARIO, made.task(number), Path(f"cell-{number}.run"))
    return shlex.join(["airloom", *again])
