"""Grades what was handed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from airloom.errors import AirloomError
from airloom.lab.hand_in import read
from airloom.lab.text import answer
from airloom.lab.truth import found
from airloom.support.formatting import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from airloom.lab.hand_in import HandIn
    from airloom.lab.task import Question
    from airloom.lab.truth import Truth

LEAST = 0.005
"""By how much any number may be off: half of the last digit of 0.01."""


class Answered(TypedDict):
    """One question of a hand-in.

    Attributes:
        id: The question.
        points: 1, or 0.
        predicted: The number that was expected; none of a choice, or where none was filled in.
        given: The number or the letter that was handed in; none where it was left out.
        right: The right answer.
        unit: The unit of both numbers; empty of a ratio or a choice.
        said: Why there is no point; empty where there is one.
        why: The reason of the right answer.
    """

    id: str
    points: int
    predicted: float | None
    given: float | str | None
    right: str
    unit: str
    said: str
    why: str


class Graded(TypedDict):
    """A hand-in with its points.

    Attributes:
        folder: The folder.
        sheet: The sheet's name.
        student: Whose it is.
        points: The points of all questions.
        of: How many there can be.
        questions: Each question.
    """

    folder: str
    sheet: str
    student: str
    points: int
    of: int
    questions: list[Answered]


class Refused(TypedDict):
    """A folder that could not be graded, and why."""

    folder: str
    message: str


class GradedHandIns(TypedDict):
    """What `airloom lab check` says: hand-ins with their points, and folders that are none."""

    graded: list[Graded]
    refused: list[Refused]


def read_all(folders: Sequence[Path], refused: Callable[[Path, Exception], object]) -> list[HandIn]:
    """The hand-ins of some folders; a folder without one is reported to `refused`, and left out."""
    handed = []
    for folder in folders:
        try:
            handed.append(read(folder))
        except AirloomError as error:
            refused(folder, error)
    return handed


def graded(handed: Sequence[HandIn], progress: Callable[[float], object] = lambda _: None) -> list[Graded]:
    """The points of hand-ins, by runs that are made now."""
    truths = found([one.task for one in handed], progress)
    return [one_graded(one, truth) for one, truth in zip(handed, truths, strict=True)]


def one_graded(handed: HandIn, truth: Truth) -> Graded:
    """The points of one."""
    rows = [answered(one, handed, truth) for one in handed.task.questions]
    return {
        "folder": handed.folder,
        "sheet": handed.task.name,
        "student": handed.task.student,
        "points": sum(row["points"] for row in rows),
        "of": len(rows),
        "questions": rows,
    }


def answered(one: Question, handed: HandIn, truth: Truth) -> Answered:
    """What became of one question."""
    predicted = handed.predicted.get(one.id)
    given = handed.measured.get(one.id) if one.number else handed.chosen.get(one.id)
    said = fault(one, predicted, given, truth)
    return {
        "id": one.id,
        "points": 0 if said else 1,
        "predicted": predicted,
        "given": given,
        "right": answer(one, truth),
        "unit": one.unit,
        "said": said,
        "why": one.why,
    }


def fault(one: Question, predicted: float | None, given: float | str | None, truth: Truth) -> str:
    """Why there is no point; nothing if there is one."""
    if given is None:
        return "not answered"
    if one.number is None:
        return "" if given == one.right else f"{given} is wrong"
    if predicted is None:
        return "no prediction"
    right = one.number.of(truth)
    off = abs(float(given) - right)
    return "" if off <= max(one.tolerance * abs(right), LEAST) else f"{plain(float(given))} is not what the run shows"
