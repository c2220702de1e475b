"""What there is to say of each command, read from the command itself: `--help` and the man pages are made of it."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

from docstring_parser import parse

from airloom.cli.commands import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cyclopts import App
    from cyclopts.argument import Argument

NAMES = {int: "NUMBER", float: "NUMBER", Path: "PATH", str: "TEXT"}
"""What stands for a value of a type."""

HELP = ("-h, --help", "Show this.")

OF_THE_PROGRAM = [
    ("-V, --version", "Show the version, and that of results: with the same one, a run gives the same numbers."),
    ("--install-completion", "Install what completes commands in this shell: bash, zsh or fish."),
]
"""Options that no command has."""


@dataclass(frozen=True)
class Page:
    """What there is to say of a command.

    Attributes:
        words: The command: `("airloom", "sweep", "show")`.
        purpose: What it is for, in a sentence.
        usage: How it is called.
        paragraphs: More about it.
        arguments: What it takes, and what that is.
        options: The same of its options.
        commands: The commands below it, by heading: their names and purposes.
        examples: Calls of it, each with what it does.
    """

    words: tuple[str, ...]
    purpose: str
    usage: str
    paragraphs: list[str] = field(default_factory=list)
    arguments: list[tuple[str, str]] = field(default_factory=list)
    options: list[tuple[str, str]] = field(default_factory=list)
    commands: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    examples: list[tuple[str, str]] = field(default_factory=list)


def pages(app: App) -> Iterator[Page]:
    """The pages of the program and of every command that it shows."""
    yield page(app, ())
    for _, commands in groups(app, app):
        for name, _ in commands:
            yield from below(app, (name,))


def below(app: App, words: tuple[str, ...]) -> Iterator[Page]:
    """The page of a command, and those of the commands below it."""
    yield page(app, words)
    command = app.parse_commands(list(words))[1][-1]
    for _, commands in groups(app, command):
        for name, _ in commands:
            yield from below(app, (*words, name))


def page(app: App, tokens: Sequence[str]) -> Page:
    """The page of the command that these words name."""
    words, apps, _ = app.parse_commands(list(tokens))
    command = apps[-1]
    said = parse(inspect.getdoc(command.default_command) or command.help if command.default_command else command.help)
    described = {one.arg_name: one.description or "" for one in said.params}
    with app.app_stack(apps):
        taken = list(command.assemble_argument_collection()) if command.default_command else []
    arguments = [one for one in taken if not one.name.startswith("-")]
    options = [one for one in taken if one.name.startswith("-")]
    name = " ".join(("airloom", *words))
    commands = dict(groups(app, command))
    calls = [" ".join([name, *map(placeholder, arguments), *(["[OPTIONS]"] if options else [])])] if taken else []
    calls += [f"{name} COMMAND"] if commands else []
    return Page(
        words=("airloom", *words),
        purpose=sentence(said.short_description or ""),
        usage="\n".join(calls or [name]),
        paragraphs=[sentence(one) for one in (said.long_description or "").split("\n\n") if one],
        arguments=[(placeholder(one), meaning(one, described)) for one in arguments],
        options=[
            *((option(one), meaning(one, described)) for one in options),
            *([] if words else OF_THE_PROGRAM),
            HELP,
        ],
        commands=commands,
        examples=examples(command.default_command or command.help),
    )


def groups(app: App, command: App) -> list[tuple[str, list[tuple[str, str]]]]:
    """The commands below one, with what they do, by heading; those of the program itself without importing them."""
    if command is app:
        rows = {heading: commands.items() for heading, commands in COMMANDS.items()}
        return [(heading, [(name, purpose) for name, (_, purpose) in found]) for heading, found in rows.items()]
    shown = [(name, command[name]) for name in command if not name.startswith("-")]
    found = [(name, sentence(parse(one.help).short_description or "")) for name, one in shown if one.show]
    return [("Commands", found)] if found else []


def placeholder(argument: Argument) -> str:
    """How the usage shows an argument."""
    name = argument.name.removesuffix("S") if many(argument) else argument.name
    shown = f"{name}..." if many(argument) else name
    return shown if argument.required else f"[{shown}]"


def option(argument: Argument) -> str:
    """An option with its names, the short one first, and what stands for its value."""
    names = ", ".join(sorted(argument.names, key=lambda name: name.startswith("--")))
    value = valued(argument)
    return f"{names} {value}" if value else names


def valued(argument: Argument) -> str:
    """What stands for the value of an option; nothing for one that has none."""
    text = argument.parameter.help or ""
    if "KEY=VALUE" in text or argument.name in ("--set", "--where"):
        return "KEY=VALUE"
    kinds = [kind for kind in (argument.hint, *get_args(argument.hint)) if isinstance(kind, type)]
    if bool in kinds:
        return ""
    choices = [str(one) for one in get_args(argument.hint) if isinstance(one, str)]
    return "|".join(choices) or next((NAMES[kind] for kind in kinds if kind in NAMES), "TEXT")


def many(argument: Argument) -> bool:
    """Whether an argument may be there more than once."""
    return get_origin(argument.hint) is tuple and argument.field_info.kind is argument.field_info.VAR_POSITIONAL


def meaning(argument: Argument, described: dict[str, str]) -> str:
    """What an argument is."""
    text = argument.parameter.help or next((described[n] for n in argument.field_info.names if n in described), "")
    return sentence(text)


def sentence(text: str) -> str:
    """Text that was broken into lines, as one."""
    return " ".join(text.split())


def examples(command: Any) -> list[tuple[str, str]]:
    """The calls in the section of examples, each with the comment above it."""
    text = command if isinstance(command, str) else inspect.getdoc(command) or ""
    found = re.search(r"^Examples:\n((?:[ \t]+.*\n?|\n)+)", text, re.MULTILINE)
    calls, comment = [], ""
    for line in (found[1] if found else "").splitlines():
        if line.strip().startswith("#"):
            comment = line.strip().removeprefix("#").strip()
        elif line.strip():
            calls.append((line.strip(), comment))
            comment = ""
    return calls
