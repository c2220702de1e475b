"""Traffic that is a class in Python: as the built-in kinds, as its model says, and refused where it cannot be used."""

from __future__ import annotations

import json
import math
import random
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom.errors import OwnClassError, ScenarioError
from own_sweep import COMMAND, swept

if TYPE_CHECKING:
    from collections.abc import Callable

SCENARIO = "examples/download.toml"

EULER = 0.577216
"""The mean of a largest extreme value of location 0 and scale 1."""


@airloom.traffic("even-tcp", every=0.01, size=20_000)
@airloom.traffic("even-udp", every=0.001, size=1000)
@airloom.traffic("frames", every=0.02, size=3000)
class Even:
    """The same at equal intervals."""

    def __init__(self, every: float, size: int) -> None:
        """Seconds and bytes."""
        self.every, self.size = every, size

    def started(self) -> tuple[float, int]:
        """The first at once."""
        return 0, self.size

    def next(self) -> tuple[float, int]:
        """The others."""
        return self.every, self.size


@pytest.fixture
def datagrams(tmp_path: Path) -> str:
    """The scenario with a flow of datagrams."""
    text = Path(SCENARIO).read_text(encoding="utf-8").replace('tcp = { congestion = "cubic" }', 'kind = "udp"')
    (tmp_path / "datagrams.toml").write_text(text)
    return str(tmp_path / "datagrams.toml")


def run(scenario: str = SCENARIO, seed: int = 1, duration: str = "8 s", **keys: airloom.Value) -> dict[str, Any]:
    """What a run of the flow with these keys has in its summary."""
    flow = {f"flow.0.{key}": value for key, value in keys.items()}
    return dict(airloom.run(scenario, seed=seed, set={"duration": duration, **flow}).summary)


def test_a_class_writes_as_the_built_in_kinds(datagrams: str) -> None:
    written = run(write={"size": "20 kB", "every": "10 ms"})["flows"]
    assert written[0]["goodput_mbps"] == pytest.approx(16, rel=0.01)
    assert written == run(traffic="even-tcp")["flows"]
    sent = run(datagrams, rate="8 Mbit/s", payload="1000 B")["flows"]
    assert sent[0]["sent"] == 8001
    assert sent == run(datagrams, traffic="even-udp", payload="1000 B")["flows"]


@airloom.traffic("game", every=(0.055, 0.006), size=(120, 36))
class Game:
    """A game's server: NGMN, Radio Access Performance Evaluation Methodology, 2008, annex A."""

    def __init__(self, every: tuple[float, float], size: tuple[float, float]) -> None:
        """Location and scale of largest extreme values."""
        self.every, self.size = every, size

    def extreme(self, a: float, b: float) -> float:
        """One, by the inverse of its distribution."""
        return a - b * math.log(-math.log(1 - self.draw.random()))

    def started(self, seed: int) -> tuple[float, float]:
        """The first within 40 ms."""
        self.draw = random.Random(seed)  # noqa: S311
        return self.draw.uniform(0, 0.04), self.extreme(*self.size)

    def next(self) -> tuple[float, float]:
        """The others."""
        return self.extreme(*self.every), self.extreme(*self.size)


def test_the_rate_of_a_game_is_that_of_its_model(datagrams: str) -> None:
    [flow] = run(datagrams, traffic="game", duration="600 s")["flows"]
    apart, size = 0.055 + EULER * 0.006, 120 + EULER * 36
    deviation = math.pi / math.sqrt(6)
    count = 600 / apart
    assert flow["sent"] == pytest.approx(count, abs=4 * math.sqrt(count) * deviation * 0.006 / apart)
    mean = flow["bytes_delivered"] / flow["delivered"]
    assert mean == pytest.approx(size, abs=4 * deviation * 36 / math.sqrt(count))


