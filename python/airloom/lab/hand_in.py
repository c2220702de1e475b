"""What a student has handed in: the file of a stranger, in which nothing is trusted but who and which sheet it is."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.errors import AirloomError, Mistake, MistakesError
from airloom.lab.task import task
from airloom.support import reading
from airloom.support.visible import visible

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.lab.task import Task

ANSWERS = "answers.toml"
"""What is filled in."""

LONGEST = 1 << 16
"""Bytes of the longest file of answers: one that is filled in has two thousand."""

SHOWN = 40
"""Characters of what stands there that a message shows."""

NUMBERS, CHOSEN = ("predicted", "measured"), "chosen"
"""The tables of a file of answers."""


@dataclass(frozen=True)
class HandIn:
    """A folder that was handed in.

    Attributes:
        folder: The folder, as it was named.
        task: What its student had to do: drawn anew, not read.
        predicted: What was expected, by question; nothing of what was not filled in.
        measured: What was measured, likewise.
        chosen: The letter that was chosen, likewise.
    """

    folder: str
    task: Task
    predicted: dict[str, float]
    measured: dict[str, float]
    chosen: dict[str, str]


class Reader:
    """Reads one file of answers, and collects what is wrong with it."""

    def __init__(self, name: str, text: str) -> None:
        """Nothing is wrong yet."""
        self.name, self.text = name, text
        self.mistakes: list[Mistake] = []

    def add(self, table: str, key: str, message: str, hint: str) -> None:
        """Adds a mistake at a key of a table."""
        line, column = place(self.text, table, key)
        self.mistakes.append(Mistake(self.name, line, column, message, hint))

    def check(self) -> None:
        """Ends with all mistakes, if there are any.

        Raises:
            MistakesError: There are.
        """
        if self.mistakes:
            raise MistakesError(self.mistakes)

    def table(self, content: dict[str, Any], name: str, known: set[str]) -> dict[str, Any]:
        """A table of answers: those that are filled in."""
        found = content.get(name)
        if not isinstance(found, dict):
            self.add("", name, f"there is no table [{name}]", "`airloom lab` writes the file anew, with -o elsewhere")
            return {}
        for key in sorted(found.keys() - known):
            self.add(name, key, f"[{name}] asks for no `{shortened(key)}`", f"it has {', '.join(sorted(known))}")
        return {key: value for key, value in found.items() if key in known and value != ""}

    def number(self, table: str, key: str, value: object) -> float | None:
        """A number, which may stand in the quotes that were there."""
        try:
            found = math.nan if isinstance(value, bool) or not isinstance(value, int | float | str) else float(value)
        except ValueError:
            found = math.nan
        if math.isfinite(found):
            return found
        self.add(table, key, f"{table}.{key} is {shortened(value)!r}, no number", "write it without unit: 12.3")
        return None

    def letter(self, key: str, value: object, letters: list[str]) -> str | None:
        """One of these letters."""
        if isinstance(value, str) and value.strip().lower().rstrip(".)") in letters:
            return value.strip().lower().rstrip(".)")
        said = f"{CHOSEN}.{key} is {shortened(value)!r}, no letter of it"
        self.add(CHOSEN, key, said, f"write one of {', '.join(letters)}")
        return None


def place(text: str, table: str, key: str) -> tuple[int, int]:
    """Where a key of a table stands, by line and column; 0 and 0 where it does not."""
    here = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[([\w-]+)\]", line):
            here = header[1]
        elif here == table and (found := re.match(rf"(\s*){re.escape(key)}\s*=", line)):
            return number, len(found[1]) + 1
    return 0, 0


def shortened(value: object) -> str:
    """What stands there, as a message has room for it."""
    text = str(value)
    return visible(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")


def read(folder: Path) -> HandIn:
    """Reads what was handed in.

    Raises:
        AirloomError: It is no hand-in; each mistake with its place.
    """
    file = folder / ANSWERS
    text = text_of(folder)
    name = visible(str(file))
    try:
        content = reading.toml(text)
    except ValueError as error:
        line, column, what = reading.located(error)
        hint = 'a number stands there as 12670 or 12.3, a letter in quotes as "a"'
        raise MistakesError([Mistake(name, line, column, what, hint)]) from None
    reader = Reader(name, text)
    own = task_of(reader, content)
    numbers = {one.id for one in own.questions if one.number}
    letters = {one.id: list(one.lettered) for one in own.questions if not one.number}
    predicted, measured = (
        {
            key: found
            for key, value in reader.table(content, table, numbers).items()
            if (found := reader.number(table, key, value)) is not None
        }
        for table in NUMBERS
    )
    chosen = {
        key: letter
        for key, value in reader.table(content, CHOSEN, set(letters)).items()
        if (letter := reader.letter(key, value, letters[key])) is not None
    }
    reader.check()
    return HandIn(str(folder), own, predicted, measured, chosen)


def text_of(folder: Path) -> str:
    """The text of the answers in a folder.

    Raises:
        AirloomError: There is none that can be read.
    """
    file = folder / ANSWERS
    try:
        return reading.read(file, LONGEST).decode("utf-8")
    except FileNotFoundError:
        remedy = f"name the folder that has {ANSWERS}; `airloom lab NAME --student ID` writes one"
        raise AirloomError(
            f"{folder}: has no {ANSWERS}" if folder.is_dir() else f"{folder}: no such folder", remedy
        ) from None
    except NotADirectoryError:
        raise AirloomError(f"{folder}: a file, no folder", f"name the folder that has {ANSWERS}") from None
    except UnicodeDecodeError:
        raise AirloomError(f"{file}: not text in UTF-8", "save it as plain text") from None
    except ValueError:
        raise AirloomError(f"{file}: longer than any answers", f"it has {LONGEST >> 10} KiB at most") from None
    except OSError as error:
        raise AirloomError(f"{file}: cannot be read: {error.strerror}") from None


def task_of(reader: Reader, content: dict[str, Any]) -> Task:
    """What the student had to do, by the names in the file.

    Raises:
        AirloomError: There is no such sheet, it is nobody's, or it was filled in with another results version.
    """
    for key, example in (("sheet", "hidden"), ("student", "anna")):
        if not isinstance(content.get(key), str):
            has = f"{key} is {shortened(content[key])}, no text" if key in content else f"there is no `{key}`"
            reader.add("", key, has, f'write {key} = "{example}"')
    reader.check()
    try:
        own = task(content["sheet"], content["student"])
    except AirloomError as error:
        first, *hints = re.sub(r"^--student ", "student ", str(error)).split("\n")
        key = "student" if first.startswith("student") else "sheet"
        reader.add("", key, first, "; ".join(map(str.strip, hints)))
    reader.check()
    version = content.get("results_version")
    if version != _engine.results():
        reader.add(
            "",
            "results_version",
            f"these answers are of results version {shortened(version)}, and this airloom has {_engine.results()}",
            "other numbers are right there: grade with that airloom, or have the sheet done again with this one",
        )
    reader.check()
    return own
