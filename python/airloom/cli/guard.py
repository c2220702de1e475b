"""`airloom guard`: hands over to `airloom-guard`, which is a program of its own so that it can run all day."""

from __future__ import annotations

import os
import shutil
from typing import Annotated

from cyclopts import Parameter

from airloom.cli.terminal import say
from airloom.errors import AirloomError
from airloom.support.library import LIBRARY

PROGRAM = "airloom-guard"

HELP = LIBRARY / "guard.txt"
"""What it says of itself."""

MISSING = (
    f"`{PROGRAM}` is not installed: it is a Debian package of its own, "
    "which `sh packaging/build.sh` builds in a clone or in the source distribution of airloom"
)


def guard(*words: Annotated[str, Parameter(allow_leading_hyphen=True)]) -> None:
    """Guard this Linux machine's own Wi-Fi against scans; see `airloom guard --help`.

    Parameters
    ----------
    words:
        What to do: watch, run, check, status, hold TIME or release, with options.
    """
    program = shutil.which(PROGRAM)
    # A copy of the sources without its links has no help of the guard.
    if program is None and words[:1] in (("--help",), ("-h",)) and HELP.is_file():
        say(*HELP.read_text(encoding="utf-8").splitlines(), "", f"{MISSING}.")
        return
    if program is None:
        raise AirloomError(MISSING)
    os.execv(program, [PROGRAM, *words])  # noqa: S606  (a program without a shell is what is wanted)
