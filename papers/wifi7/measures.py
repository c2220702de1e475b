"""What our runs say about measurements of Wi-Fi 7: goodput, and how it changes with what two radios agree upon."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from airloom.papers.measure import Measures, Ours
from airloom.support.formatting import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airloom.analysis.run_view import RunView
    from airloom.papers.grid_runs import GridRuns

MEASURES = Measures()

MORE = 1.25
"""Clearly more: docs/papers.md, what words allow."""
SAME = 1.15
"""Of what is the same of several things, the largest over the least: docs/papers.md, what words allow."""


def goodput(view: RunView) -> float:
    """That of all flows together, in Mbit/s."""
    return sum(flow["goodput_mbps"] for flow in view.flows)


def mean(runs: GridRuns) -> Ours:
    """The mean goodput of runs, with that of each as a note."""
    return Ours(runs.mean(goodput), listed(map(goodput, runs)))


def at(runs: GridRuns, axis: str, value: str) -> Ours:
    """The mean goodput of the runs at a value of an axis."""
    return mean(runs.where(**{axis: value}))


def over(runs: GridRuns, axis: str, more: str, less: str) -> Ours:
    """The goodput at one value of an axis over that at another."""
    means = [runs.where(**{axis: value}).mean(goodput) for value in (more, less)]
    return Ours(means[0] / means[1], listed(means))


def along(runs: GridRuns, axis: str, values: Iterable[str]) -> list[float]:
    """The mean goodput at each of these values."""
    return [runs.where(**{axis: value}).mean(goodput) for value in values]


for claim, grid, axis, value in (
    ("bpi.none", "bpi", "agreement", "none"),
    ("bpi.long", "bpi", "agreement", "long"),
    ("hostapd.up", "hostapd", "exponent", "seven"),
    ("mt7927.20", "mt7927", "width", "20"),
    ("mt7927.80", "mt7927", "width", "80"),
    ("mt7927.160", "mt7927", "width", "160"),
    ("mt7927.320", "mt7927", "width", "320"),
    ("cloudflare.be", "cloudflare", "standard", "be"),
    ("cloudflare.ax", "cloudflare", "standard", "ax"),
    ("be211.be", "be211", "standard", "be"),
    ("be211.ax", "be211", "standard", "ax"),
    ("be800.2", "be800", "rate", "2"),
    ("be800.5", "be800", "rate", "5"),
    ("cable.one", "cable", "streams", "one"),
    ("cable.two", "cable", "streams", "two"),
    ("chamber.be", "chamber", "standard", "be"),
    ("chamber.ax", "chamber", "standard", "ax"),
    ("zephyr.short", "zephyr", "receives", "short"),
    ("zephyr.long", "zephyr", "receives", "long"),
):
    MEASURES.claim(f"wifi7.{claim}", grid)(partial(at, axis=axis, value=value))

for claim, grid in (("hostapd.down", "hostapd-down"), ("be211.down", "be211-down")):
    MEASURES.claim(f"wifi7.{claim}", grid)(mean)

for claim, grid, axis, more, less in (
    ("cloudflare.gain", "cloudflare", "standard", "ax", "be"),
    ("be211.gain", "be211", "standard", "be", "ax"),
    ("chamber.gain", "chamber", "standard", "be", "ax"),
    ("zephyr.gain", "zephyr", "receives", "long", "short"),
):
    MEASURES.claim(f"wifi7.{claim}", grid)(partial(over, axis=axis, more=more, less=less))


@MEASURES.claim("wifi7.hostapd.slow", "hostapd")
def slow(hostapd: GridRuns) -> Ours:
    """Whether the shorter length costs clearly."""
    short, long = along(hostapd, "exponent", ("three", "seven"))
    return Ours(long > MORE * short, listed((short, long)))


@MEASURES.claim("wifi7.mt7927.wider", "mt7927")
def wider(mt7927: GridRuns) -> Ours:
    """Whether each width carries more than the one before, by more than what is the same."""
    found = along(mt7927, "width", ("20", "80", "160", "320"))
    return Ours(all(wide > SAME * narrow for narrow, wide in pairwise(found)), listed(found))


@MEASURES.claim("wifi7.cable.same", "cable")
def same(cable: GridRuns) -> Ours:
    """Whether two streams carry what one does."""
    found = along(cable, "streams", ("one", "two"))
    return Ours(max(found) <= SAME * min(found), listed(found))


@MEASURES.claim("wifi7.zephyr.packets", "zephyr")
def packets(zephyr: GridRuns) -> Ours:
    """How many MPDUs go at once with the shorter length."""
    runs = zephyr.where(receives="short")
    found = [view.total("station", "mpdus_per_ampdu") for view in runs]
    return Ours(sum(found) / len(found), listed(found, 2))
