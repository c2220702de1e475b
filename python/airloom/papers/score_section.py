"""The section of a paper's page that shows its score: a line for each claim, of which the rest unfolds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.errors import PaperError
from airloom.papers import scorer
from airloom.papers.claim_rows import held
from airloom.support import atomic
from airloom.support.formatting import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from airloom.papers.paper import Paper
    from airloom.papers.scorer import Score

PAGE = "README.md"

SECTION = re.compile(r"(?P<begin><!-- score -->\n).*?(?P<end><!-- end -->)", re.DOTALL)
"""What lies between the two is written anew."""


def write(paper: Paper, scores: Sequence[Score]) -> None:
    """Writes a paper's score into the page in its folder.

    Raises:
        PaperError: The paper has no page, or the page no place for the score.
    """
    text = written(page(paper), section(scores, paper.seed_sets))
    with atomic.whole(paper.folder / PAGE) as partial:
        partial.write_text(text, encoding="utf-8")


def page(paper: Paper) -> str:
    """A paper's page.

    Raises:
        PaperError: The paper has no page, or the page no place for the score.
    """
    file = paper.folder / PAGE
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise PaperError(f"{file}: {error.strerror}; a page is needed for the score to go into") from None
    except UnicodeDecodeError as error:
        raise PaperError(f"{file}: {error}") from None
    if (places := len(SECTION.findall(text))) != 1:
        raise PaperError(
            f"{file}: {places} places for the score; write <!-- score --> and <!-- end --> once, each on its own line"
        )
    return text


def written(page: str, score: str) -> str:
    """A page with another score between its markers."""
    return SECTION.sub(lambda found: f"{found['begin']}{score}{found['end']}", page)


def section(scores: Sequence[Score], sets: int) -> str:
    """The score in Markdown: how many claims hold, and a table."""
    return "".join(f"{line}\n" for line in lines(scores, sets))


def lines(scores: Sequence[Score], sets: int) -> Iterator[str]:
    """The lines of the section."""
    yield f"Over {sets} sets of seeds, {scorer.tally(scores)} (results version {_engine.results()})."
    yield ""
    yield "| claim | published | ours | unit | evidence | holds in | |"
    yield "| --- | ---: | ---: | --- | --- | ---: | --- |"
    for one in scores:
        name = f"<details><summary><code>{one.id}</code></summary>{cell(' '.join(behind(one)))}</details>"
        cells = (quantity(one.published), quantity(one.ours), one.unit, one.kind_of_evidence)
        yield f"| {name} | {' | '.join(cells)} | {held(one.holds_in, sets)} | {one.verdict} |"


def behind(one: Score) -> Iterator[str]:
    """What unfolds below a claim: sentences."""
    yield f"{one.what} ({one.where})."
    if one.spread:
        yield f"Over the sets: {quantity(one.spread)}."
    if one.because:
        yield f"{one.kind_of_evidence.capitalize()}: {one.because}."
    if one.note:
        yield f"In our runs: {one.note}."


def cell(text: str) -> str:
    """A text that stays in its cell and is no markup."""
    return re.sub(r"([\\|*_`\[\]])", r"\\\1", text).replace("<", "&lt;").replace("\n", " ")
