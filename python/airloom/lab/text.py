"""The texts of a student's folder, and the answers for a teacher."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.lab.hand_in import ANSWERS
from airloom.scenario.toml_text import quoted
from airloom.support.formatting import plain

if TYPE_CHECKING:
    from airloom.lab.task import Question, Task
    from airloom.lab.truth import Truth

SHEET = "sheet.md"
"""The sheet's file in a student's folder."""

MINUTES = 45

WIDE = 110
"""Columns of a line of prose."""


def files(task: Task) -> dict[str, str]:
    """The files of a student's folder, by name."""
    return {SHEET: sheet(task), ANSWERS: answers(task)}


def sheet(task: Task) -> str:
    """The sheet itself: predictions first, then commands, then what to read of them."""
    numbers = [one for one in task.questions if one.number]
    choices = [one for one in task.questions if not one.number]
    parts = [
        f"# {task.sheet['title']}",
        paragraph(task.sheet["goal"]),
        f"Sheet `{task.name}` of `{task.student}`; seed {task.seed}. {MINUTES} minutes.",
        "## 1. Predict",
        paragraph(
            f"Run nothing yet. What do you expect? Write a number for each into `{ANSWERS}`, below `[predicted]`. "
            "A wrong guess costs no point; a missing one does."
        ),
        "\n".join(f"- **{one.id}**{in_unit(one)}: {one.ask}" for one in numbers),
        "## 2. Measure",
        paragraph(
            "Type these in this folder. `examples/` comes with airloom, you need no file. The values are your own: "
            "your neighbours have others."
        ),
        "\n".join(["```", *task.commands(), "```"]),
        paragraph(
            "Each run prints a table, and leaves a folder of its name. Want to see more of one? "
            f"`airloom report {next(iter(task.runs))}` draws all of it on one page."
        ),
        paragraph("Write what you find below `[measured]`: three digits, as the tables have them, and no unit."),
        "\n".join(f"- **{one.id}**{in_unit(one)}: {one.read}." for one in numbers),
        "## 3. Why?",
        paragraph("Compare with what you expected. Then choose a letter for each, below `[chosen]`."),
        *map(choice, choices),
        "## 4. Hand in",
        paragraph(f"Hand in this folder; `{ANSWERS}` alone is enough. Your teacher has the reasons."),
        "## In the playground",
        paragraph(task.sheet.get("playground", playground(task))),
    ]
    return "\n\n".join(parts) + "\n"


def playground(task: Task) -> str:
    """How the sheet is done in a browser."""
    return (
        f"Without a command line: open the playground with `#lab={task.name}/{task.student}` behind its address. It "
        f"has this sheet with a button for each run, gives the points, and saves `{ANSWERS}`."
    )


def choice(one: Question) -> str:
    """A question with what there is to choose."""
    return "\n\n".join(
        [f"**{one.id}**: {one.ask}", "\n".join(f"- {key}) {text}" for key, text in one.lettered.items())]
    )


def in_unit(one: Question) -> str:
    """The unit of an answer, in brackets."""
    return f" ({one.unit})" if one.unit else ""


def paragraph(text: str) -> str:
    """A text in lines that an editor has room for."""
    return fill(text, WIDE, break_long_words=False, break_on_hyphens=False)


def answers(task: Task) -> str:
    """The file to fill in."""
    numbers = [one for one in task.questions if one.number]
    choices = [one for one in task.questions if not one.number]
    lines = [
        f'# What is asked stands in {SHEET}. Replace each "" by a number or a letter.',
        "# Write 12670 for 12,670, and 0.5 for a half.",
        f"sheet = {quoted(task.name)}",
        f"student = {quoted(task.student)}",
        f"results_version = {_engine.results()}",
        "",
        "[predicted]",
        *(f'{one.id} = ""{hint(one)}' for one in numbers),
        "",
        "[measured]",
        *(f'{one.id} = ""{hint(one)}' for one in numbers),
        "",
        "[chosen]",
        *(f'{one.id} = ""   # a letter, {", ".join(one.lettered)}' for one in choices),
    ]
    return "\n".join(lines) + "\n"


def hint(one: Question) -> str:
    """What kind of number it is."""
    return f"   # {one.unit}" if one.unit else "   # how many times, or which part: no unit"


def answer(one: Question, truth: Truth) -> str:
    """The right answer in words."""
    if one.number is None:
        return f"{one.right}) {one.lettered[one.right]}"
    return f"{plain(one.number.of(truth))} {one.unit}".strip()
