"""Prints what became of a paper's claims: `score_table.py PAPER [--notes]` as a table, `--held` as "20 of 23"."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from airloom.papers import paper, runner, scorer
from airloom.support.formatting import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airloom.papers.scorer import Score


def rows(scores: list[Score], *, notes: bool) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield "| claim | published | ours | unit | |" + " in our runs |" * notes
    yield "| --- | ---: | ---: | --- | --- |" + " --- |" * notes
    for one in scores:
        name = f"`{one.id}`: {one.what}" if notes else f"`{one.id}`"
        values = (name, quantity(one.published), quantity(one.ours), one.unit, one.verdict)
        yield f"| {' | '.join(values)} |" + f" {one.note} |" * notes


def main() -> None:
    """Scores the paper; makes the runs that are missing."""
    name, *options = sys.argv[1:]
    one = paper.read(name)
    scores = scorer.score(one, runner.make(one, scorer.needed(one)))
    if "--held" in options:
        lines = [f"{sum(score.verdict == 'holds' for score in scores)} of {len(scores)}"]
    else:
        lines = list(rows(scores, notes="--notes" in options))
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
