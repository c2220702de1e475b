"""The script that the pages draw their charts with."""

from __future__ import annotations

import charting_library
from airloom.report.html import library


def test_it_is_what_the_pinned_converter_has() -> None:
    assert str(library()) == charting_library.bundle(), "`make vega` writes it anew"
