"""Seeds for classes of one's own: each object has one, the same in each run of a scenario and seed, and alone."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import airloom
from airloom.errors import ScenarioWarning

SEEDS: list[int] = []
"""Those of the objects that were made since a test emptied it."""


class Seeded:
    """Keeps the seed that it is made with."""

    def __init__(self, seed: int) -> None:
        """Of this object alone."""
        SEEDS.append(seed)


@airloom.congestion_control("seeded")
class Control(Seeded):
    """Ten segments."""

    def grow(self) -> int:
        """As it is."""
        return 10


@airloom.queue("seeded")
class Queue(Seeded):
    """A FIFO."""

    def enqueue(self) -> None:
        """All goes on."""


@airloom.rate_control("seeded")
class Rate(Seeded):
    """A rate that most frames survive."""

    def started(self) -> int:
        """The second one."""
        return 1


@airloom.scheduler("seeded")
class Turns(Seeded):
    """A round."""

    def next(self) -> None:
        """The first."""


@airloom.roaming_policy("seeded")
class Policy(Seeded):
    """It stays."""

    def beacon(self) -> None:
        """Whatever it hears."""


@airloom.scan_policy("seeded")
class Scans(Seeded):
    """All of them."""

    def asked(self) -> None:
        """Whatever moved."""


@airloom.traffic("seeded")
class Source(Seeded):
    """A packet each 10 ms."""

    def __init__(self, seed: int) -> None:
        """Of this object alone."""
        super().__init__(seed)
        self.made, self.told = seed, -1

    def started(self, seed: int) -> None:
        """What the hook is told is what the object was made with."""
        assert seed == self.made

    def next(self) -> tuple[float, int]:
        """The next one."""
        return 0.01, 1000


SCAN = {"by": "networkmanager-0.9.8", "channels": 3, "first": "1 s"}
KINDS: dict[str, tuple[dict[str, Any], int]] = {
    "congestion_control": ({"flow.0.tcp.congestion": "seeded", "flow.1.tcp.congestion": "seeded"}, 2),
    "queue": ({"ap.0.queue": {"discipline": "seeded"}, "server.0.link.queue": {"discipline": "seeded"}}, 6),
    "rate_control": ({"station.0.rate": "seeded", "station.1.rate": "seeded"}, 4),
    "scan_policy": ({f"station.{n}.scan": {**SCAN, "remedy": "seeded"} for n in (0, 1)}, 2),
    "scheduler": ({"ap.0.adapter.turns": "seeded", "station.0.adapter.turns": "seeded"}, 8),
    "traffic": ({"flow.0.traffic": "seeded", "flow.1.traffic": "seeded"}, 2),
}
"""What has each kind twice at least, and how many objects that makes at least in examples/near-and-far.toml."""


def seeds(scenario: str, keys: dict[str, Any], seed: int) -> list[int]:
    """Of all objects of a short run."""
    SEEDS.clear()
    airloom.run(scenario, seed=seed, set={"duration": "5100 ms", **keys})
    return list(SEEDS)


def hold(scenario: str, keys: dict[str, Any], least: int) -> None:
    """What holds of the seeds of all kinds."""
    first = seeds(scenario, keys, 1)
    assert len(first) >= least
    assert len({*first}) == len(first), "no two are alike"
    assert seeds(scenario, keys, 1) == first
    assert not {*first} & {*seeds(scenario, keys, 2)}


@pytest.mark.parametrize("kind", KINDS)
def test_each_object_has_a_seed_of_its_own(kind: str) -> None:
    hold("examples/near-and-far.toml", *KINDS[kind])


def test_so_have_stations_that_roam(tmp_path: Path) -> None:
    """And the links to each access point that they may go to."""
    text = Path("examples/roaming.toml").read_text(encoding="utf-8")
    head, station, rest = text.partition("[[station]]")
    one, _, others = rest.partition("\n[[")
    twice = f"{head}{station}{one}\n[[station]]{one.replace('laptop', 'tablet')}\n[[{others}"
    (tmp_path / "two.toml").write_text(twice)
    hold(str(tmp_path / "two.toml"), {"station.0.roam": "seeded", "station.1.roam": "seeded"}, 2)
    hold(str(tmp_path / "two.toml"), {"station.0.rate": "seeded", "station.1.rate": "seeded"}, 12)


def test_a_decorators_seed_is_a_parameter_like_others() -> None:
    """Each object has it then."""
    airloom.congestion_control("reseeded", seed=5)(type("Own", (Control,), {}))
    keys = {"flow.0.tcp.congestion": "reseeded"}
    assert {*seeds("examples/near-and-far.toml", keys, 1)} == {5}
    assert {*seeds("examples/near-and-far.toml", {**keys, "own.reseeded.seed": 6}, 1)} == {6}


def test_random_numbers_of_the_program_are_answered_with_the_seed() -> None:
    with pytest.warns(ScenarioWarning, match=r"`__init__` gets a `seed` of the object's own"):

        @airloom.traffic("unseeded")
        class Unseeded:
            def next(self) -> tuple[float, int]:
                return random.random(), 1000  # noqa: S311
