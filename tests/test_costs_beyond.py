"""What a window or a buffer costs that holds a flow back is held against the same world without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

import airloom
from airloom.diagnosis.reading import diagnose

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Finding

WORLD = """
title = "A limit at an end"
duration = "6 s"
warm_up = "1 s"
{air}
ap = [{{ name = "ap", adapter = "{adapter}" }}]
{stations}
server = [{{ name = "server", host = {server}, link = {{ rate = "{wire}", delay = "{delay}" }} }}]
flow = [{flow}, {others}]
"""

LARGE = "64 MiB"
BESIDE = '{ name = "beside", kind = "udp", from = "other", to = "server", rate = "%s" }'
"""Data of another station."""


class Cell(NamedTuple):
    """A standard, an adapter, and how far away the laptop is."""

    standard: str
    width: str
    adapter: str
    distance: str = "4 m"
    rate: str = "minstrel"


N = Cell("802.11n", "40 MHz", "ath9k")
FAR_N = N._replace(distance="25 m")
AC = Cell("802.11ac", "80 MHz", "edca-ac")
AX = Cell("802.11ax", "80 MHz", "edca-ax")
A = Cell("802.11a", "20 MHz", "dcf", rate="24 Mbit/s")


def world(cell: Cell, *, up: bool, window: str, buffer: str, wire: str, delay: str, others: str) -> str:
    """A transfer whose receiver's window, or whose sender's buffer, is so large."""
    small = f'{{ profile = "linux-6.18", receive_buffer_initial = "{window}", receive_buffer_max = "{window}" }}'
    receiver = small if window else '"linux-6.18"'
    station = '{{ name = "{name}", host = {host}, adapter = "{adapter}", distance = "{distance}", rate = "{rate}" }}'
    known = cell._asdict()
    stations = [station.format(name="laptop", host='"linux-6.18"' if up else receiver, **known)]
    if others:
        stations.append(station.format(name="other", host='"linux-6.18"', **known))
    ends = ("laptop", "server") if up else ("server", "laptop")
    return WORLD.format(
        air=f'air = {{ standard = "{cell.standard}", band = "5 GHz", width = "{cell.width}" }}',
        adapter=cell.adapter,
        stations=f"station = [{', '.join(stations)}]",
        server=receiver if up else '"linux-6.18"',
        wire=wire,
        delay=delay,
        flow=f'{{ name = "it", from = "{ends[0]}", to = "{ends[1]}", tcp = {{ send_buffer_max = "{buffer}" }} }}',
        others=BESIDE % others if others else "",
    ).replace(", ]", "]")


def claimed(
    folder: Path, cell: Cell, code: str, *, up: bool, small: str, wire: str = "1 Gbit/s", others: str = ""
) -> tuple[Finding, float, float]:
    """What is found of a small window (W401) or a small send buffer (W405), with which goodput, and that without it."""
    sizes = {"window": "", "buffer": LARGE}
    ill = {**sizes, "window" if code == "W401" else "buffer": small}
    runs = []
    for name, of in (("ill", ill), ("well", sizes)):
        text = world(cell, up=up, wire=wire, delay="10 ms" if code == "W401" else "20 ms", others=others, **of)
        runs.append(airloom.run(text, out=folder / name, capture=name == "ill", seed=7))
    goodputs = [run.summary["flows"][0]["goodput_mbps"] or 0.0 for run in runs]
    captures = [runs[0].path / f"{place}.pcapng" for place in ("air", "laptop", "server")]
    (found,) = [one for one in diagnose(captures)["findings"] if one["code"] == code]
    return found, goodputs[0], goodputs[1]


NEAR = 0.25
"""The greatest relative error of a cost."""


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("cell", "others"),
    [(N, ""), (FAR_N, ""), (AC, ""), (AX, ""), (N, "40 Mbit/s"), (AC, "100 Mbit/s")],
    ids=["n", "n, far", "ac", "ax", "n, others", "ac, others"],
)
def test_a_window_costs_what_the_air_would_carry(cell: Cell, others: str, tmp_path: Path) -> None:
    """As many MPDUs together as an agreement covers, as many lost as now, beside others that send more at a time."""
    small = "128 kB" if cell.width == "80 MHz" else "64 kB"
    found, ill, well = claimed(tmp_path, cell, "W401", up=False, small=small, others=others)
    cost = found["cost"]
    assert cost["value"] == pytest.approx(well - ill, rel=NEAR)
    assert cost["at_most"]


@pytest.mark.parametrize("up", [True, False])
def test_a_line_that_shows_bounds_what_is_won(up: bool, tmp_path: Path) -> None:
    """A full buffer goes at once, and the line lets it through at its own rate."""
    found, ill, well = claimed(tmp_path, AX, "W405", up=up, small="128 KiB", wire="50 Mbit/s")
    cost = found["cost"]
    assert (cost["at_most"], cost["of_the_air"]) == (False, False)
    assert cost["value"] == pytest.approx(well - ill, rel=NEAR)


def test_what_no_train_shows_is_of_the_air_alone(tmp_path: Path) -> None:
    """A window that is full all the time spreads its packets: whether a line would let more through does not show."""
    found, ill, well = claimed(tmp_path, N, "W401", up=True, small="48 kB", wire="20 Mbit/s")
    cost = found["cost"]
    assert cost["at_most"]
    assert cost["of_the_air"]
    assert cost["value"] > well - ill
    assert "Whether its way beyond the air would let through what the air does is not known" in found["says"]
