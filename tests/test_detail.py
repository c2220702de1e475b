"""The detail around absences, holds and recoveries, against the captures of the same run; and its charts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom.report import detail, page
from airloom.report.colours import HUES, NODE, Colours
from airloom.report.comparison import compare
from browsing import REACH, Visit
from conftest import ROOT
from small_cells import crowd

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from airloom.results.bundle import Run
    from airloom.scenario.given import Settings

UPLOAD = ROOT / "papers" / "scan" / "upload-tsq.toml"
SCAN: Settings = {"station.0.scan.first": "1 s", "station.0.scan.channels": 4, "duration": "4 s"}
BEFORE, AFTER = 0.1, 0.2
"""Seconds that a window reaches back before what it is about, and on after it."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Window:
    """What a window is about, and its events."""

    head: Row
    rows: list[Row]

    def events(self, event: str, *kinds: str) -> list[Row]:
        """Those of a sort."""
        return [row for row in self.rows if row["event"] == event and (not kinds or row["kind"] in kinds)]


def windows(run: Run) -> list[Window]:
    """All windows of a run."""
    assert run.detail is not None
    groups = groupby(run.detail.to_pylist(), lambda row: row["window"])
    return [Window(head, rows) for _, (head, *rows) in groups]


@pytest.fixture(scope="module")
def upload(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return airloom.run(UPLOAD, set=SCAN, out=tmp_path_factory.mktemp("detail") / "run", capture=True)


def test_absences_are_there_with_what_comes_before_and_after(upload: Run) -> None:
    trips = upload.summary["scans"][0]["trips"]
    absences = [window for window in windows(upload) if window.head["event"] == "absence"]
    assert len(trips) == 4
    assert len(absences) == 3, "the first two and the longest of the others"
    for window, trip in zip(absences[:2], trips, strict=False):
        assert (window.head["entity"], window.head["time"]) == ("sta1", trip["leaving_s"])
        assert window.head["end"] == trip["home_s"]
        assert -1e-9 <= window.rows[0]["time"] - (trip["leaving_s"] - BEFORE) < 0.005
        assert trip["home_s"] is not None
        assert -0.005 < window.rows[-1]["time"] - (trip["home_s"] + AFTER) < 0.005


def test_an_absence_is_seen_in_every_layer(upload: Run) -> None:
    window = windows(upload)[0]
    trip = upload.summary["scans"][0]["trips"][0]
    gone, back = trip["away_s"], trip["returning_s"]
    assert gone is not None
    assert back is not None
    assert back - gone > 0.09

    def during(event: str, *kinds: str, margin: float = 0.0) -> list[Row]:
        return [row for row in window.events(event, *kinds) if gone + margin < row["time"] < back]

    assert not [row for row in during("frame") if row["entity"] == "sta1"]
    assert not during("acknowledged")
    assert not during("delivered", margin=0.005)
    asleep, awake = window.events("frame", "null PM=1"), window.events("frame", "null PM=0")
    assert asleep
    assert all(row["time"] <= gone for row in asleep)
    assert awake
    assert all(row["time"] >= back for row in awake)
    waits = [row["packets"] for row in window.events("queue", "discipline") if row["entity"] == "sta1"]
    assert max(waits) > 10
    assert waits[-1] < max(waits), "it drains after the absence"
    soon = [row for row in window.events("acknowledged") if back < row["time"] < back + 0.02]
    assert len(soon) > 20, "a burst of acknowledgments"


def test_segments_and_frames_are_those_of_the_captures(upload: Run) -> None:
    segments = Counter(
        (row["time"], row["seq"], row["payload"])
        for row in upload.segments.to_pylist()
        if row["place"] == "tcp" and row["host"] == "sta1" and row["payload"] > 0
    )
    frames = Counter(
        tuple(row[key] for key in ("time", "end", "from", "mpdus", "good", "retries", "rate_mbps", "fate"))
        for row in upload.transmissions.to_pylist()
    )
    for window in windows(upload):
        first, last = window.rows[0]["time"], window.rows[-1]["time"] - 0.006
        sent = Counter((row["time"], row["seq"], row["bytes"]) for row in window.events("sent") if row["time"] < last)
        assert sent == Counter({key: n for key, n in segments.items() if first <= key[0] < last})
        keys = ("time", "end", "entity", "packets", "good", "retries", "rate_mbps", "fate")
        air = window.events("frame", "a-mpdu", "data")
        seen = Counter(tuple(row[key] for key in keys) for row in air if first + 0.006 < row["time"] < last)
        assert seen
        assert seen == Counter({key: n for key, n in frames.items() if first + 0.006 < key[0] < last})
        for row in air:
            assert row["acked"].count("1") <= row["good"] <= row["packets"]


def test_looking_changes_nothing_and_can_be_left_out(upload: Run, tmp_path: Path) -> None:
    blind = airloom.run(UPLOAD, set={**SCAN, "record.detail": False}, out=tmp_path / "blind")
    assert blind.detail is None
    assert (blind.path / "series.parquet").read_bytes() == (upload.path / "series.parquet").read_bytes()
    assert blind.summary["flows"] == upload.summary["flows"]
    page.write(blind, tmp_path / "page.html")
    assert 'id="detail"' not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_recoveries_have_their_windows_and_windows_are_few_and_small(tmp_path: Path) -> None:
    few: Settings = {"duration": "12 s", "ap.0.queue": {"discipline": "fifo", "limit": "20 packets"}}
    run = airloom.run(ROOT / "examples" / "download.toml", set=few, out=tmp_path / "run")
    found = windows(run)
    recoveries = [window for window in found if window.head["event"] == "recovery"]
    # The first two and the longest.
    assert len(recoveries) == 3 < run.summary["flows"][0]["recoveries"]
    for window in recoveries:
        assert {row["entity"] for row in window.events("sent")} == {window.head["entity"]}
        start, end = window.head["time"], window.head["end"]
        assert [row for row in window.events("sent", "again") if start <= row["time"] <= end]
    assert all(len(window.rows) <= 12_000 for window in found)


@pytest.mark.parametrize("count", [4, 12])
def test_a_window_of_many_names_only_what_it_is_about(count: int, tmp_path: Path) -> None:
    run = airloom.run(crowd(count), out=tmp_path / "run")
    one = compare([run]).first
    (title, window), *_ = detail.windows(compare([run]))
    assert title == "First recovery"
    colours = Colours.of(one.view)
    packed = detail.packed(window, title, colours)
    frames = {entry["name"]: entry["colour"] for entry in packed["frames"]}
    own = window.head["entity"].removeprefix("server-")
    every = [node["name"] for node in run.summary["nodes"]]
    if count <= HUES:
        assert list(frames) == [name for name in every if name in frames]
        assert set(frames) == {"ap", *(f"crowd{number}" for number in range(1, count + 1))}
    else:
        hued = [name for name in every if name in {"ap", own, *colours.nodes} and name in frames]
        assert list(frames)[:-1] == hued
        assert list(frames)[-1].endswith(" others")
        assert len(set(frames.values())) == len(frames), "no two of one colour"
    assert sum(len(entry["t"]) for entry in packed["frames"]) == len(window_frames(window))
    (flow,) = packed["flows"]
    assert flow["colour"] == frames[own] != NODE
    assert min(flow["sent"][1] + flow["acked"][1]) == 0


def window_frames(window: detail.Window) -> list[Row]:
    """The frames of a window that are drawn."""
    return [row for row in window.rows if row["event"] == "frame" and row["kind"] in detail.KINDS]


def test_sequence_numbers_count_from_the_lowest_also_where_they_wrap() -> None:
    rows = [{"seq": float(seq)} for seq in (1000, 2**32 - 1000, 3000)]
    assert detail.positions(rows, detail.lowest(rows)) == [2.0, 0.0, 4.0]


@pytest.mark.browser
def test_the_page_shows_an_absence_at_the_first_click(browser: Browser, upload: Run, tmp_path: Path) -> None:
    page.write(upload, tmp_path / "page.html")
    visit = Visit(browser, tmp_path / "page.html", viewport={"width": 1280, "height": 900})
    assert not visit.page.locator("#detail").is_visible()
    chip = visit.page.locator(".chip.closer").first
    assert chip.inner_text().startswith("First absence")
    chip.click()
    visit.page.wait_for_selector("#detail[data-shown='First absence']")
    trip = upload.summary["scans"][0]["trips"][0]
    gone, back, home = trip["away_s"], trip["returning_s"], trip["home_s"]
    assert gone is not None
    assert back is not None
    assert home is not None
    drawn: dict[str, list[dict[str, float]]] = visit.page.evaluate("airloom.detail()")
    within = [row["v"] for row in drawn["goodput"] if gone + 0.005 < row["t"] < back - 0.002]
    assert len(within) > 40
    assert set(within) == {0}
    assert max(row["v"] for row in drawn["goodput"] if home < row["t"] < home + 0.05) > 100
    assert len([row for row in drawn["acks"] if back < row["t"] < back + 0.02]) > 20
    plots = visit.page.locator("#detail .panel")
    assert plots.count() == 4
    for layer in ("band", "sent", "acks", "frames", "nulls", "queues", "goodput"):
        assert visit.page.locator(f"#detail .{layer}_marks path, #detail .{layer}_marks line").count(), layer
    bar = visit.page.locator("#panel-detail-goodput .band_marks path").bounding_box()
    assert bar is not None
    assert bar["width"] > 100, "the absence is a band that one sees"
    assert visit.page.locator(".panel .role-mark path, .panel .role-mark line").evaluate_all(REACH) < 1.5
    spans = visit.spans()
    assert spans["detail-air"] == spans["goodput"]
    visit.page.locator(".chip", has_text="Whole run").click()
    visit.page.wait_for_selector("#detail", state="hidden")
    assert visit.complaints == []
