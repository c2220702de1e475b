"""Modules whose classes a command is to know: `--with MODULE`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from airloom.errors import AirloomError, OwnClassError, ScenarioWarning, told
from airloom.own.brought import OF_ONE_COMMAND

if TYPE_CHECKING:
    from collections.abc import Iterable


BROUGHT: list[str] = []
"""The modules of `--with`: a further process, which runs a part of the work, imports them too."""


def bring(modules: Iterable[str]) -> list[str]:
    """Imports modules, by their names as seen from the current folder, or by their files; gives what they warn of.

    Raises:
        OwnClassError: One is not there, or raised something, or two classes have one name.
    """
    BROUGHT[:] = modules
    token = OF_ONE_COMMAND.set({})
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ScenarioWarning)
            for module in BROUGHT:
                imported(module)
    finally:
        OF_ONE_COMMAND.reset(token)
    return [str(one.message) for one in caught]


def told_again() -> list[str]:
    """The words by which a command of another process imports what this one has brought."""
    return [word for module in BROUGHT for word in ("--with", module)]


def imported(module: str) -> None:
    """Imports one."""
    try:
        if module.endswith(".py"):
            of_file(Path(module))
        else:
            of_name(module)
    except AirloomError:
        raise
    except (Exception, SystemExit) as error:  # a module may raise anything
        raise OwnClassError(f"--with {module}: {type(error).__name__}: {error}", *told(error)) from error


def of_name(module: str) -> None:
    """Imports a module that lies in the current folder, or is installed."""
    here = str(Path.cwd())
    if module in sys.modules and Path(f"{module}.py").is_file():
        taken = f"--with {module}: Python has a module of this name already"
        raise OwnClassError(taken, f"a file is named with its suffix: --with {module}.py")
    sys.path.insert(0, here)
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        missing = f"--with {module}: there is no such module in this folder, and none is installed"
        raise OwnClassError(missing, f"a file is named with its suffix: --with {module}.py") from None
    finally:
        sys.path.remove(here)


def of_file(path: Path) -> None:
    """Imports a file, under a name that no other import asks for: it may be called what a module of Python is."""
    if not path.is_file():
        raise OwnClassError(f"--with {path}: no such file")
    spec = importlib.util.spec_from_file_location(f"--with {path.stem}", path)
    if spec is None or spec.loader is None:
        raise OwnClassError(f"--with {path}: not a module of Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
