"""A sheet with what one student drew: the runs, their commands, and the questions."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from airloom.lab import draw, sheet
from airloom.lab.quantity import Condition, Quantity, condition, quantity
from airloom.scenario.toml_text import inline

if TYPE_CHECKING:
    from airloom.lab.sheet import QuestionEntry, Sheet
    from airloom.scenario.grid import Overrides

TOLERANCE = 0.02
"""By how much of it a number may be off: runs print three digits, and the seed is the same."""

LETTERS = "abcdefgh"


@dataclass(frozen=True)
class Question:
    """A question to one student.

    Attributes:
        id: What its answer is called in the file that is handed in.
        ask: The question.
        why: The reason of its answer.
        number: What is measured; none if there is something to choose.
        read: Where the number stands.
        unit: Its unit; empty of a ratio.
        tolerance: By which part of it an answer may be off.
        options: What there is to choose, in the student's order.
        right: The letter of the right one.
        holds: What runs show if the answer and its reason are true.
    """

    id: str
    ask: str
    why: str
    number: Quantity | None
    read: str
    unit: str
    tolerance: float
    options: tuple[str, ...]
    right: str
    holds: tuple[Condition, ...]

    @property
    def lettered(self) -> dict[str, str]:
        """What there is to choose, by letter."""
        return dict(zip(LETTERS, self.options, strict=False))


@dataclass(frozen=True)
class Task:
    """What one student does.

    Attributes:
        name: The sheet's name.
        student: Whose it is.
        sheet: The sheet, with the student's values.
        drawn: These values.
        seed: The seed of all runs.
        runs: What each run sets over the scenario, as the engine takes it.
        questions: The questions.
    """

    name: str
    student: str
    sheet: Sheet
    drawn: dict[str, Any]
    seed: int
    runs: dict[str, Overrides]
    questions: tuple[Question, ...]

    @property
    def scenario(self) -> str:
        """The scenario, as commands name it."""
        return f"examples/{self.sheet['scenario']}"

    def commands(self) -> list[str]:
        """What the student types."""
        return [*map(airtime_command, self.sheet.get("airtime", {}).values()), *self.run_commands()]

    def run_commands(self) -> list[str]:
        """The runs, each with what is done with it."""
        typed = []
        for name, entry in self.sheet["run"].items():
            words = ["airloom", "run", self.scenario, "--seed", str(self.seed)]
            for key, value in settings(self.sheet, name).items():
                words += ["--set", f"{key}={value if isinstance(value, str) else inline(value)}"]
            typed.append(shlex.join([*words, *(["--capture"] if entry.get("capture") else []), "-o", name]))
            typed += entry.get("then", [])
        return typed


def airtime_command(asked: dict[str, Any]) -> str:
    """How an airtime is asked for."""
    return shlex.join(
        ["airloom", "airtime", *(word for key, value in asked.items() for word in (f"--{key}", str(value)))]
    )


def settings(of: Sheet, run: str) -> dict[str, Any]:
    """What a run sets: what all do, and what is its own."""
    return {**of.get("set", {}), **of["run"][run].get("set", {})}


def task(name: str, student: str) -> Task:
    """What a student does of a sheet.

    Raises:
        UnknownNameError: There is no such sheet.
        AirloomError: The ID is none.
    """
    draw.checked(student)
    whole = sheet.read(name)
    drawn = draw.values(name, student, whole["draw"])
    own = cast("Sheet", draw.filled({key: value for key, value in whole.items() if key != "draw"}, drawn))
    runs = {run: [(key, inline(value)) for key, value in settings(own, run).items()] for run in own["run"]}
    questions = tuple(question(name, student, one) for one in own["question"])
    return Task(name, student, own, drawn, draw.seed(name, student), runs, questions)


def question(name: str, student: str, entry: QuestionEntry) -> Question:
    """A question as a student gets it."""
    options = draw.shuffled(name, student, entry["id"], [entry["right"], *entry["wrong"]]) if "right" in entry else []
    return Question(
        id=entry["id"],
        ask=entry["ask"],
        why=entry["why"],
        number=quantity(entry["number"]) if "number" in entry else None,
        read=entry.get("read", ""),
        unit=entry.get("unit", ""),
        tolerance=entry.get("tolerance", TOLERANCE),
        options=tuple(options),
        right=LETTERS[options.index(entry["right"])] if "right" in entry else "",
        holds=tuple(map(condition, entry.get("holds", []))),
    )
