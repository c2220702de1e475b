"""Types that are written by the engine's schema."""

from __future__ import annotations

import shapes


def test_the_types_of_a_diagnosis_are_those_of_the_engine() -> None:
    assert shapes.FILE.read_text() == shapes.written(), "`make shapes` writes it anew"
