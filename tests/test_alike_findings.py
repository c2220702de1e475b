"""How `airloom diagnose` prints findings of one rule: the first in full, the next few in a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from airloom.cli.diagnose import MOST_TOLD, show_findings, together
from airloom.cli.screen import Screen

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Finding


@pytest.fixture(autouse=True)
def unfolded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are as long as they are."""
    monkeypatch.delenv("COLUMNS", raising=False)


def crowded(number: int, **other: Any) -> Finding:
    """A finding of contention at one of several stations."""
    found = {
        "code": "W201",
        "name": "contention",
        "below": None,
        "is_reason": False,
        "subject": f"station 02:00:00:00:00:{number:02x}",
        "spans": [[0.0, 5.0]],
        "confidence": 0.9,
        "cost": {
            "value": 300.0 + number,
            "unit": "Mbit/s",
            "of": "of this station",
            "at_least": True,
            "at_most": False,
            "of_the_air": False,
            "unknown": "",
        },
        "filter": "wlan",
        "says": f"Data of {number} other busy stations takes {70 + number} % of the time.",
        "remedy": "Another channel.",
        "refuted_by": "Silence.",
    }
    return cast("Finding", found | other)


def test_findings_of_a_rule_that_follow_each_other_are_printed_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    crowd = [crowded(number) for number in range(MOST_TOLD + 4)]
    (alike,) = together(crowd)
    show_findings(Screen(), alike)
    said = capsys.readouterr().out
    assert f"station 02:00:00:00:00:00 and {MOST_TOLD + 3} others\n" in said
    assert said.count("other busy stations") == 1
    assert said.count("What helps") + said.count("what helps") == 1
    assert said.count("costs at least 30") == 1 + MOST_TOLD
    assert "3 more like these" in said


def test_what_only_one_of_them_says_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    (alike,) = together([crowded(1), crowded(2, says="The network 'other' is alone in this.")])
    show_findings(Screen(), alike)
    said = capsys.readouterr().out
    assert "station 02:00:00:00:00:02: The network 'other' is alone in this. Costs at least 302" in said


def test_what_the_air_would_carry_is_no_cost_that_a_window_might_forbid(capsys: pytest.CaptureFixture[str]) -> None:
    cost = {**crowded(1)["cost"], "of_the_air": True}
    show_findings(Screen(), [crowded(1, cost=cost)])
    assert "the air would carry at least 301 Mbit/s more of this station; 90 % sure" in capsys.readouterr().out


def test_another_remedy_or_another_cause_above_is_another_block() -> None:
    found = [crowded(1), crowded(2, remedy="Another band."), crowded(3, below=1), crowded(4, below=1)]
    assert [len(alike) for alike in together(found)] == [1, 1, 2]
