"""`airloom.diagnose`: what went wrong in captures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os

    from airloom.diagnosis.told import Diagnosis


def diagnose(*files: str | os.PathLike[str]) -> Diagnosis:
    """What went wrong in captures of the same time, how sure that is and what it cost: as `airloom diagnose` has it.

    >>> import airloom
    >>> found = airloom.diagnose("out/seen/air.pcapng", "out/seen/laptop.pcapng")  # doctest: +SKIP
    >>> [finding["code"] for finding in found["findings"]]  # doctest: +SKIP
    ['W101']

    Args:
        files: Captures, pcap or pcapng, gzipped or not, or a folder of them, as `airloom collect` leaves it.

    Raises:
        CaptureError: There is no file, one is given twice or cannot be read as a capture, or there is no record in any.
    """
    from airloom.diagnosis import told

    return told.diagnose([Path(file) for file in files])
