"""What `airloom diagnose` takes of memory does not grow with the files, and stays small for many connections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from diagnosing import made, taken

if TYPE_CHECKING:
    from pathlib import Path

SHORT, LONG = 12_000_000, 48_000_000
"""Octets of captures."""

MORE = 6
"""MiB that four times as long a capture may take more."""

MOST = 130
"""MiB for two thousand connections, or a thousand stations, with what Python takes for itself."""


@pytest.mark.parametrize("kind", ["host", "monitor"])
def test_memory_does_not_grow_with_the_capture(kind: str, tmp_path: Path) -> None:
    (_, short), (_, long) = (taken(made(kind, tmp_path / str(octets), octets)) for octets in (SHORT, LONG))
    assert long < short + MORE, f"{short:.0f} MiB for {SHORT} octets, {long:.0f} MiB for {LONG}"


@pytest.mark.parametrize("kind", ["at once", "crowd"])
def test_memory_is_bounded(kind: str, tmp_path: Path) -> None:
    _, most = taken(made(kind, tmp_path, LONG))
    assert most < MOST, f"{most:.0f} MiB"
