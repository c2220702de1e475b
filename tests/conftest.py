"""Fixtures."""

from __future__ import annotations

from pathlib import Path

import pytest
import synthetic

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """An upload that three scans disturb."""
    return synthetic.write(tmp_path / "off")


@pytest.fixture
def remedied(tmp_path: Path) -> Path:
    """The same upload, with the remedy: no scan at all."""
    return synthetic.write(tmp_path / "on", remedy=True)
