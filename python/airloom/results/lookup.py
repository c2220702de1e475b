"""Names that are looked up."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from airloom.errors import UnknownNameError
from airloom.results.metric_names import meant

if TYPE_CHECKING:
    from collections.abc import Iterable

LISTED = 20
"""Names that a message lists."""

MOST = 4
"""Names that it offers in place of one."""


def unknown(what: str, name: object, names: Iterable[str]) -> UnknownNameError:
    """An error that says which name may have been meant, and which there are.

    Args:
        what: What was looked for, and where: `flow`, `metric of server-alice`.
        name: The name that there is not.
        names: Those that there are.
    """
    there = list(dict.fromkeys(names))
    near = difflib.get_close_matches(str(name), there, 1) or meant(str(name), there)[:MOST]
    shown = ", ".join(there[:LISTED]) + (f" and {len(there) - LISTED:,} more" if len(there) > LISTED else "")
    hints = [f"did you mean {' or '.join(map(repr, near))}?"] if near else []
    hints.append(f"there are {shown}" if len(there) > 1 else f"there is only {shown}" if there else "there is none")
    return UnknownNameError(f"no {what} {name!r}", *hints)
