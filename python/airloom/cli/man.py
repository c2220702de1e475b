"""`airloom man`: manual pages, made of what `--help` is made of."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.cli import manual
from airloom.cli.terminal import print_file, say
from airloom.errors import AirloomError
from airloom.support.atomic import whole
from airloom.support.formatting import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from airloom.cli.manual import Page

VIEWERS = (("man", "-l", "-"), ("mandoc", "-a"))
"""Programs that show a manual page which they read from standard input."""


def man(*command: str, install: bool = False) -> None:
    """Show a command's manual page, or install all of them.

    Away from a terminal the page is printed as its source. What is installed lies where man looks for pages of this
    user, so that `man airloom` and `man airloom-run` find them.

    Examples:
        airloom man
        airloom man sweep show
        airloom man --install

    Args:
        command: The command, such as sweep show. Without it, the program itself.
        install: Install all pages for this user.
    """
    from airloom.cli.app import app

    if install:
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "man" / "man1"
        folder.mkdir(parents=True, exist_ok=True)
        pages = list(manual.pages(app))
        for page in pages:
            with whole(folder / f"{name(page)}.1") as partial:
                partial.write_text(source(page), encoding="utf-8")
        say(f"{count(len(pages), 'page')}: {folder}")
        return
    pages = [page for page in manual.pages(app) if page.words[1:] == command]
    if not pages:
        raise AirloomError(f"no command `{' '.join(('airloom', *command))}`", "airloom --help lists the commands")
    viewer = next((one for one in VIEWERS if shutil.which(one[0])), None)
    if viewer is None or not sys.stdout.isatty():
        print_file(source(pages[0]).rstrip("\n"))
        return
    subprocess.run(viewer, input=source(pages[0]).encode(), check=False)


def name(page: Page) -> str:
    """What a page is called: `airloom-sweep-show`."""
    return "-".join(page.words)


def source(page: Page) -> str:
    """A page in the macros of man(7)."""
    return "".join(f"{line}\n" for line in lines(page))


def lines(page: Page) -> Iterator[str]:
    """The lines of a page's source."""
    yield f'.TH {name(page).upper()} 1 "" "airloom {_engine.version()}" "airloom"'
    yield ".SH NAME"
    yield f"{roff(name(page))} \\- {roff(page.purpose[:1].lower() + page.purpose[1:].rstrip('.'))}"
    yield ".SH SYNOPSIS"
    for number, call in enumerate(page.usage.split("\n")):
        if number:
            yield ".br"
        yield f"\\fB{roff(' '.join(page.words))}\\fR{roff(call.removeprefix(' '.join(page.words)))}"
    if page.paragraphs:
        yield ".SH DESCRIPTION"
        for number, text in enumerate(page.paragraphs):
            if number:
                yield ".PP"
            yield roff(text)
    for heading, rows in {"Arguments": page.arguments, **page.commands, "Options": page.options}.items():
        yield from listed(heading, rows)
    yield from examples(page)
    if page.words == ("airloom",):
        yield ".SH EXIT STATUS"
        wrong = "2 with what is wrong if the request cannot be met"
        yield roff(f"0 if all went well, 1 if --fail-on says so, {wrong}, 130 after Ctrl-C.")
    others = [other for other in related(page) if other != name(page)]
    yield ".SH SEE ALSO"
    yield ",\n".join(f"\\fB{roff(other)}\\fR(1)" for other in others)


def listed(heading: str, rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A section of names and what they are."""
    if rows:
        yield f".SH {roff(heading.upper())}"
    for what, text in rows:
        yield ".TP"
        yield f"\\fB{roff(what)}\\fR"
        yield roff(text)


def examples(page: Page) -> Iterator[str]:
    """The section of examples."""
    if page.examples:
        yield ".SH EXAMPLES"
    for number, (call, what) in enumerate(page.examples):
        if number:
            yield ".PP"
        if what:
            yield roff(what[:1].upper() + what[1:] + ":")
        yield ".nf"
        yield f"    {roff(call)}"
        yield ".fi"


def related(page: Page) -> list[str]:
    """The pages above and below a page; of the program, those of its commands."""
    above = ["-".join(page.words[:depth]) for depth in range(1, len(page.words))]
    below = [f"{name(page)}-{command}" for rows in page.commands.values() for command, _ in rows]
    return [*above, *below]


def roff(text: str) -> str:
    """A text as roff takes it for text: a minus sign is one, and no line is a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", escaped)
