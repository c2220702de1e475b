"""Measure airloom beside ns-3 - speed, memory, goodput - and write the tables of docs/performance.md.

Run it from anywhere: `make bench`. It takes a quarter of an hour of one core,
ns-3 and a C++ compiler (Debian: `apt-get install libns3-dev g++`), which it installs itself as root. The same
networks are described twice, in ns3/cells.cc and in scenario files; each seed runs them in both, one after the other.
"""

import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from instructions import HERE, build
from page import write

CELLS = HERE / "ns3" / "cells.cc"
HEADER = Path("/usr/include/ns3/wifi-module.h")
LIBRARIES = (
    "applications",
    "core",
    "internet",
    "mobility",
    "network",
    "point-to-point",
    "propagation",
    "spectrum",
    "traffic-control",
    "wifi",
)
SEEDS = range(1, 6)
STUDENT = 2.776
"""The quantile of Student's t for a 95 % confidence interval from five seeds."""
LONGER = 10
"""So many times as long as ns-3's runs are airloom's whose time is taken."""


@dataclass(frozen=True)
class Scenario:
    """One network, described for both."""

    name: str
    title: str
    seconds: int
    groups: tuple[str, ...]
    """Stations whose goodput is added up."""
    file: str
    overrides: tuple[str, ...] = ()
    change: str = ""
    """What ns-3 does in its second set of runs as airloom does: `--change` of cells.cc."""
    by_hand: Callable[[], str] | None = None


@dataclass
class Runs:
    """What one simulator needed for a scenario and found, seed by seed."""

    cpu: list[float]
    """Seconds per simulated second."""
    memory: list[float]
    """The most that was resident, in MiB."""
    goodput: list[dict[str, float]]
    """Mbit/s of each group."""

    def of(self, group: str) -> list[float]:
        """Return a group's goodput with each seed."""
        return [found[group] for found in self.goodput]


def saturation(stations: int, *, extended: bool) -> float:
    """Return Mbit/s of payload by Bianchi's model with seven attempts, of 802.11a at 54 Mbit/s with 1,500-byte packets.

    After a collision everybody waits EIFS if `extended`, and DIFS otherwise.
    """
    slot, sifs, difs, attempts = 9.0, 16.0, 34.0, 7
    windows = [min(16 << i, 1024) for i in range(attempts)]

    def airtime(length: int, bits_per_symbol: int) -> float:
        return 20 + 4 * math.ceil((22 + 8 * length) / bits_per_symbol)

    def sends(collides: float) -> float:
        tried = sum(collides**i for i in range(attempts))
        return tried / (tried + sum(collides**i * (window - 1) / 2 for i, window in enumerate(windows)))

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - (1 - sends(middle)) ** (stations - 1) > middle else (low, middle)
    one = sends(low)
    idle = (1 - one) ** stations
    success = stations * one * (1 - one) ** (stations - 1)
    data = airtime(1536, 216)
    after = sifs + airtime(14, 24) + difs if extended else difs
    succeeded, collided = data + sifs + airtime(14, 96) + difs, data + after
    mean = idle * slot + success * succeeded + (1 - idle - success) * collided
    return success * 8 * 1472 / mean


def both(stations: int) -> str:
    """Return what the model gives with and without EIFS, as the page says it."""
    with_eifs, without = saturation(stations, extended=True), saturation(stations, extended=False)
    return f"{with_eifs:.1f} with EIFS, {without:.1f} without"


def crowd(stations: int, seconds: int) -> Scenario:
    """Return the cell of so many saturated stations."""
    return Scenario(
        f"saturated-{stations}",
        f"{stations} saturated stations, 802.11a",
        seconds,
        ("sta",),
        "saturated.toml",
        (f"station.0.count={stations}",),
        "preamble",
        lambda: both(stations),
    )


