"""`airloom run`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from airloom import simulate
from airloom.bundle import REPORT
from airloom.cli.common import AsJson, Seed, Set, console, overrides, print_json
from airloom.cli.progress import bars


def run(
    scenario: Path,
    /,
    *,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    seed: Seed = None,
    settings: Set = (),
    report: bool = False,
    force: bool = False,
    as_json: AsJson = False,
) -> None:
    """Run a scenario and write its bundle.

    Args:
        scenario: The scenario file.
        out: The bundle's folder. Without it, the scenario's name with `.run`, in the current folder.
        seed: The seed, in place of the scenario's own.
        settings: A value over the scenario's, KEY=VALUE.
        report: Write report.html into the bundle too.
        force: Replace a bundle that is already there, once the new one is whole.
        as_json: Print the summary as JSON.
    """
    target = out if out is not None else Path(f"{scenario.stem}.run")
    with bars() as update:
        made = simulate.run(
            scenario,
            seed=seed,
            set=overrides(settings),
            out=target,
            force=force,
            progress=partial(update, scenario.stem),
        )
    if report:
        from airloom.report import write

        write(made, target / REPORT)
    if as_json:
        print_json(made.summary)
        return
    from airloom.cli.tables import summaries

    screen = console()
    screen.print(made.summary["title"], style="bold")
    screen.print(summaries([made]))
    screen.print(f"bundle: {target}", soft_wrap=True)
    if report:
        screen.print(f"report: {target / REPORT}", soft_wrap=True)
