"""A script made ready for airloom: its commands taken out, what they set written for the library."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from packetdrill.applicable import missing, missing_of_command
from packetdrill.commands import COMMAND, effects
from packetdrill.host import MissingError, settings

if TYPE_CHECKING:
    import re
    from pathlib import Path


def ready(text: str, folder: Path, file: Path) -> str:
    """The text of a script in `folder` whose commands add their settings to `file`, every line in its place.

    Raises:
        MissingError: if the script asks for what airloom does not have.
    """
    if what := missing(text):
        raise MissingError(what)

    def instead(found: re.Match[str]) -> str:
        done = effects(found[1], folder)
        for command in done.others:
            if what := missing_of_command(command):
                raise MissingError(what)
        words = [shlex.quote(line) for line in settings(done.sysctls)]
        command = f"printf '%s\\n' {' '.join(words)} >> {shlex.quote(str(file))}" if words else "true"
        return f"`{command}" + "\n" * found[1].count("\n") + "`"

    return COMMAND.sub(instead, text)