SCENARIOS = (
    Scenario("upload", "one upload, 802.11n, MCS 15", 6, ("near",), "ns3/upload.toml"),
    Scenario("two", "two downloads, one at MCS 0", 60, ("near", "far"), "ns3/two.toml", change="turns"),
    Scenario("four", "four downloads, one at MCS 0", 60, ("near", "far"), "ns3/four.toml", change="turns"),
    Scenario("five", "five uploads, 802.11b, one at 1 Mbit/s", 60, ("near", "far"), "ns3/five.toml", change="host"),
    crowd(10, 7),
    crowd(50, 6),
    Scenario(
        "networks",
        "two networks of five saturated stations",
        8,
        ("one", "two"),
        "ns3/networks.toml",
        change="preamble",
    ),
)


def need() -> str:
    """Return the C++ compiler, having seen to it that ns-3 is there; end with a remedy if it cannot be."""
    packages = [name for name, there in (("libns3-dev", HEADER.exists()), ("g++", shutil.which("g++"))) if not there]
    if packages and os.geteuid() == 0 and (apt := shutil.which("apt-get")):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run([apt, "-qq", "update"], check=False, env=quiet)
        install = [apt, "-qq", "install", "--no-install-recommends", *packages]
        subprocess.run(install, check=False, env=quiet, stdout=subprocess.DEVNULL)
    compiler = shutil.which("g++")
    if compiler is None or not HEADER.exists():
        sys.exit(f"beside: {' and '.join(packages)} missing; install with: apt-get install {' '.join(packages)}")
    return compiler


def compiled(source: Path = CELLS) -> str:
    """Build a program for ns-3 and return its path."""
    program = HERE.parent / "target" / "ns3" / source.stem
    program.parent.mkdir(parents=True, exist_ok=True)
    libraries = [f"-lns3-{library}" for library in LIBRARIES]
    command = [need(), "-std=c++17", "-O2", "-DNDEBUG", str(source), "-o", str(program), *libraries]
    if subprocess.run(command, check=False).returncode:
        sys.exit(f"beside: {source.name} does not build; it is written for ns-3 3.37")
    return str(program)


