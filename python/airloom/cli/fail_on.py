"""`--fail-on`: an exit code for scripts that look for findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from airloom.errors import AirloomError

if TYPE_CHECKING:
    from collections.abc import Collection

FOUND = 1
"""Exit code where there is a finding that was asked about."""

ANY = "any"

FailOn = Annotated[
    str | None,
    Parameter(name="--fail-on", help="Exit with code 1 if there is any finding, or one of these codes: any|CODE,..."),
]


def asked(given: str | None, known: Collection[str]) -> Collection[str]:
    """The codes that `--fail-on` names.

    Raises:
        AirloomError: It names one that there is not.
    """
    if given is None:
        return ()
    codes = [code.strip() for code in given.split(",")]
    for code in codes:
        if code not in (ANY, *known):
            raise AirloomError(f"--fail-on {given}: no code {code!r}", f"there are {ANY} and {', '.join(known)}")
    return known if ANY in codes else codes


def fail(found: Collection[str], codes: Collection[str]) -> None:
    """Ends the program with code 1 if one of the codes was found."""
    if not set(found).isdisjoint(codes):
        raise SystemExit(FOUND)
