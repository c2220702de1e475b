"""Queue disciplines that are classes in Python: as the built-in one, and refused where they cannot be used."""

from __future__ import annotations

import math
from typing import Any

import pytest

import airloom
from airloom.errors import OwnClassError, ScenarioError

SCENARIO = "examples/download.toml"

NS = 1_000_000_000
TARGET, INTERVAL, MTU = 5_000_000, 100_000_000, 1514


class Codel:
    """CoDel, as `crates/engine/queue/src/codel.rs` has it, asked packet by packet; times in nanoseconds."""

    def __init__(self) -> None:
        """Nothing has waited."""
        self.first_above: int | None = None
        self.dropping = self.again = self.enters = False
        self.count = self.last_count = self.drop_next = 0

    def dequeue(self, now: float, sojourn: float, bytes: int) -> bool:
        """Whether a packet goes on."""
        at, waited = round(now * NS), round(sojourn * NS)
        above = self.above(at, waited, bytes)
        if self.enters:
            self.enters = False
            self.enter(at)
            return True
        if self.again:
            self.dropping, self.again = above, False
            if self.dropping:
                self.drop_next = self.after(self.drop_next)
        elif self.dropping:
            self.dropping = above
        elif above:
            self.enters = True
            return False
        if self.dropping and at >= self.drop_next:
            self.count += 1
            self.again = True
            return False
        return True

    def above(self, now: int, waited: int, backlog: int) -> bool:
        """Whether the sojourn time has been above its target for an interval."""
        if waited < TARGET or backlog <= MTU:
            self.first_above = None
            return False
        if self.first_above is None:
            self.first_above = now + INTERVAL
        return now >= self.first_above

    def enter(self, now: int) -> None:
        """A dropping state begins."""
        self.dropping = True
        fresh = self.count - self.last_count
        self.count = fresh if fresh > 1 and now < self.drop_next + 16 * INTERVAL else 1
        self.last_count = self.count
        self.drop_next = self.after(now)

    def after(self, at: int) -> int:
        """The next drop after one."""
        return at + int(INTERVAL / math.sqrt(self.count))


airloom.queue("python-codel")(Codel)


def run(discipline: str, **keys: airloom.Value) -> airloom.Run:
    """A run with this discipline at the access point."""
    return airloom.run(SCENARIO, set={"ap.0.queue": {"discipline": discipline}, "duration": "8 s", **keys})


def test_a_law_drops_as_the_built_in_one() -> None:
    slow = {"station.0.rate": "MCS 0", "duration": "60 s"}
    built_in, own = (run(name, **slow) for name in ("codel", "python-codel"))
    [drops] = built_in.summary["drops"]
    assert drops["cause"] == "queue manager"
    assert drops["count"] > 15
    assert [drops] == own.summary["drops"]
    assert built_in.summary["flows"] == own.summary["flows"]


def test_a_hook_is_told_what_it_names_and_what_it_says_happens() -> None:
    told: list[dict[str, Any]] = []

    class Strict:
        def enqueue(self, now: float, size: int, ect: bool, packets: int, bytes: int, chance: float) -> Any:
            told.append({"now": now, "size": size, "ect": ect, "packets": packets, "bytes": bytes, "chance": chance})
            return "drop" if packets >= 20 else True

        def dequeue(self, sojourn: float) -> str | None:
            return "mark" if sojourn > 0.002 else None

    airloom.queue("strict")(Strict)
    ends: dict[str, airloom.Value] = dict.fromkeys(("server.0.host.ecn", "station.0.host.ecn"), "on")
    seen = run("strict", **ends).summary
    [access_point] = [node for node in seen["nodes"] if node["name"] == "ap"]
    [queue] = [one for one in access_point["queues"] if one["layer"] == "discipline"]
    assert queue["max_packets"] <= 20
    assert {one["cause"] for one in seen["drops"]} == {"queue manager"}
    assert all(0 <= one["chance"] < 1 for one in told)
    assert len({one["chance"] for one in told}) > 0.99 * len(told)
    assert max(one["packets"] for one in told) <= 20
    full = [one for one in told if one["size"] > 1000]
    assert 0.9 < sum(one["ect"] for one in full) / len(full) < 1, "what is sent again is not (RFC 3168 section 6.1.5)"
    assert all(one["bytes"] >= 40 * one["packets"] for one in told)
    assert queue["marks"] > 0


def test_the_limit_and_the_seed_are_the_scenario_s() -> None:
    class Coin:
        def enqueue(self, chance: float) -> bool:
            return chance > 0.02

    airloom.queue("coin")(Coin)
    small = {"ap.0.queue": {"discipline": "coin", "limit": "30 packets"}}
    once, again, other = (airloom.run(SCENARIO, seed=seed, set={"duration": "4 s", **small}) for seed in (1, 1, 2))
    assert once.summary == again.summary
    assert once.summary["drops"] != other.summary["drops"]
    assert airloom.check(SCENARIO, set=small).settings["ap"][0]["queue"] == small["ap.0.queue"]


def test_what_cannot_be_used_is_refused() -> None:
    with pytest.raises(OwnClassError, match="nothing decides about packets"):
        airloom.queue("idle")(type("Idle", (), {}))
    with pytest.raises(OwnClassError, match="`codel` is built in"):
        airloom.queue("codel")(Codel)
    with pytest.raises(OwnClassError, match="`enqueue` cannot be told `sojourn`"):
        airloom.queue("early")(type("Early", (), {"enqueue": lambda _, sojourn: bool(sojourn)}))
    with pytest.raises(ScenarioError, match="--with MODULE"):
        airloom.check(SCENARIO, set={"ap.0.queue": {"discipline": "nobodys"}})
    with pytest.raises(ScenarioError, match="did you mean `python-codel`"):
        airloom.check(SCENARIO, set={"ap.0.queue": {"discipline": "python-codle"}})
    with pytest.raises(ScenarioError, match="unknown key `target`"):
        airloom.check(SCENARIO, set={"ap.0.queue": {"discipline": "python-codel", "target": "5 ms"}})


def test_a_wrong_answer_ends_the_run_with_where_it_was() -> None:
    airloom.queue("wordy")(type("Wordy", (), {"dequeue": lambda _: "later"}))
    with pytest.raises(OwnClassError, match="dequeue") as raised:
        run("wordy")
    assert "returns None or True" in str(raised.value)
