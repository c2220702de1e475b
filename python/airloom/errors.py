"""Everything that can be wrong with what a user asked for; each error is one clear message."""

from airloom.support.visible import visible

GO_ON = "what was done is kept; the same command goes on from there, once that is put right"
"""How a `SweepError` ends that leaves a sweep which can be taken up again."""


class AirloomError(Exception):
    """A request that cannot be met, said in one line; further arguments are lines below it, which help.

    Messages quote names and files, so each line is shown with its control characters escaped.
    """

    def __str__(self) -> str:
        """The lines, those below the first one indented."""
        return "\n  ".join(visible(str(line)) for line in self.args)


class ScenarioError(AirloomError):
    """A mistake in a scenario file, with the place where it stands.

    Attributes:
        file: The file as the user named it.
        line: The line, from 1.
        column: The column, from 1.
        message: What is wrong there.
        hint: What may have been meant, if there is a likely word.
    """

    def __init__(self, file: str, line: int, column: int, message: str, hint: str | None = None) -> None:
        """Keeps the place and the message; `str()` gives them as a terminal shows them."""
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
        place = f"{file}:{line}:{column}" if line else file
        super().__init__(f"{place}: {message}", *([hint] if hint else []))

    def __reduce__(self) -> tuple[type["ScenarioError"], tuple[str, int, int, str, str | None]]:
        """Pickles by its parts, so that it survives the way out of a worker process."""
        return (ScenarioError, (self.file, self.line, self.column, self.message, self.hint))


class ScenarioWarning(UserWarning):
    """A scenario without a mistake that hardly means what it says, such as a station that hears nothing."""


class RunError(AirloomError):
    """A run that could not be made, or whose bundle could not be written."""


class TooLargeError(RunError):
    """A run that needs more memory than is left."""


class BundleError(AirloomError):
    """A folder that is not a run bundle, or a damaged one."""


class UnknownNameError(AirloomError, KeyError, AttributeError):
    """A flow, a station, a metric or the like that does not exist; the lines below the message name those that do."""


class PaperError(AirloomError):
    """A paper, run or claim that does not exist, or whose description is wrong."""


class GridError(AirloomError):
    """A grid that makes no sense."""


class SweepError(AirloomError):
    """A results folder that is not what it should be, or cells that failed."""
