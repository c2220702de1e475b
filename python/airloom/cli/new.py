"""`airloom new`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from airloom.cli.common import Out
from airloom.cli.terminal import say
from airloom.errors import RunError
from airloom.support import library
from airloom.support.atomic import whole

if TYPE_CHECKING:
    from collections.abc import Mapping

Template = Literal[
    "near-and-far",
    "upload-scans",
    "latency",
    "voices",
    "crowd",
    "calls",
    "hidden",
    "two-networks",
    "three-bands",
    "roaming",
    "dozer",
    "usb-adapter",
    "wifi6",
    "wifi7",
    "multi-link",
    "sweep",
    "office",
]


class Door(NamedTuple):
    """A scenario to begin with.

    Attributes:
        question: What it answers.
        files: The examples that it consists of: the file named by `-o`, and those beside it, named after it.
    """

    question: str
    files: tuple[str, ...]


DOORS: dict[Template, Door] = {
    "near-and-far": Door("Does a far laptop slow a near one down?", ("near-and-far.toml",)),
    "upload-scans": Door("Why does an upload stall again and again?", ("upload-scans.toml",)),
    "latency": Door("Why does everything wait while something downloads?", ("latency.toml",)),
    "voices": Door("Why does my call stutter while others upload?", ("voices.toml",)),
    "crowd": Door("What is left for each of twenty stations?", ("crowd.toml",)),
    "calls": Door("Do calls and downloads get along over 802.11ax?", ("calls.toml",)),
    "hidden": Door("What if two laptops do not hear each other?", ("hidden.toml",)),
    "two-networks": Door("What does a neighbour on my channel cost?", ("two-networks.toml",)),
    "three-bands": Door("Which band of a router carries what?", ("three-bands.toml",)),
    "roaming": Door("What happens as I carry a laptop through a house?", ("roaming.toml",)),
    "dozer": Door("Why does an idle laptop answer late?", ("dozer.toml",)),
    "usb-adapter": Door("What does an adapter on USB 1.1 make of an upload?", ("usb-adapter.toml",)),
    "wifi6": Door("How fast is an upload over 802.11ax?", ("wifi6.toml",)),
    "wifi7": Door("How fast is an upload over 802.11be?", ("wifi7.toml",)),
    "multi-link": Door("What do two links at once bring an upload?", ("multi-link.toml",)),
    "sweep": Door("How long should a queue be? A grid of runs", ("buffer.toml", "download.toml")),
    "office": Door("Which queue and which TCP keep calls usable? A grid", ("office.toml", "office-calls.toml")),
}
"""The scenarios to begin with, by what they are called."""


def new(
    template: Template | None = None,
    /,
    *,
    list: bool = False,
    rust: str | None = None,
    sources: Path | None = None,
    out: Annotated[Path | None, Out] = None,
    force: bool = False,
) -> None:
    """Write a scenario to begin with: it runs as it is, and its comments say what to change.

    `airloom new --list` says which question each template answers.

    Examples:
        airloom new
        airloom new --list
        airloom new latency -o first.toml
        airloom new sweep -o queue.toml
        airloom new --rust my-lab

    Args:
        template: What it is to be about. Without it, near-and-far.
        list: Say what there is to begin with, and write nothing.
        rust: Write a laboratory of this name instead: a package that has all commands of airloom, and algorithms that
            you write in Rust. It is built from the engine's sources.
        sources: The folder of these sources, a clone of airloom. Without it, the checkout that this airloom runs from.
        out: The file; a laboratory's folder. Without it, the template's name with `.toml`, or the laboratory's name, in
            the current folder.
        force: Replace a file that is already there.
    """
    if list:
        if template is not None or rust is not None or sources is not None or out is not None or force:
            raise RunError("--list writes nothing, and takes no template and no other option")
        doors()
    elif rust is not None:
        if template is not None or force:
            raise RunError("--rust writes a laboratory, and takes no template and no --force")
        lab(rust, out if out is not None else Path(rust), sources)
    elif sources is not None:
        raise RunError("--sources is for --rust")
    else:
        scenario(template or "near-and-far", out, force=force)


def doors() -> None:
    """Says which question each template answers."""
    longest = max(map(len, DOORS))
    for name, door in DOORS.items():
        say(f"{name:{longest}}  {door.question}")


def scenario(template: Template, out: Path | None, *, force: bool) -> None:
    """Writes a scenario, or a grid and what it varies, and says what comes next."""
    target = out if out is not None else Path(f"{template}.toml")
    first, *others = DOORS[template].files
    called = {name: beside(name, template, target) for name in others}
    files = {target: first} | {target.parent / called[name]: name for name in others}
    results = {} if target.stem == template else {f"out/{Path(first).stem}": shlex.quote(f"out/{target.stem}")}
    texts = {file: filled(name, called, target, results if others else {}) for file, name in files.items()}
    for file in texts:
        if file.exists() and not force:
            raise RunError(f"{file}: exists already; choose another name with -o, or replace it with --force")
    target.parent.mkdir(parents=True, exist_ok=True)
    for file, text in texts.items():
        with whole(file) as partial:
            partial.write_text(text, encoding="utf-8")
    say(f"{'scenario' if not others else 'grid'}: {target}")
    for file in list(texts)[1:]:
        say(f"scenario: {file}")
    for command in commands(texts[target])[:2]:
        say(f"next: {command}")


def lab(name: str, folder: Path, sources: Path | None) -> None:
    """Writes a laboratory, and says what comes next."""
    from airloom.own import rust

    rust.write(name, folder, sources)
    say(f"laboratory: {folder}; src/lib.rs has its algorithms")
    place = str(folder) if folder.is_absolute() else f"./{folder}"  # a name alone would be one of an index
    say(f"next: pip install {shlex.quote(place)}")
    say(f"next: {name} run examples/download.toml --set flow.0.tcp.congestion=mine")


def beside(name: str, template: Template, target: Path) -> str:
    """What a file that lies beside the first is called: after that one, where it has another name than its template."""
    return name if target.stem == template else f"{target.stem}-{name.removeprefix(f'{template}-')}"


def filled(name: str, called: Mapping[str, str], target: Path, results: Mapping[str, str]) -> str:
    """The text of an example, with the names that files and the folder of a grid's results have here."""
    text = (library.folder("examples") / name).read_text(encoding="utf-8")
    for old, new in called.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    for old, new in results.items():
        text = text.replace(f"{old} ", f"{new} ").replace(f"{old}\n", f"{new}\n")
    return text.replace(" FILE", f" {shlex.quote(str(target))}")


def commands(text: str) -> list[str]:
    """The commands that a template proposes; what they are for stands behind three spaces."""
    lines = (line.removeprefix("#").strip() for line in text.partition("# Next:")[2].splitlines())
    return [line.partition("   ")[0] for line in lines if line.startswith("airloom ")]