def test_a_file_comes_once_the_last_has_arrived_and_was_read(datagrams: str) -> None:
    """3GPP TR 36.814, FTP model 2, with 0.5 s to read: a file in each reading time and transfer, on average."""
    asked: list[float] = []
    waits: list[float] = []

    @airloom.traffic("reader")
    class Reader:
        def started(self, seed: int) -> None:
            self.draw = random.Random(seed)  # noqa: S311

        def delivered(self, now: float) -> tuple[float, int]:
            asked.append(now)
            waits.append(self.draw.expovariate(1 / 0.5))
            return waits[-1], 500_000

    [flow] = run(traffic="reader", duration="400 s")["flows"]
    assert asked[0] == 0
    transfers = [late - early - wait for early, late, wait in zip(asked, asked[1:], waits, strict=False)]
    assert min(transfers) > 0.02 + 500_000 * 8 / 300e6, "a round trip, and the file at the highest rate"
    files = len(transfers)
    mean = sum(transfers) / files
    assert mean < 0.2
    assert files == pytest.approx(400 / (0.5 + mean), rel=4 / math.sqrt(files))
    assert flow["bytes_delivered"] == pytest.approx(500_000 * files, abs=500_000)
    with pytest.raises(ScenarioError, match="`reader` waits until all is acknowledged, which no datagram is"):
        run(datagrams, traffic="reader")


def test_a_hook_is_told_what_it_names(datagrams: str) -> None:
    told: list[dict[str, Any]] = []
    times: list[float] = []

    @airloom.traffic("noting")
    class Noting:
        def started(self, now: float, seed: int, payload: int | None) -> None:
            told.append({"now": now, "seed": seed, "payload": payload})

        def next(self, now: float) -> tuple[float, int]:
            times.append(now)
            return 0.25, 100

    run(traffic="noting", start="1 s", stop="3.1 s")
    assert times == [1 + 0.25 * n for n in range(9)]
    run(traffic="noting", seed=2)
    run(datagrams, traffic="noting")
    run(datagrams, traffic="noting", name="other", payload="100 B")
    assert [one["now"] for one in told] == [1, 0, 0, 0]
    assert [one["payload"] for one in told] == [None, None, 1470, 100]
    seeds = [one["seed"] for one in told]
    assert seeds[0] == seeds[2], "of the flow's name and the run's seed"
    assert len(set(seeds)) == 3


def test_what_is_handed_over_at_once_leaves_in_datagrams_of_the_payload(datagrams: str) -> None:
    [whole] = run(datagrams, traffic="frames", duration="1.99 s")["flows"]
    assert whole["sent"] == 3 * 100, "1470, 1470 and 60 bytes, every 20 ms"
    assert whole["bytes_delivered"] == pytest.approx(300_000, abs=3000)
    [small] = run(datagrams, traffic="frames", payload="1000 B", duration="1.99 s")["flows"]
    assert small["sent"] == 3 * 100
    [one] = run(datagrams, traffic="frames", payload="1472 B", duration="1.99 s", stop="0.5 s")["flows"]
    assert one["sent"] == 3 * 25


def test_an_application_that_has_no_more_closes_its_connection(datagrams: str) -> None:
    @airloom.traffic("three", count=3)
    class Three:
        def __init__(self, count: int) -> None:
            self.left = count

        def next(self) -> tuple[float, int] | None:
            self.left -= 1
            return (0.1, 70_000) if self.left >= 0 else None

    assert run(traffic="three")["flows"][0]["bytes_delivered"] == 210_000
    assert run(traffic="three", bytes="100 kB")["flows"][0]["bytes_delivered"] == 100_000
    assert run(traffic="three", stop="0.25 s")["flows"][0]["bytes_delivered"] == 140_000
    assert run(datagrams, traffic="three")["flows"][0]["bytes_delivered"] == 210_000
    airloom.traffic("none", count=0)(Three)
    assert run(traffic="none")["flows"][0]["bytes_delivered"] == 0


def test_the_same_seed_gives_the_same_run(datagrams: str) -> None:
    once, again, other = (run(datagrams, seed=seed, traffic="game") for seed in (1, 1, 2))
    assert once == again
    assert once["flows"] != other["flows"]
    told = airloom.check(datagrams, set={"flow.0.traffic": "game"}).settings["flow"][0]
    assert (told["traffic"], told["payload"], "rate" in told) == ("game", "1470 B", False)
    assert "even-tcp" in json.dumps(airloom.schema())


