"""What a name on the command line stands for: a bundle, the results of a sweep, or a paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from airloom.api.sweep_results import Sweep
from airloom.errors import AirloomError
from airloom.papers import paper
from airloom.results.bundle import is_bundle, refuse_diagnosis
from airloom.sweep import results
from airloom.sweep.query import known_metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.sweep.query import Shown

Kind = Literal["run", "sweep", "paper"]


def kind_of(what: str) -> Kind:
    """What a name stands for; a folder has precedence.

    Raises:
        AirloomError: It is none of them.
    """
    folder = Path(what)
    if is_bundle(folder):
        return "run"
    if (folder / results.IDENTITY).is_file():
        return "sweep"
    refuse_diagnosis(folder)
    papers = known_papers()
    if what in papers:
        return "paper"
    missing = "neither a bundle nor the results of a sweep" if folder.exists() else "no such folder"
    named = f", and no paper; there are {', '.join(papers)}" if papers else ""
    raise AirloomError(
        f"{what}: {missing}{named}", "`airloom run SCENARIO -o FOLDER` makes a bundle, `airloom sweep GRID` a sweep"
    )


def known_papers() -> list[str]:
    """The papers that are here."""
    try:
        return paper.available()
    except AirloomError:
        return []


def refuse_foreign(what: str, kind: Kind, given: Mapping[Kind, Mapping[str, object]]) -> None:
    """Refuses options of one kind for another.

    Args:
        what: The name that was given.
        kind: What it stands for.
        given: The options of each kind, with a true value for those that were given.
    """
    for other, options in given.items():
        for option, value in options.items():
            if value and other != kind:
                raise AirloomError(f"{option} is for a {other}, and {what} is a {kind}")


def shown(
    made: results.Results,
    metric: str | None,
    by: str | None,
    lines: tuple[str, ...],
    panels: str | None,
    of: str | None,
    over: str | None,
    where: Mapping[str, str],
) -> Shown:
    """A metric of a sweep.

    Raises:
        AirloomError: It is not said which, there is none of that name, or no cell is done.
    """
    swept = Sweep(made)
    if metric is not None and swept.metrics:
        known_metric(metric, swept.metrics)
    if metric is not None and by is None:
        raise AirloomError(f"--metric {metric}: by what? --by KEY, one of {', '.join([*swept.axes, 'entity'])}")
    if not swept.metrics:
        raise AirloomError(f"{made.folder}: no cell is done yet")
    if metric is None:
        raise AirloomError(
            f"{made.folder}: which metric? --metric NAME",
            f"there are {len(swept.metrics):,}, such as goodput_mbps; `airloom sweep show {made.folder}` lists them",
        )
    return swept.show(metric, by, lines=lines, panels=panels, of=of, over=over, where=where)
