"""What `airloom diagnose` takes of memory does not grow with a connection's length, and is bounded for many of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from diagnosing import made, simulated, taken

if TYPE_CHECKING:
    from pathlib import Path

SHORT, LONG = "60 s", "240 s"
"""How long one connection sends."""

MORE = 6
"""MiB that four times as long a connection may take more."""

OCTETS = 48_000_000
"""Of a capture of many connections."""

MOST = 130
"""MiB for two thousand connections, or a thousand stations, with what Python takes for itself."""


@pytest.mark.parametrize("where", ["server", "air"])
def test_memory_does_not_grow_with_a_connection(where: str, tmp_path: Path) -> None:
    captures = [simulated(tmp_path / of, of, "100 Mbit/s") / f"{where}.pcapng" for of in (SHORT, LONG)]
    (_, short), (_, long) = (taken(capture) for capture in captures)
    assert captures[1].stat().st_size > 3 * captures[0].stat().st_size
    assert long < short + MORE, f"{short:.0f} MiB for {SHORT}, {long:.0f} MiB for {LONG}"


@pytest.mark.parametrize("kind", ["at once", "crowd"])
def test_memory_is_bounded(kind: str, tmp_path: Path) -> None:
    _, most = taken(made(kind, tmp_path, OCTETS))
    assert most < MOST, f"{most:.0f} MiB"
