"""`airloom diagnose` names packets that overtake each other, and as a fault where data is sent again for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from test_diagnosis_sound import down, strong
from test_diagnosis_worlds import G, played

if TYPE_CHECKING:
    from pathlib import Path

    import airloom
    from airloom.scenario.toml_text import Value

SHARE = 0.02
"""The share of packets that the wire delivers late."""


def world(out: Path, link: dict[str, Value], server: str) -> airloom.Run:
    """A download over a wire with such a link."""
    laptop = strong("lap", adapter="dcf")
    ap: dict[str, Value] = {"queue": {"discipline": "mac80211"}}
    return played(
        out, [laptop], down("lap"), delay="10 ms", link=link, server=server, air=G, ap=ap, duration="5 s", seed=3
    )


@pytest.mark.parametrize("server", ["linux-3.2", "linux-6.18"])
def test_packets_that_a_wire_delivers_late_are_counted_with_where_they_are_overtaken(
    server: str, tmp_path: Path
) -> None:
    late: dict[str, Value] = {"late": {"share": SHARE, "by": "6 ms"}}
    run = world(tmp_path / "ill", late, server)
    both = diagnose([run.path / f"{place}.pcapng" for place in ("server", "lap")])
    seen = {one["seen_from"]: one["overtaken"] for one in both["connections"] if one["bytes"] > 1e6}
    assert seen["sender"] is None
    at_receiver = seen["receiver"]
    assert at_receiver
    assert at_receiver["in_order_at"] == 0
    packets = max(one["packets"] for one in both["connections"])
    assert at_receiver["packets"] == pytest.approx(SHARE * packets, rel=0.3)
    # As many as come meanwhile, at the rate of the air, or of a burst.
    assert 2 <= at_receiver["segments"] <= at_receiver["most"]
    assert at_receiver["late_ms"] >= 2
    (line,) = [line for line in facts(both) if "behind later ones" in line]
    assert "overtake each other between the two" in line
    alone = diagnose([run.path / "lap.pcapng"])
    (line,) = [line for line in facts(alone) if "behind later ones" in line]
    assert "between the two" not in line
    if server == "linux-3.2":
        (needless,) = [one for one in both["findings"] if one["code"] == "W303"]
        assert "behind later ones" in needless["says"]
        assert "overtake each other between the two" in needless["says"]


def test_a_wire_in_order_has_no_packets_that_are_overtaken(tmp_path: Path) -> None:
    run = world(tmp_path / "well", {}, "linux-3.2")
    for files in (["lap"], ["server", "lap"], ["air", "server", "lap"]):
        found = diagnose([run.path / f"{place}.pcapng" for place in files])
        assert all(one["overtaken"] is None for one in found["connections"])
        assert not [line for line in facts(found) if "behind later ones" in line]
