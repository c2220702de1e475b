"""The commands. Each is a file of its own, imported only when it is the one that was asked for."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Annotated, Any

from cyclopts import App, CycloptsError, Parameter

from airloom import _engine
from airloom.cli import terminal
from airloom.cli.commands import COMMANDS
from airloom.cli.misuse import check_quoted, check_show
from airloom.cli.refusal import refuse
from airloom.errors import AirloomError
from airloom.scenario.text_file import STDIN

ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end a program in order."""


NO_CONSOLE: Any = object()
"""In place of a console, whose library takes longer to import than all else that help needs: cyclopts prints none."""


class CommandLine(App):
    """The program, with pages of help of its own."""

    def help_print(
        self,
        tokens: Annotated[str | Iterable[str] | None, Parameter(show=False)] = None,
        *,
        console: Annotated[object, Parameter(parse=False)] = None,
    ) -> None:
        """Prints what there is to say of a command."""
        del console  # pages are printed here
        from airloom.cli import help_page, manual

        help_page.show(manual.page(app, [tokens] if isinstance(tokens, str) else list(tokens or ())))

    def version_print(self, console: Annotated[object, Parameter(parse=False)] = None) -> None:
        """Prints the version."""
        del console
        terminal.say(f"{_engine.version()} (results version {_engine.results()})")


app = CommandLine(
    name="airloom",
    help="""A laboratory for TCP over Wi-Fi: simulate it, and see every layer at once.

Begin with `airloom demo`, or with `airloom new`, which writes a scenario to change. Then check it, run it, read its
report, change something, and compare the runs. `airloom COMMAND --help` has examples of each.

Examples:
    # a scenario to begin with
    airloom new -o first.toml
    airloom check first.toml
    airloom run first.toml -o out/first --report
    # the same with another congestion control
    airloom run first.toml --set flow.0.tcp.congestion=bbr -o out/bbr
    airloom compare out/first out/bbr -o out/both.html
""",
    version_flags=["--version", "-V"],
    result_action="return_value",
    help_format="plaintext",
    default_parameter=Parameter(negative="", show_default=False, consume_multiple=False),
    suppress_keyboard_interrupt=False,
    console=NO_CONSOLE,
    error_console=NO_CONSOLE,
)

for heading, commands in COMMANDS.items():
    for name, (place, purpose) in commands.items():
        # The guard is a program of its own, which answers --help itself.
        own: dict[str, Any] = {"help_flags": [], "version_flags": []} if name == "guard" else {}
        app.command(f"airloom.cli.{place}", name=name, help=purpose, group=heading, **own)

app.command("airloom.cli.completion:install", name="--install-completion", show=False)


@app.command(show=False)
def help(*command: str) -> None:
    """Print what there is to say of a command."""
    if app.parse_commands(command)[2]:
        raise AirloomError(f"no command `{' '.join(('airloom', *command))}`", "airloom --help lists the commands")
    app.help_print(command)


@app.command(show=False)
def version() -> None:
    """Print the version."""
    app.version_print()


def stop(number: int, _: object) -> None:
    """A signal that ends a program ends it in order, so that nothing half-written is left; the first one does."""
    for each in ENDING:
        signal.signal(each, lambda *_: None)
    raise SystemExit(128 + number)


def code(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and gives its exit code: 0 if all went well, 2 with what is wrong if not."""
    given = [STDIN if word == "-" else word for word in (sys.argv[1:] if arguments is None else arguments)]
    for number in ENDING:
        signal.signal(number, stop)
    try:
        check_quoted(given)
        check_show(given)
        app(given, exit_on_error=False, print_error=False)
        terminal.flush()
    except (CycloptsError, AirloomError, OSError, MemoryError) as error:
        return refuse(error, as_json="--json" in given)
    except KeyboardInterrupt as interrupt:
        return terminal.interrupted(str(interrupt))
    finally:
        with suppress(OSError):
            terminal.flush()
    return 0
