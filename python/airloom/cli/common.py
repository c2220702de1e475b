"""The options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from airloom.cli.terminal import complain
from airloom.errors import AirloomError, RunError
from airloom.scenario.text_file import STDIN
from airloom.support.atomic import never_replaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cyclopts import Token

AsJson = Annotated[bool, Parameter(name="--json", help="Print JSON for scripts.")]
Set = Annotated[
    tuple[str, ...],
    Parameter(
        name="--set",
        help="Set a value over the scenario's, by dotted key: flow.0.tcp.congestion=newreno. May be repeated. "
        "Items go by number from 0, or by name: station.bob.snr, flow.server-bob.start; a flow also by an end that no "
        "other flow has, flow.bob.start. An array or a table is TOML, and quoted for the shell: "
        '\'station.bob.position=["2 m", "0 m"]\'.',
    ),
]


With = Annotated[
    tuple[str, ...],
    Parameter(
        name="--with",
        help="Import this module first, whose classes the scenario names, such as a congestion control of your own: a "
        "name as seen from the current folder, or a file. It runs as any program of yours does. May be repeated.",
    ),
]


def alone(modules: Sequence[str], dask: str | None) -> None:
    """Refuses modules that a cluster would need.

    Raises:
        RunError: Both were asked for.
    """
    if modules and dask:
        raise RunError(f"--with {modules[0]}: the workers of a cluster have not imported it", "leave --dask out")


def bring_along(modules: Sequence[str]) -> None:
    """Imports the modules of `--with`, and says on standard error what they warn of."""
    if modules:
        from airloom.own.modules import bring

        for warning in bring(modules):
            complain(f"warning: {warning}")


def whole(_: type, tokens: Sequence[Token]) -> int:
    """A whole number, not rounded to one."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError(f"{tokens[0].value!r} is no whole number") from None


Whole = Parameter(converter=whole)
"""Marks an option that takes a whole number."""


def place(_: type, tokens: Sequence[Token]) -> Path:
    """Where something is to be written.

    Raises:
        AirloomError: It is no place for a file or a folder, such as a stream or a device.
    """
    value = tokens[0].value
    if not value:
        raise AirloomError(f"{tokens[0].keyword or '-o'}: the name is empty; what is written needs one")
    if value in ("-", STDIN):
        raise AirloomError(f"{tokens[0].keyword or '-o'} -: `-` names no file; what is written needs a name")
    if kept := never_replaced(Path(value)):
        raise AirloomError(f"{value}: {kept}")
    return Path(value)


Out = Parameter(name=["--out", "-o"], converter=place)
"""Marks the option that says where something is written."""

Seed = Annotated[int | None, Whole, Parameter(name="--seed", help="The seed, in place of the scenario's own.")]


def overrides(settings: Iterable[str]) -> dict[str, str]:
    """The values of `--set`, by key."""
    return pairs(settings, "--set", "flow.0.tcp.congestion=newreno")


def pairs(settings: Iterable[str], option: str, example: str) -> dict[str, str]:
    """The values of an option that takes KEY=VALUE, by key."""
    found = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip():
            raise RunError(f"{option} {setting}: needs KEY=VALUE, such as {example}")
        found[key.strip()] = value.strip()
    return found