def answers(said: object) -> Callable[..., object]:
    """A hook that answers so."""
    return lambda _: said


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((0, 1), "10000 times at one instant"),
        ((-1, 1), "a wait is from 0 to 86400 s, not -1"),
        ((float("nan"), 1), "a wait is from 0 to 86400 s, not NaN"),
        ((1, 0), "from 1 to 1099511627776 bytes, not 0"),
        (5, r"\(seconds to wait, bytes\), not int"),
        ((1, 2, 3), "not tuple"),
    ],
)
def test_a_wrong_answer_ends_the_run_with_where_it_was(answer: object, said: str) -> None:
    airloom.traffic("odd")(type("Odd", (), {"next": answers(answer)}))
    with pytest.raises(OwnClassError, match=rf"`next` of `odd`, 0\.0+ s into the run: .*{said}"):
        run(traffic="odd")


def test_what_a_hook_raises_ends_the_run_with_place_and_time() -> None:
    @airloom.traffic("tired")
    class Tired:
        def next(self, now: float) -> tuple[float, int]:
            return 1 / (now < 2.5), 100

    with pytest.raises(OwnClassError, match=r"`next` of `tired`, 3\.0+ s into the run: ZeroDivisionError") as raised:
        run(traffic="tired")
    assert "return 1 / (now < 2.5), 100" in str(raised.value)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"traffic": "even-tpc"}, "did you mean `even-tcp`?"),
        ({"traffic": "nobodys"}, "--with MODULE"),
        ({"traffic": 3}, "must be a name in quotes"),
        ({"traffic": "even-tcp", "write": {"size": "1 kB", "every": "1 s"}}, "`write` means nothing to a flow with"),
        ({"kind": "pareto"}, "docs/own-traffic.md"),
    ],
)
def test_a_scenario_that_cannot_be_run_is_refused(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        run(**keys)
    assert said in str(refused.value)


@pytest.mark.parametrize("key", ["rate", "spacing", "jitter"])
def test_a_flow_of_datagrams_has_one_pace(datagrams: str, key: str) -> None:
    pace: dict[str, Any] = {key: {"rate": "1 Mbit/s", "spacing": "poisson", "jitter": "1 ms"}[key]}
    with pytest.raises(ScenarioError, match=f"`{key}` means nothing to a flow with `traffic`"):
        run(datagrams, traffic="even-udp", **pace)
    with pytest.raises(ScenarioError, match="`payload` must be above zero in a flow with `traffic`"):
        run(datagrams, traffic="even-udp", payload="0 B")


def test_a_class_that_cannot_be_used_is_refused() -> None:
    with pytest.raises(OwnClassError, match="nothing hands bytes over"):
        airloom.traffic("idle")(type("Idle", (), {}))
    with pytest.raises(OwnClassError, match="`next` cannot be told `seed`"):
        airloom.traffic("late")(type("Late", (), {"next": lambda _, seed: seed}))
    with pytest.raises(OwnClassError, match="`start` is no hook; did you mean `started`"):
        airloom.traffic("begun")(type("Begun", (), {"start": lambda _: None, "next": lambda _: None}))


def test_a_sweep_in_processes_knows_the_classes_of_a_module(tmp_path: Path) -> None:
    module = (
        "@airloom.traffic('slow', every=0.1)\n@airloom.traffic('fast', every=0.01)\nclass Even:\n"
        "    def __init__(self, every):\n        self.every = every\n\n"
        "    def next(self):\n        return self.every, 1000\n"
    )
    said = swept(tmp_path, module, SCENARIO, '{ duration = "3 s" }', '"flow.0.traffic" = ["slow", "fast"]')
    assert "2 cells: 2 done" in said
    words = [*COMMAND, "sweep", "show", "sw", "--metric", "goodput_mbps", "--by", "flow.0.traffic"]
    shown = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    found = dict(line.split()[:2] for line in shown.splitlines()[1:3])
    assert float(found["fast"]) == pytest.approx(10 * float(found["slow"]), rel=0.1)
