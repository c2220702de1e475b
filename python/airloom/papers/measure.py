"""What of ours is held against a claim, and from which runs it is computed.

A measure sees runs and nothing else: no published value is handed to it. One that judges a statement ("two thirds of
the time below 300 ms") has the statement's own numbers as constants.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cache
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING

from airloom.errors import PaperError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from airloom.analysis.run_view import RunView
    from airloom.papers.paper import Paper
    from airloom.papers.value import Value
    from airloom.papers.views import Views


@dataclass(frozen=True)
class Ours:
    """A result.

    Attributes:
        value: The quantity in the claim's unit, or the lowest and the highest of it, or whether the statement is true.
        note: The figures behind it, as text.
        sound: False where the number may match but a condition of the claim is not met.
    """

    value: Value
    note: str = ""
    sound: bool = True

    @property
    def known(self) -> bool:
        """Whether it is a number at all."""
        return not any(math.isnan(value) for value in (self.value if isinstance(self.value, tuple) else (self.value,)))


@dataclass(frozen=True)
class Measure:
    """How one claim's counterpart is computed, and from what: names of runs and of grids."""

    needs: tuple[str, ...]
    compute: Callable[..., Ours]

    def __call__(self, views: Views) -> Ours:
        """Computes it from a paper's runs and grids."""
        return self.compute(*(views[name] for name in self.needs))


class Measures(dict[str, Measure]):
    """The measures of one paper, by claim.

    Attributes:
        quantities: Quantities of a grid that figures can draw beside those of every summary, by name.
    """

    def __init__(self) -> None:
        """There are none at first."""
        super().__init__()
        self.quantities: dict[str, Callable[[RunView], float]] = {}

    def claim(self, claim: str, *needs: str) -> Callable[[Callable[..., Ours]], Callable[..., Ours]]:
        """Registers a function of one `RunView` for each run that is named, and of `GridRuns` for each grid."""

        def register(compute: Callable[..., Ours]) -> Callable[..., Ours]:
            self[claim] = Measure(needs, compute)
            return compute

        return register

    def quantity(self, name: str) -> Callable[[Callable[[RunView], float]], Callable[[RunView], float]]:
        """Registers what a figure calls by this name."""

        def register(compute: Callable[[RunView], float]) -> Callable[[RunView], float]:
            self.quantities[name] = compute
            return compute

        return register


def measures_of(paper: Paper) -> Measures:
    """The measures of a paper: `MEASURES` of the `measures.py` in its folder; none if they are not written yet.

    That runs the file.

    Raises:
        PaperError: The file cannot be run, or has no measures.
    """
    file = file_of(paper)
    if not file.exists():
        return Measures()
    measures = getattr(module_of(file), "MEASURES", None)
    if not isinstance(measures, Measures):
        raise PaperError(f"{file}: no MEASURES = Measures(), which holds the measures")
    return measures


def file_of(paper: Paper) -> Path:
    """Where a paper's measures are."""
    return paper.folder.resolve() / "measures.py"


@cache
def module_of(file: Path) -> ModuleType:
    """The module that a file of measures is; the file is run once, and nothing is written beside it."""
    module = ModuleType(f"measures in {file.parent}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module  # where `dataclasses` looks for it
    try:
        exec(compile(file.read_bytes(), str(file), "exec"), module.__dict__)  # noqa: S102 - what it is for
    except SyntaxError as error:
        raise PaperError(f"{error.filename}:{error.lineno}: {error.msg}") from error
    except Exception as error:
        raise failed(error, file) from error
    return module


def failed(error: Exception, file: Path, what: str = "") -> PaperError:
    """What to say of an error while code of this file ran: the last line of it that did."""
    line = next((frame.lineno for frame in reversed(extract_tb(error.__traceback__)) if frame.filename == str(file)), 0)
    return PaperError(f"{file}:{line}: {what}{type(error).__name__}: {error}")
