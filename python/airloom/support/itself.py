"""How this program begins itself anew, in a process of its own."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

NAME = "airloom"
"""What this program is called."""


def itself(*words: str) -> list[str]:
    """The command that runs this program with these words: the package of its engine, which may be a laboratory's.

    By `-m` alone Python would look for its modules in the current folder first, where anybody may have left some.
    """
    spec = getattr(sys.modules.get(f"{NAME}._engine"), "__spec__", None)
    package = spec.parent if spec is not None and spec.parent else NAME
    return [sys.executable, "-P", "-m", package, *words]


def path_with_itself(path: str) -> str:
    """A PATH by which this program is found too, behind all else, where it was begun by the place where it lies."""
    schemes = (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user"))
    own = [folder for scheme in schemes if Path(folder := sysconfig.get_path("scripts", scheme), NAME).is_file()]
    folders = path.split(os.pathsep)
    return os.pathsep.join([*folders, *(folder for folder in own[:1] if folder not in folders)])
