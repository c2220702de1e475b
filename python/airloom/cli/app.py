"""The commands. Each is a file of its own, imported only when it is the one that was asked for."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from cyclopts import App, CycloptsError, Parameter

from airloom import _engine
from airloom.cli import terminal
from airloom.cli.refusal import refuse
from airloom.cli.screen import Screen
from airloom.errors import AirloomError
from airloom.scenario.source import STDIN

if TYPE_CHECKING:
    from collections.abc import Sequence

app = App(
    name="airloom",
    help="A laboratory for TCP over Wi-Fi: simulate it, and see every layer at once.",
    version=lambda: f"{_engine.version()} (results version {_engine.results()})",
    result_action="return_value",
    help_format="plaintext",
    default_parameter=Parameter(negative="", show_default=False, consume_multiple=False),
    suppress_keyboard_interrupt=False,
    console=Screen(),
)
app.command("airloom.cli.run:run", name="run", help="Run a scenario and write its bundle.")
app.command("airloom.cli.report:report", name="report", help="Write a bundle's report, one HTML file.")
app.command("airloom.cli.compare:compare", name="compare", help="Put the figures of runs side by side.")
app.command(
    "airloom.cli.plot:plot", name="plot", help="Draw a chart of a run, a sweep or a paper into a file: SVG, PNG or PDF."
)
app.command(
    "airloom.cli.export:export",
    name="export",
    help="Write a table of a run, a sweep or a paper into a file: CSV, JSON or Parquet.",
)
app.command("airloom.cli.papers:app", name="papers", help="Published experiments: list, run and score them.")
app.command("airloom.cli.sweep:app", name="sweep", help="Run a grid of scenarios on all cores; show what came of it.")
app.command("airloom.cli.check:check", name="check", help="Check a scenario without running it.")
app.command(
    "airloom.cli.profiles:profiles", name="profiles", help="List the hosts and adapters that a scenario can name."
)
app.command(
    "airloom.cli.schema:schema", name="schema", help="Print the JSON Schema of scenario files, or of summaries."
)
app.command(
    "airloom.cli.guard:guard",
    name="guard",
    help="Guard this machine's own Wi-Fi against scans.",
    help_flags=[],
    version_flags=[],
)
app.command("airloom.cli.demo:demo", name="demo", help="Show an upload that stalls with every scan, and the remedy.")


def stop(number: int, _: object) -> None:
    """A signal that ends a program ends it in order, so that nothing half-written is left."""
    raise SystemExit(128 + number)


def code(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and gives its exit code: 0 if all went well, 2 with what is wrong if not."""
    given = [STDIN if word == "-" else word for word in (sys.argv[1:] if arguments is None else arguments)]
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    try:
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
