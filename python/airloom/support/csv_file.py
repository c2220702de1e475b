"""Tables as CSV, after RFC 4180 but for line ends, which are those of Unix."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from airloom.support.atomic import whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


def write(header: Sequence[str], rows: Iterable[Sequence[object]], target: Path) -> None:
    """Writes a table, whole or not at all; None is an empty cell."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole(target) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
