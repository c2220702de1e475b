"""Prints what became of a paper's claims, over its sets of seeds; without a paper, of all.

`score_table.py [PAPER]` prints a table, with `--notes` the figures behind each value too; `--sentence` only how many
hold; `--cells` the same as two cells of a table: the results, and all claims.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import kept_scores
from airloom.papers import paper, scorer
from airloom.papers.claim_rows import held
from airloom.support.formatting import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airloom.papers.scorer import Score


def rows(scores: list[Score], sets: int, *, notes: bool) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield "| claim | published | ours | spread | unit | evidence | holds in | |" + " in our runs |" * notes
    yield "| --- | ---: | ---: | ---: | --- | --- | ---: | --- |" + " --- |" * notes
    for one in scores:
        name = f"`{one.id}`: {one.what}" if notes else f"`{one.id}`"
        spread = quantity(one.spread) if one.spread else ""
        evidence = f"{one.kind_of_evidence} ({one.because})" if notes and one.because else one.kind_of_evidence
        values = (name, quantity(one.published), quantity(one.ours), spread, one.unit, evidence)
        yield f"| {' | '.join(values)} | {held(one.holds_in, sets)} | {one.verdict} |" + f" {one.note} |" * notes


def main() -> None:
    """Scores the papers; makes the runs that are missing."""
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
    papers = [paper.read(name) for name in names or paper.available()]
    scores = [score for one in papers for score in kept_scores.scores(one)]
    tally = scorer.tally(scores)
    if "--sentence" in sys.argv:
        lines = [str(tally)]
    elif "--cells" in sys.argv:
        lines = [f"{tally.evidence} of {tally.evidence_of} | {tally.held} of {tally.of}"]
    else:
        lines = list(rows(scores, papers[0].seed_sets, notes="--notes" in sys.argv))
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
