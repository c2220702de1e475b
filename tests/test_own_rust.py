"""The examples of algorithms in Rust: as their twins in Python or in the engine, or as a closed form has it."""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache
from typing import Any

import pytest

import airloom
from conftest import ROOT


@cache
def built() -> dict[str, str]:
    """The examples, built as the tests of the crates build them, and what runs them."""
    words = ["cargo", "build", "--quiet", "--locked", "--package", "airloom", "--examples"]
    subprocess.run(words, cwd=ROOT, check=True)
    folder = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "debug/examples"
    return {file.name: str(file) for file in folder.iterdir() if file.name.isidentifier()}


def run(example: str, scenario: str, **keys: str) -> dict[str, float]:
    """The first number in each line that an example prints, by what stands before it."""
    settings = [f"{key}={value}" for key, value in keys.items()]
    words = [built()[example], f"examples/{scenario}.toml", *settings]
    said = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    lines = (line.rpartition(": ") for line in said.splitlines())
    return {name: float(found[0]) for name, _, rest in lines if (found := re.findall(r"[\d.]+", rest))}


def bring(page: str) -> None:
    """The classes of a page's module, under its names."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    (module,) = re.findall(r"^```python \w+\.py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    exec(compile(module, page, "exec"), {})  # noqa: S102


def summary(scenario: str, **keys: Any) -> dict[str, Any]:
    """Of the same run in Python."""
    return dict(airloom.run(ROOT / f"examples/{scenario}.toml", set=keys).summary)


def goodputs(made: dict[str, Any]) -> dict[str, Any]:
    """By flow, as the examples print them."""
    return {one["name"]: pytest.approx(one["goodput_mbps"], abs=1e-4) for one in made["flows"]}


@pytest.mark.parametrize("few", ["2.0", "18.0"])
def test_vegas_is_the_class_of_the_page(few: str) -> None:
    keys: dict[str, Any] = {"duration": "5 s", "flow.0.tcp.congestion": "vegas"}
    many = str(float(few) + 4)
    said = run("vegas", "download", **keys, **{"own.vegas.few": few, "own.vegas.many": many})
    bring("own-congestion-control.md")
    twin = summary("download", **keys, **{"own.vegas.few": int(float(few)), "own.vegas.many": int(float(many))})
    assert said == {f"{name} vegas": value for name, value in goodputs(twin).items()}


def test_blue_drops_what_the_class_of_the_page_drops() -> None:
    keys: dict[str, Any] = {"duration": "5 s", "station.0.rate": "MCS 3", "own.blue.up": "0.005"}
    said = run("blue", "download", **keys)
    bring("own-queue.md")
    keys |= {"ap.0.queue": {"discipline": "blue"}, "own.blue.up": 0.005}
    queues = [(node["name"], one) for node in summary("download", **keys)["nodes"] for one in node.get("queues", [])]
    assert said == {f"{name} {one['layer']}": one["drops"] for name, one in queues}
    assert said["ap discipline"] > 0


@pytest.mark.parametrize("most", [50, 200])
def test_aarf_is_the_built_in_one(most: int) -> None:
    keys = {"duration": "3 s", "station.0.distance": "20 m"}
    said = run("aarf", "download", **keys, **{"own.patient.most": str(most)})
    built_in = {"station.0.rate": {"control": "aarf", "most_successes": most}}
    assert said == goodputs(summary("download", **keys, **built_in))


@pytest.mark.parametrize(("twin", "keys"), [("even", {}), ("near-first", {"favoured": "near", "weight": "3"})])
def test_shares_of_air_time_are_those_of_the_class_of_the_page(twin: str, keys: dict[str, str]) -> None:
    said = run("airtime", "near-and-far", duration="3 s", **{f"own.air.{key}": value for key, value in keys.items()})
    bring("own-scheduler.md")
    assert said == goodputs(summary("near-and-far", duration="3 s", **{"ap.0.adapter.turns": twin}))


@pytest.mark.parametrize("better", [3, 8])
def test_the_roaming_policy_goes_as_the_class_of_the_page(better: int) -> None:
    said = run("stronger", "roaming", **{"duration": "30 s", "own.stronger.better": str(better)})
    bring("own-roaming.md")
    keys = {"duration": "30 s", "station.0.roam": "eager", "own.eager.better": better}
    twin = summary("roaming", **keys)
    assert len(twin["roams"]) > 0
    assert said == {"roams": len(twin["roams"]), **goodputs(twin)}


@pytest.mark.parametrize("longest", [15, 600])
def test_the_scan_policy_is_the_built_in_one(longest: int) -> None:
    scan = {"first": "2 s", "shortest": "6 s", "step": "0 s"}
    keys = {"duration": "60 s", **{f"station.0.scan.{key}": value for key, value in scan.items()}}
    said = run("quiet", "upload-scans", **keys, **{"own.quiet.longest": str(longest)})
    remedy = {"policy": "skip-if-moved", "longest_postponement": f"{longest} s"}
    twin = summary("upload-scans", **keys, **{"station.0.scan.remedy": remedy})
    assert said == {"scans": len(twin["scans"]), **goodputs(twin)}
    assert (len(twin["scans"]) > 0) == (longest == 15)


def test_a_source_has_the_mean_rate_of_its_times() -> None:
    """Of a renewal process: n writes come in n - 1 gaps and a silence; n is a Pareto time in gaps, rounded up."""
    on, off, shape, mbps, size = 0.2, 0.3, 3.0, 4.0, 1000
    keys = {"on": on, "off": off, "shape": shape, "mbps": mbps, "size": size}
    own = {f"own.pareto.{key}": str(value) for key, value in keys.items()}
    gap, least = size * 8e-6 / mbps, on * (shape - 1) / shape
    # The mean of what is rounded up: one write for each gap that it is longer than.
    writes = sum(min(1.0, (least / (n * gap)) ** shape) if n else 1.0 for n in range(1_000_000))
    expected = writes * size * 8e-6 / ((writes - 1) * gap + off)
    said = [run("pareto", "download", duration="200 s", seed=str(seed), **own)["download"] for seed in (1, 2, 3, 4)]
    assert sum(said) / len(said) == pytest.approx(expected, rel=0.05)
    assert len({*said}) == len(said)
