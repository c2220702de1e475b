"""A published experiment, as `airloom.papers` gives it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from airloom.api.arguments import optional_callable, path
from airloom.api.named import Named
from airloom.api.run import Run

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

    from airloom.papers.claim import Claim
    from airloom.papers.paper import Paper
    from airloom.papers.scorer import Score


class PublishedPaper:
    """A paper: what it claims, and the runs that repeat its experiments.

    Attributes:
        id: Its name here.
        title: What it is about.
        citation: Where it was published.
    """

    def __init__(self, paper: Paper) -> None:
        """Shows a paper that was read."""
        self._paper = paper
        self.id = paper.id
        self.title = paper.title
        self.citation = paper.citation.strip()

    @property
    def runs(self) -> dict[str, str]:
        """The titles of its runs, by their names."""
        return {name: run.title for name, run in self._paper.runs.items()}

    @cached_property
    def claims(self) -> list[Claim]:
        """What it claims, each with its place in the paper.

        Raises:
            PaperError: Their file is broken.
        """
        from airloom.papers.claim import read_claims

        return list(read_claims(self._paper))

    def make(
        self,
        *names: str,
        fresh: bool = False,
        progress: Callable[[float, int], object] | None = None,
    ) -> Named[Run]:
        """Its runs of these names, or all: those that were made before, and the others made now, on all cores.

        Args:
            names: Names from `runs`, or of grids, which stand for all of theirs.
            fresh: Makes those that are there once more.
            progress: Called with how many are done, parts included, and of how many, from any thread.

        Raises:
            PaperError: There is no such run.
            RunError: One could not be made or written.
        """
        from airloom.papers import runner

        optional_callable(progress, "progress")
        made = runner.make(self._paper, names or self._paper.runs, fresh=fresh, progress=progress)
        return Named(f"run of {self.id}", {name: Run(run.path, run.summary) for name, run in made.items()})

    def score(self, *, fresh: bool = False, progress: Callable[[float, int], object] | None = None) -> list[Score]:
        """Holds our results against the published ones, over all its sets of seeds; makes the runs that are missing.

        Args:
            fresh: As for `make`.
            progress: As for `make`.
        """
        from airloom.papers.make_and_score import make_and_score

        optional_callable(progress, "progress")
        return make_and_score(self._paper, fresh=fresh, progress=progress).scores

    def figures(
        self,
        out: str | os.PathLike[str],
        *,
        fresh: bool = False,
        progress: Callable[[float, int], object] | None = None,
    ) -> Path:
        """Draws its figures from our runs, one page, with the score.

        Args:
            out: The page: a file that ends in `.html`.
            fresh: As for `make`.
            progress: As for `make`.
        """
        from airloom.papers import figures_page
        from airloom.papers.figure_file import read_figures
        from airloom.papers.make_and_score import make_and_score

        optional_callable(progress, "progress")
        target = path(out, "out", "scan.html")
        scored = make_and_score(self._paper, read_figures(self._paper).runs, fresh=fresh, progress=progress)
        figures_page.write(self._paper, scored.runs, scored.scores, target)
        return target

    def __repr__(self) -> str:
        """Name, title and size."""
        return f"<paper {self.id}: {self.title} ({len(self._paper.runs)} runs)>"
