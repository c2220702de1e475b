"""Lists the numbers in a paper's page that were written by hand: `by_hand.py PAPER...`.

A number with a unit in the page's sentences is not by hand if

- a command prints it (see `transcript.py`), or
- a value in the paper's own TOML files or in a profile has it, comments do not: it is an input or was published, or
- the page says where it is from: `<!-- from: section 4.2 -->110 ms<!-- end -->`. That serves for what no claim has, for
  arithmetic, and for experiments that were tried and given up, whose runs are no longer made.

Tables and blocks of code are left out.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airloom.support import reading

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]

Number = tuple[float, str]
"""A number and its unit."""

UNITS = ("Mbit/s", "kbit/s", "Gbit/s", "MHz", "kB", "us", "ms", "s", "dB", "%", "packets", "segments", "MPDUs", "bytes")

LEFT_OUT = re.compile(
    r"^`{3,}[^\n]*\n.*?^`{3,}$|<!-- (?:\$|from:) [^\n]*? -->.*?<!-- end -->|^\|[^\n]*$|`[^`\n]+`",
    re.DOTALL | re.MULTILINE,
)
"""Blocks of code, what is printed or has a source, rows of tables, code within a line."""

QUANTITY = re.compile(
    r"(?<![\w.\-])(?P<numbers>\d[\d,]*(?:\.\d+)?(?:(?:\s+to\s+|/)\d[\d,]*(?:\.\d+)?)*)\s+"
    rf"(?P<unit>{'|'.join(map(re.escape, UNITS))})(?!\w)"
)
"""One number or several, and their unit."""


def quantities(text: str) -> Iterator[tuple[int, str, float, str]]:
    """The numbers with units in a text: their places, as they are written, and as numbers with their units."""
    for found in QUANTITY.finditer(text):
        for number in re.split(r"\s+to\s+|/", found["numbers"]):
            yield found.start(), f"{number} {found['unit']}", float(number.replace(",", "")), found["unit"]


def strings(value: object) -> Iterator[str]:
    """The texts in what a TOML file says."""
    match value:
        case str():
            yield value
        case dict():
            for part in value.values():
                yield from strings(part)
        case list():
            for part in value:
                yield from strings(part)


def inputs(content: object) -> Iterator[Number]:
    """The quantities among a file's values, such as "30 ms"."""
    return ((value, unit) for text in strings(content) for _, _, value, unit in quantities(text))


@cache
def profiles() -> frozenset[Number]:
    """What the profiles have, but for what they say of themselves."""
    files = sorted((ROOT / "profiles").rglob("*.toml"))
    contents = [reading.toml(file.read_text(encoding="utf-8")) for file in files]
    prose = ("description", "calibrated")
    return frozenset(
        found for content in contents for key, part in content.items() if key not in prose for found in inputs(part)
    )


def known(paper: str) -> set[Number]:
    """What a paper's own files have: in texts such as "30 ms", and as the published values of claims and figures."""
    found = set(profiles())
    for file in sorted((ROOT / "papers" / paper).glob("*.toml")):
        content = reading.toml(file.read_text(encoding="utf-8"))
        found.update(inputs(content))
        for claim in content.get("claim", []):
            found.update(claimed(claim))
        for figure in content.get("figure", []):
            found.update(drawn(figure))
    return found


def claimed(claim: dict[str, Any]) -> Iterator[Number]:
    """The numbers of a claim, ratios in percent too."""
    unit = claim.get("unit", "")
    for value in (claim[key] for key in ("value", "lo", "hi") if key in claim):
        yield float(value), unit
        if unit in ("ratio", "index"):
            yield round(100 * float(value), 6), "%"
    if "tol" in claim:
        yield round(100 * float(claim["tol"]), 6), "%"


def drawn(figure: dict[str, Any]) -> Iterator[Number]:
    """The published values of a figure that no claim has, in each unit that it shows."""
    units = {shown["unit"] for key in ("axes", "show") for shown in figure.get(key, [])}
    for one in figure.get("published", []):
        values = one.get("value", [])
        for value in values if isinstance(values, list) else [values]:
            yield from ((round(float(value) * one.get("scale", 1.0), 6), unit) for unit in units)


def by_hand(paper: str) -> list[str]:
    """The numbers of a paper's page that were written by hand, each with its line."""
    text = (ROOT / "papers" / paper / "README.md").read_text(encoding="utf-8")
    prose = LEFT_OUT.sub(lambda part: re.sub(r"[^\n]", "_", part[0]), text)
    there = known(paper)
    return [
        f"{prose.count(chr(10), 0, place) + 1}: {written}"
        for place, written, value, unit in quantities(prose)
        if (value, unit) not in there
    ]


def main() -> None:
    """Prints those of the papers that are named."""
    for paper in sys.argv[1:]:
        sys.stdout.writelines(f"papers/{paper}/README.md:{line}\n" for line in by_hand(paper))


if __name__ == "__main__":
    main()
