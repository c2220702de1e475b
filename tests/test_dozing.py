"""PS-Polls and service periods, as tshark reads them from our captures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import airloom
from airloom import CaptureSettings
from conftest import ROOT
from test_captures import tshark, wrong

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = ROOT / "examples" / "dozer.toml"
FIELDS = (
    "_ws.malformed",
    "wlan.fcs.status",
    "wlan.fc.type_subtype",
    "wlan.aid",
    "wlan.fc.pwrmgt",
    "wlan.fc.moredata",
    "wlan.qos.eosp",
    "wlan.fc.ds",
    "udp.length",
)
PS_POLL, QOS_DATA, QOS_NULL, NULL = "0x001a", "0x0028", "0x002c", "0x0024"
DOWN = "0x02"


def seen(folder: Path, save: dict[str, Any], flows: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What is on the air in two seconds, none of it wrong."""
    changes: dict[str, Any] = {"duration": "2 s", "station.0.power_save": save, "flow": flows}
    run = airloom.run(EXAMPLE, set=changes, out=folder / "run", capture=CaptureSettings(0))
    frames = tshark(run.path / "air.pcapng", FIELDS)
    assert [frame for frame in frames if wrong(frame)] == []
    return frames


def flow(name: str, sender: str, receiver: str, **more: str) -> dict[str, Any]:
    """A flow of small packets in the voice category."""
    kind = {"kind": "udp", "rate": "64 kbit/s", "payload": "160 B", "dscp": "EF", "start": "500 ms"}
    return {"name": name, "from": sender, "to": receiver, **kind, **more}


def true(value: str) -> bool:
    """Whether a flag is set, however this tshark writes it."""
    return value in ("1", "True")


def test_polls_carry_the_association_and_answers_say_whether_there_is_more(tmp_path: Path) -> None:
    heard = flow("heard", "server", "laptop", dscp="DF")
    frames = seen(tmp_path, {"timeout": "10 ms", "fetch": "ps-poll"}, [heard])
    polls = [frame for frame in frames if frame["wlan.fc.type_subtype"] == PS_POLL]
    assert {int(frame["wlan.aid"], 0) for frame in polls} == {1}
    after = [frame for frame in frames if frame["wlan.fc.type_subtype"] == QOS_DATA][5:]
    assert len(after) > 50
    assert {true(frame["wlan.fc.moredata"]) for frame in after} == {True, False}
    # Nobody says that it is awake again.
    assert all(true(frame["wlan.fc.pwrmgt"]) for frame in frames if frame["wlan.fc.type_subtype"] == NULL)


def test_service_periods_begin_with_voice_and_end_with_eosp(tmp_path: Path) -> None:
    flows = [flow("heard", "server", "laptop"), flow("spoken", "laptop", "server")]
    frames = seen(tmp_path, {"timeout": "10 ms", "uapsd": True}, flows)
    data = [frame for frame in frames if frame["wlan.fc.type_subtype"] == QOS_DATA]
    down = [frame for frame in data if frame["wlan.fc.ds"] == DOWN]
    up = [frame for frame in data if frame["wlan.fc.ds"] != DOWN]
    assert len(down) > 50
    assert {true(frame["wlan.qos.eosp"]) for frame in down} == {True}
    assert {true(frame["wlan.fc.pwrmgt"]) for frame in up} == {True}


def test_a_trigger_that_finds_nothing_is_answered_without_data(tmp_path: Path) -> None:
    frames = seen(tmp_path, {"timeout": "10 ms", "uapsd": True}, [flow("spoken", "laptop", "server")])
    nulls = [frame for frame in frames if frame["wlan.fc.type_subtype"] == QOS_NULL]
    assert len(nulls) > 50
    assert {true(frame["wlan.qos.eosp"]) for frame in nulls} == {True}
