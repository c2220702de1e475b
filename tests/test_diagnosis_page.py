"""The page of a diagnosis: what stands in it, how large it gets, and where it is written."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom.cli.app import code
from airloom.diagnosis import bands, folder, page, words
from airloom.diagnosis.reading import Closely, diagnose, diagnose_closely
from airloom.errors import BundleError
from airloom.results.bundle import AIR
from browsing import Visit
from conftest import ROOT
from small_cells import crowd

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

LARGEST = 3e6
"""Octets of a page, charting library included."""

MOST_ROWS = 200
"""Records around a finding."""


INSIDE = """
() => {
  const row = document.querySelector("#packets tr.named").getBoundingClientRect();
  const bar = document.querySelector(".toolbar").getBoundingClientRect();
  return row.top >= bar.bottom && row.bottom <= innerHeight;
}
"""
"""The first record that a finding names is in view."""


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """An upload that a scan disturbs, from the air and from the laptop."""
    out = tmp_path_factory.mktemp("scans") / "run"
    airloom.run(ROOT / "examples" / "upload-scans.toml", set={"duration": "25 s"}, out=out, capture=True)
    return [out / AIR, out / "laptop.pcapng"]


@pytest.fixture(scope="module")
def told(captures: list[Path]) -> Closely:
    return diagnose_closely(captures)


@pytest.fixture(scope="module")
def written(told: Closely, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its diagnosis."""
    out = tmp_path_factory.mktemp("written") / "diagnosis"
    folder.write(told, out)
    return out


@pytest.fixture(scope="module")
def of_a_crowd(tmp_path_factory: pytest.TempPathFactory) -> Closely:
    """Fifty stations, as a monitor hears them."""
    run = airloom.run(crowd(50), out=tmp_path_factory.mktemp("crowd") / "run", capture=True)
    return diagnose_closely([run.path / AIR])


def content(text: str) -> dict[str, Any]:
    """What the page's script is given."""
    (found,) = re.findall(r'<script type="application/json" id="content">(.*?)</script>', text, re.DOTALL)
    read: dict[str, Any] = json.loads(found)
    return read


@pytest.mark.long
def test_the_page_says_what_was_found_and_what_helps(told: Closely, written: Path) -> None:
    text = (written / folder.PAGE).read_text(encoding="utf-8")
    shown = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text.partition("<script")[0]))
    (finding,) = told.found["findings"]
    price = f"about {finding['cost']['value']:.0f} Mbit/s"
    for said in (finding["says"], finding["subject"], "97 % sure", price, "10.0 to 20.9 s"):
        assert said in shown
    assert f"{finding['threshold']:g}" in shown
    assert finding["refuted_by"] in shown
    assert "<code>airloom guard</code>" in text
    assert "wlan.ta == 02:00:00:00:00:01 &amp;&amp;" in text
    lead = " ".join(words.lead(told.found))
    assert lead.startswith("The device leaves its channel")
    assert f"97 % sure; it costs {price}" in lead
    assert json.loads((written / folder.DATA).read_text()) == {"schema": "airloom-diagnose/1", **told.found}


def test_a_page_of_one_host_says_which_rules_cannot_tell(captures: list[Path]) -> None:
    told = diagnose_closely(captures[1:])
    text = page.render(told)
    assert told.found["abstained"]
    for rule in told.found["abstained"]:
        assert rule["code"] in text
        assert rule["because"] in text
    assert "panel-goodput" in text
    assert "panel-airtime" not in text


def test_the_air_adds_up(told: Closely) -> None:
    """The parts of the air time are those that are summed over the whole capture."""
    shown = page.timeline(told, told.layers["length_s"], "")
    (entry,) = [entry for entry in shown if entry["id"] == "airtime"]
    means = {line["label"]: math.fsum(line["values"]) / len(line["values"]) for line in entry["legend"]}
    held = sum(link["airtime_s"] for link in told.found["links"])
    length = len(entry["legend"][0]["values"]) * told.layers["width_s"]
    assert means["02:00:00:00:00:01"] == pytest.approx(100 * held / length, rel=1e-3)
    every = sum(station["airtime_s"] for station in told.found["stations"])
    assert sum(means.values()) == pytest.approx(100 * every / length, rel=0.02)


def test_many_findings_make_a_page_of_few_rows_and_bands(told: Closely) -> None:
    (finding,) = told.found["findings"]
    many = told.found | {"findings": [finding] * 60}
    text = page.render(Closely(many, told.layers, told.excerpts * 60))
    assert text.count('class="member"') == 60
    assert len(set(bands.rows_of(many["findings"]))) == 1
    spans = [[2.0 * place, 2.0 * place + 1] for place in range(900)]
    assert len(bands.bands([{**finding, "spans": spans}], 1800.0)) == bands.MOST_BANDS


@pytest.mark.nightly
@pytest.mark.long
def test_fifty_stations_fit_into_a_page(of_a_crowd: Closely) -> None:
    text = page.render(of_a_crowd)
    assert len(text) < LARGEST
    assert len(of_a_crowd.layers["air"]["stations"] if of_a_crowd.layers["air"] else []) == 50
    shown = content(text)
    assert max(len(panel["lines"]) for panel in shown["panels"]) <= 12
    assert sum(len(excerpt["rows"]) for excerpt in shown["excerpts"]) <= 4000
    assert all(len(excerpt["rows"]) <= MOST_ROWS for excerpt in shown["excerpts"])


@pytest.mark.long
def test_the_same_captures_give_the_same_page(captures: list[Path], told: Closely) -> None:
    assert page.render(diagnose_closely(captures)) == page.render(told)


