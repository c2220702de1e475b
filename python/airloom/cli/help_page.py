"""`--help`, on a terminal."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING

from airloom.cli.terminal import BOLD, DIM, MOST_NARROW, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airloom.cli.manual import Page

WIDEST = 100
"""Columns of the longest line."""

INDENT = "  "

COLUMN = 26
"""Columns up to which names are as wide as they are; what is said of a longer one stands below it."""


def show(page: Page) -> None:
    """Prints a page."""
    width = min(WIDEST, max(MOST_NARROW, shutil.get_terminal_size().columns))
    first, *others = page.usage.split("\n")
    say(*wrapped(page.purpose, width), "")
    say("Usage: ", style=BOLD, end="")
    say(first, *(f"{'':7}{call}" for call in others))
    for heading, lines in sections(page, width):
        say("")
        if heading:
            say(heading, style=BOLD)
        for line in lines:
            say(line, style=DIM if line.startswith(f"{INDENT}# ") else None)


def sections(page: Page, width: int) -> Iterator[tuple[str, list[str]]]:
    """What stands below the usage: headings with their lines."""
    yield from (("", wrapped(text, width)) for text in page.paragraphs)
    tables = {"Arguments": page.arguments, **page.commands, "Options": page.options}
    yield from ((heading, columns(rows, width)) for heading, rows in tables.items() if rows)
    examples = [line for call, what in page.examples for line in (f"# {what}" if what else "", call) if line]
    if examples:
        yield "Examples", [f"{INDENT}{line}" for line in examples]
    yield "", wrapped("Documentation: airloom man, airloom schema KEY, and the pages of docs/ in the sources.", width)


def wrapped(text: str, width: int) -> list[str]:
    """A paragraph in lines."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def columns(rows: list[tuple[str, str]], width: int) -> list[str]:
    """Names, and beside them what they are."""
    start = min(COLUMN, max(len(name) for name, _ in rows) + 2 * len(INDENT))
    lines = []
    for name, text in rows:
        said = wrapped(text, width - start) or [""]
        head = f"{INDENT}{name}"
        if len(head) + len(INDENT) <= start:
            head = f"{head:<{start}}{said.pop(0)}".rstrip()
        lines += [head, *(" " * start + line for line in said)]
    return lines
