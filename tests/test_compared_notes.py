"""What is said beside the figures of several runs is the same wherever they are shown, and only what is so."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

import airloom
from airloom.analysis.compared_figures import compared
from airloom.analysis.compared_notes import of_counts
from airloom.report import page
from conftest import ROOT
from test_command_line import airloom as command

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.results.summary import Summary

DIFFER = "the measured times differ (2 s and 1 s): counts are of these, and have no distance from each other"


def shown(folder: Path, *names: str) -> str:
    """What `airloom compare` prints of bundles in a folder, as one line."""
    return " ".join(command("compare", *(folder / name for name in names)).stdout.split())


def run_for(duration: float, warm_up: float = 0.0) -> Summary:
    """As much of a run as tells how long it was measured."""
    return cast("Summary", {"duration_s": duration, "warm_up_s": warm_up})


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
    assert DIFFER in airloom.compare(*runs)._repr_html_()
    assert DIFFER not in shown(tmp_path, "b", "b")


@pytest.mark.parametrize(
    ("one", "other"), [(run_for(10), run_for(10)), (run_for(12, 2), run_for(10)), (run_for(30.0), run_for(30.1))]
)
def test_counts_of_equal_times_are_compared(one: Summary, other: Summary) -> None:
    """Wherever these begin, and where real programs end a moment later."""
    assert of_counts([one, other]) == []
