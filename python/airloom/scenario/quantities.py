"""Values of scenarios as numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

QUANTITY = re.compile(r"([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?:\s+(\S.*))?")
"""A number, and a unit behind it."""


SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
"""Units of time, in seconds."""


def seconds(time: object) -> float:
    """A time of a scenario, such as `"250 ms"`; 0 of what is none."""
    found = QUANTITY.fullmatch(str(time).strip())
    return float(found[1]) * SECONDS.get(found[2] or "", 0.0) if found else 0.0


LARGEST = 2.0**62
"""The largest number, which a column of 64 bits can still hold whole."""


def measured(values: Iterable[object]) -> tuple[list[float], str] | None:
    """The values as numbers of one unit, if that is what all of them are.

    `"2 m"` and `"5 m"` are; `"2 m"` and `"5 km"` are not, and neither is `"near"`. A number that is written as a whole
    one is an `int`. The unit is empty where there is none.
    """
    numbers: list[float] = []
    units = set()
    for value in values:
        found = QUANTITY.fullmatch(str(value).strip()) if isinstance(value, (int, float, str)) else None
        if found is None:
            return None
        number = float(found[1])
        if abs(number) > LARGEST:
            return None
        numbers.append(int(found[1]) if re.fullmatch(r"[-+]?\d+", found[1]) else number)
        units.add(found[2] or "")
    return (numbers, units.pop()) if len(units) == 1 else None
