"""Prints the values of every profile of the kinds that are named, with their sources: a row for each.

A profile that is like another has rows for what differs.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airloom import profiles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airloom.api.profile import Profile

ROOT = Path(__file__).parent.parent


def rows(profile: Profile) -> Iterator[str]:
    """The rows of a profile."""
    written = tomllib.loads((ROOT / profile.path).read_text())
    like = written.get("like")
    for key, value in profile.values.items():
        if like is None or stated(written, key):
            name = f"`{profile.name}`" + (f", else as `{like}`" if like else "")
            fitted = f"; fitted: {value.calibrated}" if value.calibrated else ""
            yield f"| {name} | `{key}` | `{value.value}` | {cell(value.source)}{cell(fitted)} |"


def stated(written: dict[str, Any], key: str) -> bool:
    """Whether a file says the value of a dotted key itself."""
    here: Any = written
    for part in key.split("."):
        if not isinstance(here, dict) or part not in here:
            return False
        here = here[part]
    return True


def cell(text: str) -> str:
    """A text that stays in its cell."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def main() -> None:
    """Prints the table."""
    kinds = sys.argv[1:]
    lines = ["| profile | key | value | source |", "| --- | --- | --- | --- |"]
    lines += [row for one in profiles().values() if one.kind in kinds for row in rows(one)]
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