@pytest.mark.long
def test_strange_captures_give_a_page() -> None:
    """Whatever is a capture, there is a page of it."""
    pages = 0
    for file in sorted((ROOT / "fuzz" / "corpus" / "capture").iterdir()):
        try:
            told = diagnose_closely([file])
        except airloom.AirloomError:
            continue
        assert content(page.render(told))["duration"] > 0
        pages += 1
    assert pages > 10


def test_a_files_name_is_no_markup(captures: list[Path], tmp_path: Path) -> None:
    strange = tmp_path / "<img src=x onerror=alert(1)>.pcapng"
    strange.write_bytes(captures[1].read_bytes()[:100_000])
    assert "<img src=x" not in page.render(diagnose_closely([strange]))


@pytest.mark.long
def test_an_old_diagnosis_stays_until_the_new_one_is_whole(
    told: Closely, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "deep" / "diagnosis"
    folder.write(told, out)
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    assert set(before) == {folder.PAGE, folder.DATA}
    with pytest.raises(BundleError, match="exists already"):
        folder.write(told, out)

    def fails(*_: Path) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("airloom._engine.exchange", fails)
        with pytest.raises(OSError, match="full"):
            folder.write(told, out, replace=True)
    assert {file.name: file.read_bytes() for file in out.iterdir()} == before
    assert list(out.parent.iterdir()) == [out]
    nothing = told._replace(found=told.found | {"findings": []}, excerpts=[])
    folder.write(nothing, out, replace=True)
    assert "No cause was found" in (out / folder.PAGE).read_text()
    assert json.loads((out / folder.DATA).read_text())["findings"] == []
    assert list(out.parent.iterdir()) == [out]


def test_what_is_no_diagnosis_is_not_replaced(
    captures: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / folder.DATA).write_text("mine")
    (foreign / "letter.txt").write_text("mine too")
    file = tmp_path / "file"
    file.write_text("mine")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    for taken in (foreign, file, link, captures[0].parent):
        assert code(["diagnose", str(captures[1]), "-o", str(taken), "--force"]) == 2
        assert "so it is not replaced" in capsys.readouterr().err
    assert {one.name for one in foreign.iterdir()} == {folder.DATA, "letter.txt"}
    assert (foreign / folder.DATA).read_text() == "mine"
    empty = tmp_path / "empty"
    empty.mkdir()
    assert code(["diagnose", str(captures[1]), "-o", str(empty)]) == 0
    assert json.loads((empty / folder.DATA).read_text())["captures"] == diagnose(captures[1:])["captures"]
    assert f"written: {empty / folder.PAGE}" in capsys.readouterr().out
    assert code(["diagnose", "--self-test", "-o", str(tmp_path / "new")]) == 2
    assert not (tmp_path / "new").exists()


def test_spans_that_touch_are_one() -> None:
    touching = [[float(place), place + 1.0] for place in range(1, 6)]
    assert words.spans([*touching, [8.0, 9.0]]) == "1.0 to 6.0 s, 8.0 to 9.0 s"
    # Moments are one time each, and the same in print once.
    assert words.spans([[2.31, 2.32], [2.33, 2.34], [7.0, 7.0]]) == "2.3 s, 7.0 s"
    assert words.joined([[3.0, 4.0], [1.0, 5.0]], 0) == [[1.0, 5.0]]


@pytest.mark.browser
def test_a_click_on_a_finding_shows_its_packets(browser: Browser, told: Closely, written: Path) -> None:
    visit = Visit(browser, written / folder.PAGE, viewport={"width": 1280, "height": 900})
    assert not visit.page.locator("#packets").is_visible()
    visit.page.locator(".member .open").click()
    visit.settle()
    (finding,), (excerpt,) = told.found["findings"], told.excerpts
    rows = visit.page.locator("#packets tbody tr")
    assert rows.count() == len(excerpt["rows"])
    first = next(row for row in excerpt["rows"] if row["named"])
    named = visit.page.locator("#packets tr.named").first
    named.wait_for(state="visible")
    assert [named.locator("td").nth(place).inner_text() for place in (0, 2, 3)] == [
        str(first["number"]),
        "null",
        "02:00:00:00:00:01",
    ]
    assert "PM=1" in named.inner_text()
    visit.page.wait_for_function(INSIDE)
    (start, end), *others = set(map(tuple, visit.spans().values()))
    assert not others
    assert start < finding["spans"][0][0] < finding["spans"][0][1] < end < 25
    for panel in ("goodput", "rtt", "flight", "airtime", "phy", "retries", "sizes", "away", "signal"):
        assert visit.page.locator(f"#panel-{panel} .shade_marks path").count() == 1, panel
    assert visit.page.locator("#panel-away .bars_marks path").count() == 26
    visit.page.locator("#packets .close").click()
    assert not visit.page.locator("#packets").is_visible()
    assert visit.complaints == []
    assert all(request.startswith("file:") for request in visit.requests)


@pytest.mark.nightly
@pytest.mark.browser
def test_a_click_on_a_bar_shows_its_finding(browser: Browser, of_a_crowd: Closely, tmp_path: Path) -> None:
    file = tmp_path / "crowd.html"
    file.write_text(page.render(of_a_crowd), encoding="utf-8")
    visit = Visit(browser, file, viewport={"width": 1280, "height": 900})
    rows = bands.rows_of(of_a_crowd.found["findings"])
    place = max(rows)
    plot = visit.page.locator("#panel-findings .plot")
    plot.click(position={"x": 400, "y": 8 + bands.ROW * (place + 0.5)})
    visit.settle()
    finding = of_a_crowd.found["findings"][rows.index(place)]
    assert visit.page.locator("#packets .title").inner_text() == f"{finding['code']} {finding['name']}"
    assert visit.page.locator("#packets tbody tr").first.is_visible()
    wide = visit.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 1280
    assert visit.complaints == []
