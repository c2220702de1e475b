"""Quantities as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from airloom.support.statistics import Spread


def share(part: float, whole: float) -> str:
    """A ratio in percent."""
    return "-" if not whole or math.isnan(part / whole) else f"{100 * part / whole:.0f}\N{NO-BREAK SPACE}%"


def number(value: float | None) -> str:
    """Three digits, or all there are before the point."""
    if value is None or math.isnan(value):
        return "-"
    if abs(value) >= 100 or value == round(value):  # noqa: PLR2004
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"  # noqa: PLR2004


def known(value: float) -> str:
    """The same for a table: nothing where there is nothing to show."""
    return "" if math.isnan(value) else number(value)


def count(many: int, what: str) -> str:
    """A number of things."""
    return f"{many:,} {what}" + ("" if many == 1 else "s")


def enumerated(words: Sequence[str]) -> str:
    """Words with commas and an `and`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def some(names: Sequence[str], most: int = 3) -> str:
    """Names with commas and an `and`; of many the first ones, and how many more there are."""
    left = len(names) - most
    return enumerated(list(names)) if left <= 1 else enumerated([*names[:most], f"{left:,} more"])


def capital(text: str, names: Collection[str] = ()) -> str:
    """A text that begins with a capital, unless it begins with one of these names: that is written as it is.

    >>> capital("fifo and codel coincide", ["fifo", "codel"]), capital("the lines of fifo and codel", ["fifo"])
    ('fifo and codel coincide', 'The lines of fifo and codel')
    >>> capital("no packet waited", ["n"])
    'No packet waited'
    """
    begin = [text[len(name) :] for name in names if name and text.startswith(name)]
    return text if any(not rest[:1].isalnum() for rest in begin) else text[:1].upper() + text[1:]


def listed(values: Iterable[float], digits: int = 0) -> str:
    """Numbers with this many digits after the point, separated by commas."""
    return ", ".join(f"{value:.{digits}f}" for value in values)


def plain(value: float) -> str:
    """A number to four significant digits; of one with more before its point, all of these up to nine."""
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"  # noqa: PLR2004


def interval(spread: Spread) -> str:
    """A mean with its confidence interval, where there is one, as far as that lets its digits count."""
    if math.isnan(spread.mean):
        return "-"
    if math.isnan(spread.margin) or spread.margin == 0:
        return plain(spread.mean)
    places = max(0, 1 - math.floor(math.log10(spread.margin)))
    return f"{spread.mean:,.{places}f} \N{PLUS-MINUS SIGN} {spread.margin:,.{places}f}"


def quantity(value: float | tuple[float, float] | bool | None, one: Callable[[float], str] = plain) -> str:
    """A published or measured quantity as text; `one` writes a single number."""
    match value:
        case None:
            return "-"
        case True | False:
            return "yes" if value else "no"
        case (low, high):
            return f"{plain(low)} to {plain(high)}"
        case _:
            return one(value)
