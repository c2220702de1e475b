"""What is said beside the figures of several runs is the same wherever they are shown, and only what is so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

import airloom
from airloom.analysis.compared_figures import compared
from airloom.analysis.compared_notes import of_air, of_counts
from airloom.report import page
from conftest import ROOT
from in_process import airloom as command

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.results.summary import Summary

DIFFER = "the measured times differ (2 s and 1 s): counts are of these, and have no distance from each other"
AIR = "with several networks at their places on one channel, air is idle while none of them sends, and lost"


def shown(folder: Path, *names: str) -> str:
    """What `airloom compare` prints of bundles in a folder, as one line."""
    return " ".join(command("compare", *(folder / name for name in names)).stdout.split())


def run_for(duration: float, warm_up: float = 0.0) -> Summary:
    """As much of a run as tells how long it was measured."""
    return cast("Summary", {"duration_s": duration, "warm_up_s": warm_up})


def in_space(*channels: list[str], placed: bool = True) -> Summary:
    """A run with these access points on each channel."""
    node = {"name": "sta"} | ({"signal_median_db": 30.0} if placed else {})
    return cast("Summary", {"nodes": [node], "airtime": {"channels": [{"aps": aps} for aps in channels]}})


def test_counts_of_different_times_have_no_distance(tmp_path: Path) -> None:
    """Twice as many drops in twice the time were +100 %, without a word of it on a terminal."""
    lossy = ROOT / "examples" / "download.toml"
    short = {"ap.0.queue": {"discipline": "fifo", "limit": "20 packets"}}
    for name, settings in (("a", {"duration": "2 s"}), ("b", {"duration": "2 s", "warm-up": "1 s"})):
        airloom.run(lossy, out=tmp_path / name, set={**short, **settings})
    runs = [airloom.load(tmp_path / name) for name in ("a", "b")]
    figures = {figure.title: figure for figure in compared([run.summary for run in runs])[0]}
    dropped = next(row for row in figures["Run"].rows if row.name == "packets dropped")
    assert dropped.cells[0].value != dropped.cells[1].value
    assert dropped.cells[1].change == ""
    assert figures["Goodput"].rows[0].cells[1].change.endswith("%")
    assert DIFFER in shown(tmp_path, "a", "b")
    assert f"{DIFFER[0].upper()}{DIFFER[1:]}." in page.render(runs[0], runs[1:])
    beside = airloom.compare(dict(zip("ab", runs, strict=True)))
    assert DIFFER in beside._repr_html_()
    assert DIFFER in beside.notes
    assert "b: only 1 s were measured, too few to tell whether they have settled" in beside.notes
    assert DIFFER not in shown(tmp_path, "b", "b")


@pytest.mark.parametrize(
    ("one", "other"), [(run_for(10), run_for(10)), (run_for(12, 2), run_for(10)), (run_for(30.0), run_for(30.1))]
)
def test_counts_of_equal_times_are_compared(one: Summary, other: Summary) -> None:
    """Wherever these begin, and where real programs end a moment later."""
    assert of_counts([one, other]) == []


def test_shares_of_the_air_of_networks_apart_say_what_they_are_of() -> None:
    """As docs/bundle.md has it: frames out of each other's reach are received at once."""
    two = in_space(["a", "b"], ["c"])
    (said,) = of_air([in_space(["a"], ["b"]), two])
    assert said.startswith(AIR)
    assert of_air([in_space(["a"], ["b"])]) == [], "a channel of its own for each"
    assert of_air([in_space(["a", "b"], placed=False)]) == [], "all hear each other"
    assert of_air([in_space(placed=True)]) == []


def test_flats_on_one_channel_say_what_their_air_is(tmp_path: Path) -> None:
    """Four flats in a row, of which the ends do not hear each other."""
    for name in ("a", "b"):
        airloom.run(ROOT / "examples" / "apartments.toml", out=tmp_path / name, set={"duration": "500 ms"})
    assert AIR in shown(tmp_path, "a", "b")
    runs: list[Any] = [airloom.load(tmp_path / name) for name in ("a", "b")]
    assert AIR[1:] in page.render(runs[0], runs[1:])
    assert AIR[1:] not in page.render(runs[0])
