"""Types that are written by the engine's schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import shapes

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("file", shapes.MODULES, ids=lambda file: file.parent.name)
def test_the_types_are_those_of_the_engine(file: Path) -> None:
    assert file.read_text() == shapes.written(file), "`make shapes` writes it anew"
