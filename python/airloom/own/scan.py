"""Scan policies of one's own: a decorator that gives a class a name in scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import OwnClassError
from airloom.own.bringing import bringing

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.own.bringing import Class


def scan_policy(name: str, /, **parameters: object) -> Callable[[Class], Class]:
    """Gives a class a name, by which the `remedy` of a station's scans has it as what judges each request for one.

    >>> import airloom
    >>> @airloom.scan_policy("when-idle", kilobytes=50)
    ... class WhenIdle:
    ...     def __init__(self, kilobytes):
    ...         self.most = 1000 * kilobytes
    ...
    ...     def asked(self, moved):
    ...         return moved <= self.most
    >>> run = airloom.run("examples/upload-scans.toml", set={"station.0.scan.remedy": "when-idle"})
    >>> len(run.summary["scans"])
    0

    Every station that scans has an object of the class. `asked` is called as its connection manager asks for a scan; it
    returns nothing or True if the scan takes place, False if it is skipped. See docs/own-scan-policy.md.

    Args:
        name: A lower-case letter, then letters, digits, `-`, `_` or `+`; not that of a remedy which is built in.
        parameters: What the class is called with, so that one class can have several names. `[own.NAME]` of a scenario
            gives others, and to arguments of `__init__` with a default. One called `seed` gets a number of the object's
            own.

    Raises:
        OwnClassError: The name cannot be used, or a hook wants what there is not.
    """
    return bringing("scan_policy", name, parameters, sound)


def sound(own: str, hooks: list[str]) -> None:
    """Refuses a class that judges nothing."""
    if not hooks:
        raise OwnClassError(f"{own}: nothing judges a scan", "it needs `asked`")
