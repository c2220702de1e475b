"""The fold of measurements that is predicted instead of fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.fitting.measurement import Measurement
    from airloom.scenario.complaints import Complaints


def check_fold(held: str, measurements: Sequence[Measurement], complaints: Complaints) -> None:
    """Refuses a fold that no measurement is of, or that leaves nothing to be fitted."""
    folds = sorted({one.fold for one in measurements if one.fold})
    if held and held not in folds:
        complaints.add(
            "hold_out", f"no measurement has fold = {held!r}", f"there are {', '.join(folds)}" if folds else None
        )
    elif held and all(one.fold == held for one in measurements):
        complaints.add("hold_out", f"all measurements are of fold {held!r}: nothing is left to be fitted")
