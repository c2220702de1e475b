"""`airloom fit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from airloom.batch.choice import executor_of
from airloom.cli.common import AsJson, Out, With, alone, bring_along
from airloom.cli.progress import bar
from airloom.cli.terminal import print_json, say
from airloom.errors import GridError
from airloom.fitting.installed import needed
from airloom.fitting.words import sentences, share
from airloom.support.formatting import count

if TYPE_CHECKING:
    from airloom.fitting.fit import Wave


LONG_S = 600.0
"""Seconds from which on it is said how long the rest takes."""

ASKED_ABOVE = 100_000
"""Runs from which on a problem may be a mistake."""


def fit(
    problem: Path,
    /,
    *,
    out: Annotated[Path | None, Out] = None,
    hold_out: str = "",
    write: bool = False,
    yes: bool = False,
    dask: str | None = None,
    modules: With = (),
    as_json: AsJson = False,
) -> None:
    """Find the worlds that a measurement allows, or go on with that.

    Examples:
        airloom fit problem.toml -o out/fit
        # fit one half, predict the other
        airloom fit problem.toml --hold-out second -o out/first-half
        # leave what was found beside a paper's claims, for its score
        airloom fit papers/arf/fit.toml -o out/arf --write

    Args:
        problem: The problem file: a scenario or a paper, what is unknown of it, and what was measured.
        out: The folder of the results. Without it, the problem's name with `.fit`, in the current folder.
        hold_out: The fold of measurements that is predicted instead of fitted.
        write: Of a paper: write what was found into its folder, as fitted.toml, which `airloom papers score` reads.
        yes: Make very many runs.
        dask: Run on a Dask cluster, with its scheduler at this address, such as tcp://10.0.0.1:8786.
        modules: A module of classes that the scenario names.
        as_json: Print what was found as JSON.
    """
    needed()
    alone(modules, dask)
    bring_along(modules)
    from airloom.fitting import fitted_file, problem_file

    asked = problem_file.read(problem, hold_out=hold_out)
    paper = fitted_file.of_paper(asked) if write else None
    asked.check()
    from airloom.fitting import folder as fits
    from airloom.fitting.pace import planned

    runs = sum(planned(asked)) * asked.of_engine
    if runs > ASKED_ABOVE and not yes:
        raise GridError(f"{problem}: {runs:,} runs; pass --yes to make them all")

    executor = executor_of(None, dask)
    folder = out if out is not None else Path(f"{problem.stem}.fit")
    try:
        with bar(folder.name) as progress:
            said = fits.run(asked, folder, executor, progress.update, lambda *wave: None if as_json else tell(*wave))
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"what was run is kept in {folder}; the same command goes on from there") from None
    if as_json:
        print_json("fit", said)
    else:
        show(said)
        say(f"written: {folder}")
    if paper:
        fitted_file.write(paper, said)


def tell(number: int, wave: Wave, left_s: float | None) -> None:
    """Says what a wave left, and how long the rest takes if that is long."""
    points = count(wave.points, "point")
    rest = f"; about {left_s / 60:.0f} minutes to go" if left_s is not None and left_s >= LONG_S else ""
    if wave.region.empty:
        off = f"{wave.region.least:.1f} standard deviations off, and {wave.region.bound:.1f} are allowed"
        say(f"wave {number}, {points}: no place is plausible; the best is {off}{rest}")
    else:
        say(f"wave {number}, {points}: {share(wave.region.share)} of what was thought possible is left{rest}")


def show(said: dict[str, Any]) -> None:
    """Shows what was found."""
    from airloom.cli.fit_tables import evidence, known, predicted
    from airloom.cli.screen import Screen

    screen = Screen()
    if not said["region"]["empty"]:
        screen.table(known(said))
    for sentence in sentences(said):
        screen.fold(sentence, indent=0, hang=0)
    if not said["region"]["empty"]:
        screen.table(predicted(said))
    if "evidence" in said:
        screen.say("")
        screen.table(evidence(said))
