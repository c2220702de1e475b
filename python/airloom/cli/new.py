"""`airloom new`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from airloom.cli.common import Out
from airloom.cli.terminal import say
from airloom.errors import RunError
from airloom.support import library
from airloom.support.atomic import whole

if TYPE_CHECKING:
    from collections.abc import Mapping

Template = Literal["near-and-far", "upload-scans", "latency", "crowd", "calls", "wifi6", "wifi7", "sweep", "office"]

FILES: dict[Template, tuple[str, ...]] = {
    "near-and-far": ("near-and-far.toml",),
    "upload-scans": ("upload-scans.toml",),
    "latency": ("latency.toml",),
    "crowd": ("crowd.toml",),
    "calls": ("calls.toml",),
    "wifi6": ("wifi6.toml",),
    "wifi7": ("wifi7.toml",),
    "sweep": ("buffer.toml", "download.toml"),
    "office": ("office.toml", "office-calls.toml"),
}
"""The examples that each template consists of: the file named by `-o`, and those beside it, named after it."""


def new(
    template: Template | None = None,
    /,
    *,
    rust: str | None = None,
    sources: Path | None = None,
    out: Annotated[Path | None, Out] = None,
    force: bool = False,
) -> None:
    """Write a scenario to begin with: it runs as it is, and its comments say what to change.

    The templates are: near-and-far, a download to two stations, of which one pays for the distance of the other;
    upload-scans, an upload that stalls while the laptop scans; latency, a ping beside a download; crowd, twenty
    stations at once; calls, three calls beside two downloads over 802.11ax; wifi6, an upload over 802.11ax; wifi7,
    an upload over 802.11be; sweep, a grid of runs, with the scenario that it varies; office, a grid of calls beside
    uploads over 802.11ax, with two queue disciplines and two congestion controls.

    Examples:
        airloom new
        airloom new latency -o first.toml
        airloom new sweep -o queue.toml
        airloom new --rust my-lab

    Args:
        template: What it is to be about. Without it, near-and-far.
        rust: Write a laboratory of this name instead: a package that has all commands of airloom, and algorithms that
            you write in Rust. It is built from the engine's sources.
        sources: The folder of these sources, a clone of airloom. Without it, the checkout that this airloom runs from.
        out: The file; a laboratory's folder. Without it, the template's name with `.toml`, or the laboratory's name, in
            the current folder.
        force: Replace a file that is already there.
    """
    if rust is not None:
        if template is not None or force:
            raise RunError("--rust writes a laboratory, and takes no template and no --force")
        lab(rust, out if out is not None else Path(rust), sources)
    elif sources is not None:
        raise RunError("--sources is for --rust")
    else:
        scenario(template or "near-and-far", out, force=force)


def scenario(template: Template, out: Path | None, *, force: bool) -> None:
    """Writes a scenario, or a grid and what it varies, and says what comes next."""
    target = out if out is not None else Path(f"{template}.toml")
    first, *others = FILES[template]
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
