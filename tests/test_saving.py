"""Charts that are saved from a page: pictures that stand alone, and the tables of their data."""

from __future__ import annotations

import csv
import io
import json
import re
import struct
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from airloom.report.standalone import slug
from browsing import Visit
from pages import PLACES

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.browser


def saved(visit: Visit, chart: Locator, kind: str, folder: Path) -> Path:
    """The file that a chart's menu gives."""
    chart.locator(".save summary").click()
    with visit.page.expect_download() as waiting:
        chart.locator(".save button", has_text=kind).click()
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    return file


def content(visit: Visit) -> dict[str, Any]:
    """What the page's script was given."""
    found: dict[str, Any] = json.loads(visit.page.locator("#content").text_content() or "")
    return found


def check_svg(file: Path, *words: str) -> None:
    """It is one, carries its colours itself and says what it shows."""
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314 - ours
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(" not in file.read_text(encoding="utf-8")
    texts = "\n".join(root.itertext())
    for word in words:
        assert word in texts, f"no {word!r} in it"
    assert {one.get("fill") for one in root.iter() if one.get("width") == root.get("width")} == {None, "white"}


def check_png(file: Path, least: int) -> None:
    """It is one, as large as print needs."""
    data = file.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert width >= least
    assert height >= 600


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_panel_is_saved(browser: Browser, page_of_two: Path, scheme: str, tmp_path: Path) -> None:
    visit = Visit(browser, page_of_two, viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    panel = visit.page.locator("#panel-goodput")
    picture = saved(visit, panel, "SVG", tmp_path)
    check_svg(picture, "Goodput", "Goodput, Mbit/s", "Time, s", "100")
    assert "#1f5fbf" in picture.read_text(encoding="utf-8"), "the first run's colour on a light page"
    check_png(saved(visit, panel, "PNG", tmp_path), 3 * 560)
    rows = list(csv.DictReader(io.StringIO(saved(visit, panel, "CSV", tmp_path).read_text(encoding="utf-8"))))
    (entry,) = (one for one in content(visit)["panels"] if one["id"] == "goodput")
    assert list(rows[0]) == ["time (s)", "series", "Goodput (Mbit/s)"]
    known = [float(row["Goodput (Mbit/s)"]) for row in rows]
    assert known == pytest.approx([value for line in entry["lines"] for value in line["values"]], rel=1e-3)
    assert [float(row["time (s)"]) for row in rows] == 2 * [float(second) for second in range(300)]
    assert visit.complaints == []
    assert [url for url in visit.requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_every_chart_can_be_saved(browser: Browser, page_of_two: Path, page_of_a_sweep: Path) -> None:
    for file in (page_of_two, page_of_a_sweep):
        visit = Visit(browser, file, viewport={"width": 400, "height": 800})
        charts = visit.page.locator(".plot svg").count()
        assert charts > 0
        assert visit.page.locator(".save summary").count() == charts
        names = visit.page.locator(".save summary").evaluate_all("all => all.map(one => one.ariaLabel)")
        assert len(set(names)) == charts


def test_a_saved_picture_shows_the_span_that_the_page_shows(
    browser: Browser, page_of_two: Path, tmp_path: Path
) -> None:
    visit = Visit(browser, page_of_two, viewport={"width": 1280, "height": 900})
    visit.page.evaluate("airloom.show(140, 160)")
    visit.settle()
    picture = saved(visit, visit.page.locator("#panel-rtt"), "SVG", tmp_path)
    labels = set(ElementTree.fromstring(picture.read_text(encoding="utf-8")).itertext())  # noqa: S314
    assert {"142", "150", "158"} <= labels


def test_a_sweep_is_saved(browser: Browser, page_of_a_sweep: Path, tmp_path: Path) -> None:
    visit = Visit(browser, page_of_a_sweep, viewport={"width": 1280, "height": 900})
    chart = visit.page.locator(".drawn")
    check_svg(saved(visit, chart, "SVG", tmp_path), "a sweep", "near")
    check_png(saved(visit, chart, "PNG", tmp_path), 3 * 560)
    rows = list(csv.reader(io.StringIO(saved(visit, chart, "CSV", tmp_path).read_text(encoding="utf-8"))))
    assert [row[:2] for row in rows[1:]] == [[place, line] for line in "ab" for place in PLACES]
    assert {tuple(row[2:]) for row in rows[1:]} == {("1.5", "-4.8531", "7.8531")}
    assert visit.complaints == []


def test_the_menu_is_reached_by_keyboard_and_not_printed(browser: Browser, page_of_two: Path) -> None:
    visit = Visit(browser, page_of_two, viewport={"width": 1280, "height": 900})
    menu = visit.page.locator("#panel-goodput .save")
    menu.locator("summary").focus()
    visit.page.keyboard.press("Enter")
    visit.page.keyboard.press("Tab")
    assert visit.page.evaluate("document.activeElement.textContent") == "SVG"
    with visit.page.expect_download():
        visit.page.keyboard.press("Enter")
    visit.page.keyboard.press("Enter")
    assert menu.get_attribute("open") is not None
    visit.page.keyboard.press("Escape")
    assert menu.get_attribute("open") is None
    visit.page.emulate_media(media="print")
    assert not menu.is_visible()


def test_a_file_is_named_so_that_any_system_takes_it() -> None:
    assert slug("Weiß: CUBIC / NewReno, 2.4 GHz?") == "wei-cubic-newreno-2.4-ghz"
    assert slug("../..") == "chart"
    assert re.fullmatch(r"[a-z0-9.-]{1,80}", slug("x" * 300 + "\n"))
