"""What is wrong with a grid: collected, so that all of it is reported at once, each with its place."""

from __future__ import annotations

import re

from airloom.errors import GridMistakesError, Mistake


class Complaints:
    """Collects the mistakes of a grid.

    Attributes:
        name: What messages call the grid: its file, or its name in another one.
        text: The text of the file, in which places are looked for; empty if there is none.
    """

    def __init__(self, name: str, text: str = "") -> None:
        """Nothing is wrong yet."""
        self.name = name
        self.text = text
        self.found: list[Mistake] = []

    def add(self, key: str, message: str, hint: str | None = None, *, value: str = "") -> None:
        """Adds a mistake at a key, preferably on a line that has the value too; only one for each place and message."""
        mistake = Mistake(self.name, *place(self.text, key, value), message, hint)
        if mistake not in self.found:
            self.found.append(mistake)

    def check(self) -> None:
        """Ends with all mistakes, if there are any.

        Raises:
            GridMistakesError: There are.
        """
        if self.found:
            raise GridMistakesError(sorted(self.found, key=lambda mistake: mistake[1:3]))


def place(text: str, key: str, value: str = "") -> tuple[int, int]:
    """Where in a file a key stands, by line and column: preferably on a line that has the value too; else 0 and 0."""
    word = re.compile(rf"(?<![\w.-]){re.escape(key)}(?![\w.-])")
    found = [
        (value not in line, number, match.start() + 1)
        for number, line in enumerate(text.splitlines(), 1)
        if (match := word.search(line.partition("#")[0]))
    ]
    return min(found, key=lambda one: one[0])[1:] if found else (0, 0)
