"""Which captures are of one time, and which repeat it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom import _engine
from airloom.diagnosis.reading import captures_in, given
from airloom.errors import CaptureError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def times(files: Sequence[Path]) -> list[list[Path]]:
    """The captures of each time.

    Those in a folder are of one time, whatever their stamps say. Others are if their times overlap, as of a monitor and
    of a laptop beside it.

    Raises:
        CaptureError: A file is given twice or is no capture, a folder has none, or nothing has a record.
    """
    given(files)
    alone = [file for file in files if not file.is_dir()]
    if len(alone) == 1:
        return [list(captures_in(file)) if file.is_dir() else [file] for file in files]
    spans = {file: span_of(file) for file in alone}
    found = [list(captures_in(file)) for file in files if file.is_dir()]
    end = 0
    for file in sorted(spans, key=lambda file: spans[file][0]):
        if spans[file][0] >= end:
            found.append([])
        found[-1].append(file)
        end = max(end, spans[file][1])
    return found


def span_of(file: Path) -> tuple[int, int]:
    """From when until when a capture goes, in nanoseconds since 1970.

    Raises:
        CaptureError: It has no record, or is no capture.
    """
    span = _engine.capture_span(file)
    if span is None:
        raise CaptureError(f"{file}: has no record, so there is nothing to compare")
    return span
