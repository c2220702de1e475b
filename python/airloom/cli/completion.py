"""`airloom completion` and `airloom --install-completion`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from airloom.cli.terminal import print_file, say
from airloom.errors import AirloomError

Shell = Literal["bash", "zsh", "fish"]

SHELLS: tuple[Shell, ...] = ("bash", "zsh", "fish")


def completion(shell: Shell, /, *, install: bool = False) -> None:
    """Print what completes the words of airloom's commands in a shell, or install it for this user.

    Completion works in shells that are opened after it is installed.

    Examples:
        # for this shell alone
        source <(airloom completion bash)
        airloom completion zsh --install
        # for all users of this machine
        airloom completion fish > /etc/fish/completions/airloom.fish

    Args:
        shell: The shell: bash, zsh or fish.
        install: Write it where the shell looks for it: into a folder of this user, and for bash and zsh a line into
            .bashrc or .zshrc.
    """
    from airloom.cli.app import app

    if install:
        file = app.install_completion(shell=shell)
        say(f"completion for {shell}: {file}")
        say("it works in shells that are opened from now on")
    else:
        print_file(app.generate_completion(shell=shell).rstrip("\n"))


def install(*, shell: Annotated[Shell | None, Parameter(name="--shell")] = None) -> None:
    """Install what completes the words of airloom's commands, for this user.

    Args:
        shell: The shell: bash, zsh or fish. Without it, the one that the variable SHELL names.
    """
    if shell is None:
        named = Path(os.environ.get("SHELL", "")).name
        found = next((one for one in SHELLS if one == named), None)
        if found is None:
            what = f"there is no completion for {named}" if named else "no shell is known (SHELL is not set)"
            raise AirloomError(f"{what}; say --shell, one of {', '.join(SHELLS)}")
        shell = found
    completion(shell, install=True)
