"""Everything that can be wrong with what a user asked for; each error is one clear message."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

GO_ON = "what was done is kept; the same command goes on from there, once that is put right"
"""How a `SweepError` ends that leaves a sweep which can be taken up again."""


class AirloomError(Exception):
    """A request that cannot be met, said in one line; further arguments are lines below it, which help.

    Messages quote names and files, so each line is shown with its control characters escaped.
    """

    def __str__(self) -> str:
        """The lines, those below the first one indented."""
        return "\n  ".join(visible(str(line)) for line in self.args)


class Mistake(NamedTuple):
    """A mistake, with the place where it stands.

    Attributes:
        file: The file as the user named it, or `set` for a value that was set over the file's.
        line: The line, from 1; of a value that was set: which of them, from 1. 0 if there is no place.
        column: The column, from 1; of a value that was set: in `key=value`.
        message: What is wrong there.
        hint: What may have been meant, or what to write.
        setting: The value that was set, as `key=value`, if the mistake is there.
    """

    file: str
    line: int
    column: int
    message: str
    hint: str | None = None
    setting: str | None = None

    @property
    def place(self) -> str:
        """Where it stands."""
        if self.setting is not None:
            return f"{self.file} {self.setting}"
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def __str__(self) -> str:
        """The place with what is wrong there, and the hint on a line below it."""
        return str(AirloomError(f"{self.place}: {self.message}", *([self.hint] if self.hint else [])))


class MistakesError(AirloomError):
    """All mistakes of a file that do not follow from one another, in the order of their places.

    Attributes:
        mistakes: The mistakes; there is at least one.
    """

    LISTED = 40
    """The mistakes that `str()` lists; `mistakes` has all of them."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        """Keeps the mistakes; `str()` gives them as a terminal shows them."""
        self.mistakes = tuple(mistakes)
        super().__init__(self.message)

    def __str__(self) -> str:
        """Each mistake with its hint below it."""
        shown = [str(mistake) for mistake in self.mistakes[: self.LISTED]]
        more = len(self.mistakes) - len(shown)
        return "\n".join([*shown, *([f"and {more} more" if more > 1 else "and one more"] if more else [])])

    def __reduce__(self) -> tuple[type[MistakesError], tuple[object, ...]]:
        """Pickles by its parts, so that it survives the way out of a worker process."""
        return (type(self), (self.mistakes,))

    @property
    def file(self) -> str:
        """The file of the first mistake."""
        return self.mistakes[0].file

    @property
    def line(self) -> int:
        """The line of the first mistake, from 1."""
        return self.mistakes[0].line

    @property
    def column(self) -> int:
        """The column of the first mistake, from 1."""
        return self.mistakes[0].column

    @property
    def message(self) -> str:
        """What is wrong first."""
        return self.mistakes[0].message

    @property
    def hint(self) -> str | None:
        """What may have been meant there, if there is a likely word."""
        return self.mistakes[0].hint


class ScenarioError(MistakesError):
    """The mistakes of a scenario, each with the place where it stands."""

    def __init__(
        self,
        file: str,
        line: int,
        column: int,
        message: str,
        hint: str | None = None,
        setting: str | None = None,
        more: Sequence[tuple[str, int, int, str, str | None, str | None]] = (),
    ) -> None:
        """Takes the first mistake in its parts, and more."""
        first = Mistake(file, line, column, message, hint, setting)
        super().__init__([first, *(Mistake(*parts) for parts in more)])

    def __reduce__(self) -> tuple[type[ScenarioError], tuple[object, ...]]:
        """Pickles by its parts, so that it survives the way out of a worker process."""
        return (ScenarioError, (*self.mistakes[0], [tuple(mistake) for mistake in self.mistakes[1:]]))


class ScenarioWarning(UserWarning):
    """A sound scenario says what it probably does not mean, such as a station that hears nothing."""


class RunError(AirloomError):
    """A run that could not be made, or whose bundle could not be written."""


class TooLargeError(RunError):
    """A run that needs more memory than is left."""


class OwnClassError(RunError):
    """A class of the user's own that cannot be used, or that raised something in a run."""

    @classmethod
    def raised(cls, hook: str, name: str, seconds: float, error: BaseException) -> OwnClassError:
        """What a hook of a class raised, as the run comes to its end: with the time in the run and the traceback."""
        where = f"`{hook}` of `{name}`, {seconds:.6f} s into the run"
        if error.__traceback__ is None:  # it was made of what the hook answered
            made = cls(f"{where}: {error}")
        else:
            made = cls(f"{where}: {type(error).__name__}: {error}", *told(error))
        made.__cause__ = error
        return made


def told(error: BaseException) -> list[str]:
    """The lines of a traceback, without the frames of this package and of Python's import."""
    import importlib
    import traceback  # which takes as long to import as all errors do, and few need it
    from pathlib import Path

    ours = tuple(f"{Path(file).parent}{os.sep}" for file in (__file__, importlib.__file__))
    every = traceback.TracebackException.from_exception(error)
    chained: list[traceback.TracebackException | None] = [every]
    while chained:
        if (one := chained.pop()) is not None:
            theirs = [frame for frame in one.stack if not frame.filename.startswith((*ours, "<frozen importlib"))]
            one.stack = traceback.StackSummary.from_list(theirs)
            chained += [one.__cause__, one.__context__]
    return "".join(every.format()).splitlines()


class BundleError(AirloomError):
    """A folder that is not a run bundle, or a damaged one."""


class CaptureError(AirloomError):
    """A file that cannot be read as a capture."""


class UnknownNameError(AirloomError, KeyError, AttributeError):
    """A flow, a station, a metric or the like that does not exist; the lines below the message name those that do."""


class PaperError(AirloomError):
    """A paper, run or claim that does not exist, or whose description is wrong."""


class GridError(AirloomError):
    """A grid that makes no sense."""


class GridMistakesError(MistakesError, GridError):
    """All mistakes of a grid, each with its place in the grid file or the scenario's."""


class SweepError(AirloomError):
    """A results folder that is not what it should be, or cells that failed."""


class MachineError(AirloomError):
    """A machine that cannot be examined or recorded: it has no Wi-Fi, or lacks what that needs."""


class EmulationError(AirloomError):
    """Real programs cannot run over a scenario here."""
