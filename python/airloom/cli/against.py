"""What `airloom diagnose --against` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.cli.kept import telling
from airloom.cli.progress import bar
from airloom.cli.terminal import print_json
from airloom.diagnosis import folder
from airloom.diagnosis.against import page, words
from airloom.diagnosis.against.changes import changed
from airloom.diagnosis.against.told import against
from airloom.errors import CaptureError
from airloom.support.document import named
from airloom.support.formatting import count

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from airloom.cli.screen import Screen
    from airloom.diagnosis.against.told import Comparison

DATA = "against.json"

STYLES = {"better": "bold green", "worse": "bold red"}


def show_against(
    before: Sequence[Path], after: Sequence[Path], out: Path | None, *, force: bool, as_json: bool
) -> None:
    """Compares captures of before with captures of after, prints what changed and writes it into a folder.

    Raises:
        CaptureError: There is nothing to compare with.
        BundleError: The folder is taken.
    """
    if not before:
        raise CaptureError("--against needs captures of before, too: airloom diagnose BEFORE --against AFTER")
    if out is not None:
        folder.check(out, replace=force, data=DATA)
    with telling("the comparison", out), bar(f"reading {count(len(before) + len(after), 'capture')}") as shown:
        found = against(before, after, shown.update)
        if out is not None:
            folder.put(lambda: page.render(found), named("against", dict(found)), out, DATA, replace=force)
    if as_json:
        print_json("against", dict(found))
        return
    from airloom.cli.screen import Screen

    screen = Screen()
    show(screen, found)
    if out is not None:
        screen.say(f"written: {folder.shown(out)}")


def show(screen: Screen, found: Comparison) -> None:
    """Prints a comparison: what is compared, what changed, and each measure."""
    for line in (*words.side("before", found["before"]), *words.side("after", found["after"])):
        screen.say(line, style="bold")
    screen.say("")
    screen.fold(words.lead(found), indent=0, hang=0)
    screen.say("")
    for one in filter(changed, found["changes"]):
        screen.say(f"{one['measure']}: {one['verdict']}; {words.values(one)}", style=STYLES[one["verdict"]])
        screen.fold(words.because(one), indent=2, style="dim")
    unknown = words.unknown(found)
    if unknown:
        screen.say("cannot tell", style="bold")
        for line in unknown:
            screen.fold(line, indent=2, style="dim")
    alike = words.alike(found)
    if alike:
        screen.fold(alike, indent=0, style="dim")
    rules = words.found_by_rules(found)
    if rules:
        screen.say("")
        screen.say("what rules found in another number of captures", style="bold")
        for line in rules:
            screen.say(f"  {line}")
    screen.say("")
    screen.fold(words.sure(found), indent=0, style="dim", hang=0)
