"""`airloom guard`: hands over to `airloom-guard`, which is a program of its own so that it can run all day."""

from __future__ import annotations

import os
import shutil
from typing import Annotated, NoReturn

from cyclopts import Parameter

from airloom.errors import AirloomError

PROGRAM = "airloom-guard"


def guard(*words: Annotated[str, Parameter(allow_leading_hyphen=True)]) -> NoReturn:
    """Guard this Linux machine's own Wi-Fi against scans; see `airloom guard --help`.

    Parameters
    ----------
    words:
        What to do: watch, run, check, status, hold TIME or release, with options.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        message = f"`{PROGRAM}` is not installed; packaging/build.sh builds its Debian package"
        raise AirloomError(message)
    os.execv(program, [PROGRAM, *words])  # noqa: S606  (a program without a shell is what is wanted)
