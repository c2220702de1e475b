"""The folder of a diagnosis: a page for people and a file for programs, both of the same time or none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.diagnosis import page
from airloom.errors import BundleError
from airloom.results.bundle import DIAGNOSIS
from airloom.support.atomic import folder_of
from airloom.support.document import named

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from airloom.diagnosis.told import Closely

PAGE = "report.html"
DATA = DIAGNOSIS


def check(folder: Path, *, replace: bool, data: str = DATA) -> None:
    """Refuses a place that has something else than an earlier diagnosis, or that if it is not to be replaced.

    Raises:
        BundleError: The place is taken.
    """
    if empty(folder) or not (folder.exists() or folder.is_symlink()):
        return
    if not folder.is_dir() or folder.is_symlink() or {file.name for file in folder.iterdir()} - {PAGE, data}:
        raise BundleError(f"{folder}: is no diagnosis, so it is not replaced; choose another folder")
    if not replace:
        raise BundleError(f"{folder}: exists already; choose another folder, or replace it with --force")


def empty(folder: Path) -> bool:
    """Whether a folder is there that has nothing in it."""
    return folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir())


def write(told: Closely, folder: Path, *, replace: bool = False) -> None:
    """Writes both files: at any time there is the old folder or the new one.

    Raises:
        BundleError: The place is taken.
    """
    put(page.render(told), named("diagnose", told.found), folder, DATA, replace=replace)


def put(page: str, content: Mapping[str, object], folder: Path, data: str, *, replace: bool) -> None:
    """Writes a page and what it is of, in JSON, into a folder.

    Raises:
        BundleError: The place is taken.
    """
    texts = {PAGE: page, data: f"{json.dumps(content, indent=2, allow_nan=False)}\n"}
    check(folder, replace=replace, data=data)
    folder.parent.mkdir(parents=True, exist_ok=True)
    if folder.exists() and not empty(folder):
        folder_of(texts, folder, _engine.exchange)
    else:
        folder_of(texts, folder)
