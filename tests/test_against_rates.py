"""`airloom diagnose --against`: another fixed rate is found, however little data there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom import _engine
from airloom.diagnosis.against.told import against
from airloom.errors import CaptureError

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.against.changes import Change

WORLD = """
title = "A stream at a fixed rate"
duration = "10 s"
air = { standard = "802.11a", band = "5 GHz", width = "20 MHz" }
ap = [{ name = "ap", adapter = "dcf" }]
station = [{ name = "laptop", host = "linux-6.18", adapter = "dcf", distance = "4 m", rate = "%s" }]
server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "5 ms" } }]
flow = [{ kind = "udp", from = "server", to = "laptop", rate = "4 Mbit/s" }]
"""

KEPT = (160, 0, 2**63 - 1)


def side(folder: Path, rate: str, seeds: range) -> list[Path]:
    """Captures of the stream at a rate, with each of some seeds."""
    folders = [folder / f"{rate[:2]}-{seed}" for seed in seeds]
    for seed, out in zip(seeds, folders, strict=True):
        _engine.run(WORLD % rate, "a stream", [], seed, out, capture=KEPT)
    return folders


@pytest.mark.parametrize("many", [1, 3])
def test_a_fixed_rate_is_told_from_another(many: int, tmp_path: Path) -> None:
    """Nothing of it varies, in any capture. What each Mbit takes of the air follows; as much comes on both sides."""
    slow, fast = side(tmp_path, "12 Mbit/s", range(1, 1 + many)), side(tmp_path, "48 Mbit/s", range(11, 11 + many))
    found = {one["measure"]: one for one in against(slow, fast)["changes"]}
    assert [shown(found[name]) for name in ("rate", "air time")] == [("better", None), ("better", "rate")]
    assert found["rate"]["before"] == pytest.approx(12)
    assert found["rate"]["after"] == pytest.approx(48)
    # 1500 octets and all that is around them: 1.1 ms at 12 Mbit/s, 0.3 ms at 48.
    assert found["air time"]["ratio"] == pytest.approx(0.27, abs=0.03)
    assert found["air time"]["unless"] is None
    assert found["goodput of UDP"]["verdict"] == "same"


def shown(one: Change) -> tuple[str, str | None]:
    """What is said of a measure, and from what it follows."""
    return one["verdict"], one["follows_from"]


def test_the_same_fixed_rate_is_no_change(tmp_path: Path) -> None:
    few, others = side(tmp_path / "one", "12 Mbit/s", range(1, 4)), side(tmp_path / "two", "12 Mbit/s", range(11, 14))
    assert not {one["measure"] for one in against(few, others)["changes"] if one["verdict"] in ("better", "worse")}


def test_a_copy_of_all_captures_is_refused_still(tmp_path: Path) -> None:
    """The senders' own captures of both sides are equal all the time, and no copies."""
    (one,) = side(tmp_path, "12 Mbit/s", range(1, 2))
    (copy,) = side(tmp_path / "again", "12 Mbit/s", range(1, 2))
    with pytest.raises(CaptureError, match="has the same content as"):
        against([one], [copy])
