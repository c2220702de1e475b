"""What acknowledges for a server may stand near, though the server is far: a proxy, or a virtual machine's host."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis

CLIENT, SERVER = "10.0.0.1:49154", "10.0.0.2:445"
NEAR, FAR = 2e-4, 0.136
"""How soon what acknowledges does that, and how far the server is, in seconds."""


def asks(path: Path, answers_after: float, turns: int = 60) -> Diagnosis:
    """Requests, acknowledged at once and answered later by the server, whose answer to the SYN took long."""
    talk = Conversation()
    talk.open(0.0, FAR)
    for turn in range(turns):
        at = 1.0 + turn * 0.5
        talk.put(at, 0, 500)
        talk.put(at + NEAR, 1)
        for segment in range(12):
            talk.put(at + answers_after + segment * 1e-4, 1, MSS)
        talk.put(at + answers_after + 2e-3, 0)
    return diagnose([talk.write(path)])


def test_a_proxy_is_not_taken_for_the_server(tmp_path: Path) -> None:
    told = asks(tmp_path / "proxy.pcap", FAR)
    down, up = (next(line for line in facts(told) if line.startswith(end)) for end in (SERVER, CLIENT))
    assert "to what acknowledges for the receiver, whose answer to the SYN took 136\N{NO-BREAK SPACE}ms" in up.replace(
        " ms", "\N{NO-BREAK SPACE}ms"
    )
    assert "the sender" not in down
    # Not its program, nor its window: it is far, and what it does is not seen.
    assert [one for one in told["findings"] if one["subject"].startswith(SERVER)] == []


def test_three_answers_from_where_the_syn_was_answered_show_it_too(tmp_path: Path) -> None:
    told = asks(tmp_path / "few.pcap", FAR + 2e-3, 3)
    down = next(line for line in facts(told) if line.startswith(SERVER))
    assert f"what acknowledges for {SERVER} is near, though its answer to the SYN took 136 ms" in down
    assert "the sender" not in down
    assert {one["from"]: one["behind_ms"] for one in told["connections"]} == {
        SERVER: pytest.approx(1e3 * FAR),
        CLIENT: None,
    }


@pytest.mark.parametrize(("answers_after", "turns"), [(FAR, 2), (3 * FAR, 3), (0.03, 3)])
def test_few_answers_that_take_as_long_by_chance_are_no_proxy(tmp_path: Path, answers_after: float, turns: int) -> None:
    told = asks(tmp_path / "chance.pcap", answers_after, turns)
    assert [one["behind_ms"] for one in told["connections"]] == [None, None]


@pytest.mark.parametrize("answers_after", [1e-3, 0.03])
def test_a_server_that_answers_a_syn_late_once_is_no_proxy(tmp_path: Path, answers_after: float) -> None:
    told = asks(tmp_path / "late.pcap", answers_after)
    assert [one["proxied_ms"] for one in told["connections"]] == [None, None]
