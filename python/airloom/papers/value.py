"""A value of a claim, or of a result that is held against one."""

from __future__ import annotations

Value = float | tuple[float, float] | bool
"""A number, the ends of a range, or whether a statement is true."""


def ends_of(value: Value | None) -> tuple[float, float] | None:
    """The ends of a range; a single number is both; none of a statement, nor where there is no value."""
    if value is None or isinstance(value, bool):
        return None
    return value if isinstance(value, tuple) else (value, value)
