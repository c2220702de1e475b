"""What a call loses on a wire comes first, whatever else the captures show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import headline, lead
from test_diagnosis_sound import MAC80211, down, strong
from test_diagnosis_worlds import N20, played

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis
    from airloom.scenario.toml_text import Value

CALL: dict[str, Value] = {"kind": "udp", "rate": "64 kbit/s", "payload": "160 B"}
BOTH: list[dict[str, Value]] = [{**CALL, "from": "lap", "to": "server"}, {**CALL, "from": "server", "to": "lap"}]


def said(out: Path, *more: dict[str, Value], loss: float, files: tuple[str, ...]) -> Diagnosis:
    """What is said of a call of both ways, and of what goes beside it."""
    link: dict[str, Value] = {"loss": loss} if loss else {}
    run = played(
        out, [strong("lap")], *BOTH, *more, delay="10 ms", link=link, air=N20, ap=MAC80211, duration="12 s", seed=2
    )
    return diagnose([run.path / f"{name}.pcapng" for name in files])


@pytest.mark.parametrize("files", [("lap", "server"), ("air", "lap", "server")], ids=["hosts", "with the air"])
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside a download"])
def test_what_a_call_loses_between_its_hosts_comes_first(beside: bool, files: tuple[str, ...], tmp_path: Path) -> None:
    more = [down("lap")] if beside else []
    found = said(tmp_path / "run", *more, loss=0.04, files=files)
    first = lead(found)[0]
    assert first.startswith("Datagrams from 10.0.0.")
    assert "lost on their way" in first
    assert headline(found).startswith("Datagrams were lost")
    (line, *_) = [one["lost"] for one in found["streams"] if one["tells_most"] and one["lost"]]
    assert line
    assert line["missing"] / line["sought"] == pytest.approx(0.04, abs=0.02)


def test_a_call_that_loses_nothing_is_not_said_to(tmp_path: Path) -> None:
    found = said(tmp_path / "run", down("lap"), loss=0.0, files=("lap", "server"))
    assert "lost on their way" not in " ".join(lead(found))


def test_a_stream_that_loses_what_it_sends_too_much_is_no_call(tmp_path: Path) -> None:
    """Of 200 Mbit/s the access point's queue drops what the air does not take."""
    flood: dict[str, Value] = {"kind": "udp", "from": "server", "to": "lap", "rate": "200 Mbit/s"}
    run = played(tmp_path / "run", [strong("lap")], flood, delay="10 ms", air=N20, ap=MAC80211, duration="4 s", seed=2)
    found = diagnose([run.path / f"{name}.pcapng" for name in ("lap", "server")])
    assert any(one["lost"] and one["lost"]["missing"] for one in found["streams"])
    assert "Datagrams from" not in " ".join(lead(found))
