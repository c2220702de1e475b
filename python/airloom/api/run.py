"""One run as `airloom.run` and `airloom.load` give it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self

from airloom.api.named_runs import NamedRuns
from airloom.api.scratch_folder import InScratch
from airloom.errors import BundleError
from airloom.results import bundle

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from airloom.results.summary import Summary
    from airloom.support.scratch import Scratch


class Run(NamedRuns, InScratch, bundle.Run):
    """One run: its summary, its flows and nodes by name, its series and captures.

    A run that was made without `out` lies in a temporary folder of its own, which goes with it: when nothing refers to
    the run any more, at the end of a `with` block, and when the program ends.

    Attributes:
        path: The bundle's folder.
        summary: What `summary.json` holds, as a typed dict.
    """

    _TABLE = "series"

    def __init__(self, path: Path, summary: Summary, scratch: Scratch | None = None, called: str = "") -> None:
        """Binds a summary to its folder, and to the temporary folder around it, if there is one."""
        super().__init__(path, summary, called)
        self._scratch = scratch

    def named(self, name: str) -> Self:
        """The same run under a name that tells it from others, in comparisons and charts."""
        return type(self)(self.path, self.summary, self._scratch, name)

    def _by_name(self) -> Mapping[str, bundle.Run]:
        """Itself, under the name that it was given."""
        return {self.called: self}

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        from airloom.api.notebook import run_html

        return run_html(self)

    @cached_property
    def manifest(self) -> bundle.Manifest:
        """What the bundle says of itself: versions, seed, and the SHA-256 of engine and files."""
        self._there(bundle.MANIFEST)
        return super().manifest

    def file(self, name: str) -> Path:
        """A file of the bundle.

        Raises:
            BundleError: It is not as the run left it, or went with its temporary folder.
        """
        self._there(name)
        return super().file(name)

    def capture(self, name: str) -> Path:
        """A file that only a run with captures leaves."""
        self._there(name)
        return super().capture(name)

    def _there(self, name: str) -> None:
        """Refuses to look into a folder that was removed."""
        if self._scratch is not None and self._scratch.closed:
            raise BundleError(f"{name}: went with the run's temporary folder", "keep a run with out='folder'")
