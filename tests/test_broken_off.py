"""`airloom diagnose` says of a receiver to which nothing comes any more that data broke off, and not why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import lead
from test_diagnosis_sound import MAC80211, down, strong
from test_diagnosis_worlds import N20, played

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis
    from airloom.scenario.toml_text import Value

WHO = "whether the air, the access point, the wire or the server stopped does not show"


def laptops(out: Path, flow: dict[str, Value], ap: dict[str, Value] | None = None, snr: Value = "40 dB") -> Diagnosis:
    """What the station's own capture of 9 s shows."""
    laptop = strong("lap", snr=snr)
    run = played(out, [laptop], flow, delay="10 ms", air=N20, ap={**MAC80211, **(ap or {})}, duration="9 s", seed=1)
    return diagnose([run.path / "lap.pcapng"])


@pytest.mark.parametrize("cause", ["an access point without power", "a signal that is gone"])
def test_data_that_breaks_off_is_told_and_nobody_is_accused(cause: str, tmp_path: Path) -> None:
    off: dict[str, Value] = {"off": [{"from": "4 s", "to": "9 s"}]} if "power" in cause else {}
    gone: Value = "40 dB" if off else [{"at": "0 s", "snr": "40 dB"}, {"at": "4 s", "snr": "-20 dB"}]
    found = laptops(tmp_path / "run", down("lap"), off, gone)
    assert found["findings"] == []
    ((start, end),) = found["captures"][0]["lulls"]
    assert [start, end] == pytest.approx([4, 9], abs=0.1)
    said = " ".join(lead(found))
    assert "found nothing wrong, but from 4.0 s on, to the end of the capture 5.0" in said
    assert WHO in said
    assert any(line.startswith("no TCP came to the host of ") and WHO in line for line in facts(found))


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "flow",
    [{"bytes": "20 MB"}, {"stop": "4 s"}, {}, {"write": {"size": "200 kB", "every": "4 s"}}],
    ids=["a file", "one that ends", "one that goes on", "writes"],
)
def test_what_has_ended_or_pauses_has_not_broken_off(flow: dict[str, Value], tmp_path: Path) -> None:
    found = laptops(tmp_path / "run", down("lap", **flow))
    assert found["captures"][0]["lulls"] == []
    assert WHO not in " ".join([*lead(found), *facts(found)])