def timed(command: list[str]) -> tuple[str, float, float]:
    """Run a program; return its output, the processor's time in s, and the most memory that was resident, in MiB.

    Of memory the program itself reports: for the system (`ru_maxrss`) it begins with what Python has, which starts it.
    """
    environment = {**os.environ, "SUMMARY": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        output = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    memory = re.search(r"at most ([\d.]+) MiB", output)
    if process.returncode or memory is None:
        sys.exit(f"beside: failed: {' '.join(command)}")
    return output, usage.ru_utime + usage.ru_stime, float(memory[1])


def added(flows: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Add up what the flows of each group carried."""
    found: dict[str, float] = {}
    for group, mbps in flows:
        found[group] = found.get(group, 0) + mbps
    return found


def run_ns3(program: str, scenario: Scenario, seed: int, change: str, runs: Runs) -> None:
    """Run ns-3 once."""
    options = [f"--duration={scenario.seconds}", f"--RngRun={seed}", *([f"--change={change}"] if change else [])]
    output, cpu, memory = timed([program, scenario.name, *options])
    runs.cpu.append(cpu / scenario.seconds)
    runs.memory.append(memory)
    flows = [line.split()[1:] for line in output.splitlines() if line.startswith("flow ")]
    runs.goodput.append(added([(group, float(mbps)) for group, mbps in flows]))


def run_airloom(program: str, scenario: Scenario, seed: int, runs: Runs) -> None:
    """Run airloom once for its goodput, and once for longer, for its time."""
    command = [program, str(HERE / scenario.file), *scenario.overrides, f"seed={seed}"]
    output, _, _ = timed([*command, f"duration={scenario.seconds} s"])
    flows = json.loads(output[output.index("{") :])["flows"]
    station = [flow["from"] if flow["to"] == "server" else flow["to"] for flow in flows]
    goodput = [flow["goodput_mbps"] for flow in flows]
    runs.goodput.append(added([(name.rstrip("0123456789"), mbps) for name, mbps in zip(station, goodput, strict=True)]))
    _, cpu, memory = timed([*command, f"duration={LONGER * scenario.seconds} s"])
    runs.cpu.append(cpu / (LONGER * scenario.seconds))
    runs.memory.append(memory)


def measured(ns3: str, airloom: str, scenario: Scenario) -> dict[str, Runs]:
    """Run both with every seed, in turn, and ns-3 once more with its change."""
    found = {side: Runs([], [], []) for side in ("airloom", "ns-3", "changed")}
    for seed in SEEDS:
        run_ns3(ns3, scenario, seed, "", found["ns-3"])
        run_airloom(airloom, scenario, seed, found["airloom"])
        if scenario.change:
            run_ns3(ns3, scenario, seed, scenario.change, found["changed"])
    return found


def spread(values: list[float]) -> str:
    """Return the mean and the half width of its confidence interval."""
    mean, half = statistics.mean(values), STUDENT * statistics.stdev(values) / math.sqrt(len(values))
    digits = max(0, 2 - math.floor(math.log10(max(mean, 0.01))))
    return f"{mean:.{digits}f} ± {half:.{digits}f}"


def against(airloom: list[float], other: list[float]) -> str:
    """Return by how much airloom's mean differs from another."""
    return f"{100 * (statistics.mean(airloom) / statistics.mean(other) - 1):+.0f} %"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: int) -> str:
    """Return a table whose columns from `right` on are numbers."""
    rule = ["---"] * right + ["---:"] * (len(head) - right)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def costs(found: dict[str, dict[str, Runs]]) -> str:
    """Return the table of speed and memory."""
    rows = []
    for scenario in SCENARIOS:
        airloom, ns3 = found[scenario.name]["airloom"], found[scenario.name]["ns-3"]
        ratios = sorted(slow / fast for slow, fast in zip(ns3.cpu, airloom.cpu, strict=True))
        rows.append(
            [
                scenario.title,
                f"{1e3 * statistics.median(ns3.cpu):.0f} ms",
                f"{1e3 * statistics.median(airloom.cpu):.2f} ms",
                f"{statistics.median(ratios):.0f} ({ratios[0]:.0f} to {ratios[-1]:.0f})",
                f"{max(ns3.memory):.0f} MiB",
                f"{max(airloom.memory):.0f} MiB",
            ]
        )
    head = ("one simulated second of", "ns-3", "airloom", "ratio", "ns-3", "airloom")
    return table(head, rows, 1)


def goodputs(found: dict[str, dict[str, Runs]]) -> str:
    """Return the table of goodput."""
    rows = []
    for scenario in SCENARIOS:
        sides = found[scenario.name]
        for group in scenario.groups:
            airloom, ns3 = sides["airloom"].of(group), sides["ns-3"].of(group)
            row = [scenario.title, group, spread(airloom), spread(ns3), against(airloom, ns3), "", "", ""]
            if scenario.change:
                changed = sides["changed"].of(group)
                row[5:7] = [f"{spread(changed)} ({scenario.change})", against(airloom, changed)]
            if scenario.by_hand:
                row[7] = scenario.by_hand()
            rows.append(row)
    head = ("Mbit/s of", "stations", "airloom", "ns-3", "", "ns-3, changed", "", "by hand")
    return table(head, rows, 2)


def main() -> None:
    """Run everything and write the tables."""
    ns3, airloom = compiled(), build("dist")
    found = {}
    for scenario in SCENARIOS:
        sys.stdout.write(f"{scenario.title}\n")
        sys.stdout.flush()
        found[scenario.name] = measured(ns3, airloom, scenario)
    write("costs", costs(found))
    write("goodput", goodputs(found))


if __name__ == "__main__":
    main()
