"""What `-o` leaves of a diagnosis: a folder with a page for people and a file for programs, or one of the two alone.

It is there whole or not at all; in a folder both are of the same time.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.diagnosis import page
from airloom.errors import BundleError
from airloom.report import html
from airloom.results.bundle import DIAGNOSIS
from airloom.results.by_suffix import refuse_file_name
from airloom.support.atomic import folder_of, whole
from airloom.support.document import named

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from airloom.diagnosis.reading import Closely

PAGE = "report.html"
DATA = DIAGNOSIS
JSON = ".json"


def check(target: Path, *, replace: bool, data: str = DATA) -> None:
    """Refuses a place where a diagnosis cannot be, or should not.

    A folder that is there may be an earlier diagnosis, if it is to be replaced, or empty; a file may be replaced.

    Raises:
        BundleError: The place is taken.
        AirloomError: It is the name of a file that is neither a page nor JSON.
    """
    if target.suffix.lower() in (*html.SUFFIXES, JSON):
        if target.is_dir():
            raise BundleError(f"{target}: is a folder, and this is a file's name; choose another with -o")
        return
    if empty(target):
        return
    if not (target.exists() or target.is_symlink()):
        refuse_file_name(
            target, "a diagnosis", "a name that ends in .html makes a page alone, .json what --json prints"
        )
        return
    if not target.is_dir() or target.is_symlink() or {file.name for file in target.iterdir()} - {PAGE, data}:
        raise BundleError(f"{target}: is no diagnosis, so it is not replaced; choose another folder")
    if not replace:
        raise BundleError(f"{target}: exists already; choose another folder, or replace it with --force")


def empty(folder: Path) -> bool:
    """Whether a folder is there that has nothing in it."""
    return folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir())


def shown(target: Path) -> Path:
    """The file to look at, of what was written there."""
    return target / PAGE if target.is_dir() else target


def write(told: Closely, target: Path, *, replace: bool = False) -> None:
    """Writes a diagnosis; one that is replaced is there until the new one is.

    Raises:
        BundleError: The place is taken.
    """
    put(lambda: page.render(told), named("diagnose", told.found), target, DATA, replace=replace)


def put(page: Callable[[], str], content: Mapping[str, object], target: Path, data: str, *, replace: bool) -> None:
    """Writes a page and what it is of, in JSON, into a folder; or the one of them that the target's suffix names.

    Raises:
        BundleError: The place is taken.
    """
    check(target, replace=replace, data=data)
    suffix = target.suffix.lower()
    if suffix in html.SUFFIXES:
        html.put(page(), target)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    text = f"{json.dumps(content, indent=2, allow_nan=False)}\n"
    if suffix == JSON:
        with whole(target) as partial:
            partial.write_text(text, encoding="utf-8")
    else:
        there = target.exists() and not empty(target)
        folder_of({PAGE: page(), data: text}, target, _engine.exchange if there else None)
