"""The playground: its engine is that of the wheel, its charts are the report's, and its page works in a browser.

`make playground` builds what is tested; without it, there is nothing to test.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import subprocess
import time
import warnings
from typing import TYPE_CHECKING, Any

import pytest

import airloom
import playground
from airloom import _engine
from airloom.errors import ScenarioWarning
from airloom.lab.grade import graded
from airloom.lab.hand_in import ANSWERS, read
from airloom.lab.task import task
from airloom.lab.truth import found
from airloom.report import page
from airloom.report.comparison import compare
from airloom.support.formatting import number
from browsing import Visit
from conftest import ROOT
from pieces import pieces
from sheets import sheets
from tools import need

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser

    from airloom.results.bundle import Run

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not playground.PAGE.exists(), reason="no playground here: `make playground` builds it"),
]

Question = dict[str, Any]


def ask(questions: Sequence[Question]) -> list[Any]:
    """What the playground's engine answers, in Node.js."""
    asked = {"module": str(playground.MODULE), "questions": questions, "pieces": pieces(), "lab": sheets()}
    command = [need("node"), str(ROOT / "tests" / "playground_in_node.mjs")]
    done = subprocess.run(command, input=json.dumps(asked), text=True, capture_output=True, check=True)
    answers: list[Any] = json.loads(done.stdout)
    return answers


def scenario(name: str) -> str:
    """The text of an example."""
    return (ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8")


def bundle(name: str, folder: Path, duration: str, **options: Any) -> Run:
    """A run of an example by the wheel's engine."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScenarioWarning)  # some examples are made for longer runs
        return airloom.run(ROOT / "examples" / f"{name}.toml", out=folder, set={"duration": duration}, **options)


EXAMPLES = ("upload", "download", "scan", "crowd", "roaming", "usb-adapter", "calls", "latency", "wifi7", "walk")


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_run_has_the_numbers_that_it_has_elsewhere(name: str, tmp_path: Path) -> None:
    """To the last bit: the whole summary, and every value of the series."""
    short = [("duration", "3 s")]
    (told,) = ask([{"ask": "run", "text": scenario(name), "set": short, "seed": 7}])
    summary = json.loads(_engine.summarize(scenario(name), "scenario.toml", short, 7))
    assert told["json"]["summary"] == summary
    series = bundle(name, tmp_path / "run", "3 s", seed=7).series
    said = told["json"]["series"]
    octets = memoryview(base64.b64decode(told["octets"]))
    rows = said["rows"]
    assert rows == len(series)
    times, values = octets[: 8 * rows].cast("d"), octets[8 * rows : 16 * rows].cast("d")
    entities, metrics = octets[16 * rows : 18 * rows].cast("H"), octets[18 * rows :].cast("B")
    assert list(times) == list(series["time"])
    assert list(values) == list(series["value"])
    assert [said["entities"][one] for one in entities] == list(series["entity"])
    assert [said["metrics"][one] for one in metrics] == list(series["metric"])
    assert [said["units"][one] for one in metrics] == list(series["unit"])


def test_captures_are_those_of_a_bundle(tmp_path: Path) -> None:
    made = bundle("upload", tmp_path / "run", "2 s", capture=True)
    (told,) = ask([{"ask": "captures", "text": scenario("upload"), "set": [["duration", "2 s"]]}])
    octets = io.BytesIO(base64.b64decode(told["octets"]))
    files = {file["name"]: octets.read(file["length"]) for file in told["json"]["files"]}
    assert files == {file.name: file.read_bytes() for file in made.path.glob("*.pcapng")}
    assert len(files) > 1


def test_a_diagnosis_finds_what_it_finds_elsewhere(tmp_path: Path) -> None:
    made = bundle("scan", tmp_path / "run", "12 s", capture=True)
    captures = sorted(made.path.glob("*.pcapng"))
    files = [{"name": file.name, "length": file.stat().st_size} for file in captures]
    octets = base64.b64encode(b"".join(file.read_bytes() for file in captures)).decode()
    (told,) = ask([{"ask": "diagnose", "files": files, "octets": octets}])
    found = json.loads(_engine.diagnose(captures))
    assert found["findings"]
    assert told["json"]["findings"] == found["findings"]


def test_mistakes_have_their_places_and_the_likely_word() -> None:
    text = scenario("upload").replace("duration", "duraton", 1)
    (told,) = ask([{"ask": "check", "text": text}])
    assert not told["json"]["ok"]
    (mistake,) = [one for one in told["json"]["mistakes"] if "duraton" in one["message"]]
    line = next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith("duraton"))
    assert (mistake["line"], mistake["column"]) == (line, 1)
    assert "`duration`" in mistake["hint"]


def test_what_a_page_has_no_room_for_is_refused_before_it_runs() -> None:
    endless = {"text": scenario("crowd"), "set": [["duration", "80000 s"]]}
    pings = {
        "text": scenario("upload"),
        "set": [["duration", "80000 s"], ["record.every", "1000 s"], ["flow.1.interval", "1 ms"]],
    }
    many, large = (one["json"] for one in ask([{"ask": "run", **endless}, {"ask": "run", **pings}]))
    assert "million rows" in many["error"]
    assert "`duration` shorter" in many["hint"]
    assert "of memory" in large["error"]


def test_the_engine_is_small() -> None:
    """Half of the page is the engine, compressed."""
    assert len(gzip.compress(playground.MODULE.read_bytes(), 9)) < 1_500_000


@pytest.mark.parametrize("name", [one["name"] for one in sheets()["sheets"]])
def test_a_sheet_is_that_of_the_command_line(name: str, tmp_path: Path) -> None:
    """What each student draws, the right answers, the points, and a file that `airloom lab check` takes."""
    students = ("anna", "4711", "zo\N{LATIN SMALL LETTER E WITH DIAERESIS}_x")
    text = scenario(task(name, "anna").sheet["scenario"].removesuffix(".toml"))
    sheets_of = ask([{"ask": "sheet", "name": name, "student": one, "text": text} for one in students])
    for student, told in zip(students, sheets_of, strict=True):
        own = task(name, student)
        assert told["task"]["seed"] == own.seed
        assert {one["name"]: [tuple(pair) for pair in one["set"]] for one in told["task"]["runs"]} == own.runs
        assert [one["ask"] for one in told["task"]["questions"]] == [one.ask for one in own.questions]
        assert [[each["text"] for each in one.get("options", [])] for one in told["task"]["questions"]] == [
            list(one.options) for one in own.questions
        ]
        (tmp_path / ANSWERS).write_text(told["handIn"], encoding="utf-8")
        (points,) = graded([read(tmp_path)])
        assert points["points"] == points["of"] == sum(one["points"] for one in told["points"])
        assert sum(one["points"] for one in told["none"]) == 0


def test_a_question_that_is_none_is_refused() -> None:
    (told,) = ask([{"ask": "weather"}])
    assert "weather" in told["json"]["error"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_charts_are_those_of_the_report(name: str, tmp_path: Path) -> None:
    (drawn,) = ask([{"ask": "draw", "runs": [{"text": scenario(name), "set": [["duration", "12 s"]]}]}])
    check_drawn(drawn, [bundle(name, tmp_path / "run", "12 s")])


@pytest.mark.parametrize("name", ["download", "crowd", "calls", "scan"])
def test_charts_of_two_runs_are_those_of_the_report(name: str, tmp_path: Path) -> None:
    short = [["duration", "6 s"]]
    runs = [
        {"text": scenario(name), "set": short, "seed": seed, "called": called}
        for seed, called in ((1, "run"), (2, "now"))
    ]
    (drawn,) = ask([{"ask": "draw", "runs": runs}])
    check_drawn(drawn, [bundle(name, tmp_path / called, "6 s", seed=seed) for seed, called in ((1, "run"), (2, "now"))])


def check_drawn(drawn: dict[str, Any], runs: Sequence[Run]) -> None:
    """Compares what the playground draws with what the report draws."""
    comparison = compare(runs)
    duration = max(run.summary["duration_s"] for run in runs)
    shown = page.timeline(comparison, duration)
    expected = page.content(comparison, shown, [], duration)
    content = drawn["content"]
    assert [entry["id"] for entry in drawn["entries"]] == [entry["id"] for entry in shown]
    for key in ("title", "facet", "crowded", "continued", "caption", "legend", "last"):
        assert [entry[key] for entry in drawn["entries"]] == [plain(entry[key]) for entry in shown], key
    for key in ("duration", "left", "right", "scans", "distributions"):
        assert content[key] == plain(expected[key]), key
    for ours, theirs in zip(content["panels"], plain(expected["panels"]), strict=True):
        assert ours["lines"] == theirs["lines"], ours["id"]
        assert with_data(ours["spec"]) == with_data(theirs["spec"]), ours["id"]


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return json.loads(json.dumps(value))


def with_data(spec: dict[str, Any]) -> dict[str, Any]:
    """A chart with the data in its layers, whatever they are called, and without what it takes to save it."""
    made = {key: value for key, value in spec.items() if key not in ("datasets", "usermeta", "description")}
    made["layer"] = [layer | {"data": spec["datasets"][layer["data"]["name"]]} for layer in spec["layer"]]
    return made


class Visitor:
    """The page in a browser, with what it complained of and what it asked for."""

    def __init__(self, browser: Browser, query: str = "", **options: Any) -> None:
        self.visit = Visit(browser, playground.PAGE, query, **options)
        self.page = self.visit.page

    def ran(self, times: int = 1) -> None:
        """Waits until so many runs are drawn, charts and all."""
        self.page.wait_for_selector(f"html[data-ran='{times}']")
        self.page.frame_locator("iframe.charts").locator("html[data-ready]").wait_for()

    def table(self) -> list[list[str]]:
        """The table of flows."""
        rows = self.page.locator(".flows tr").all()
        return [[cell.strip() for cell in row.locator("th, td").all_inner_texts()] for row in rows]

    def checked(self) -> None:
        """Holds that it complained of nothing, and asked for nothing but itself."""
        assert self.visit.complaints == []
        assert {url.partition(":")[0] for url in self.visit.requests} <= {"file", "blob", "about", "data"}


def until(holds: Callable[[], bool]) -> None:
    """Waits until something holds, which the page's policy lets no string of Playwright's do."""
    for _ in range(300):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("waited for 15 s")


@pytest.mark.browser
def test_the_first_example_runs(browser: Browser) -> None:
    seen = Visitor(browser)
    seen.page.click("#run")
    seen.ran()
    text = seen.page.input_value("#text")
    summary = json.loads(_engine.summarize(text, "scenario.toml", [], None))
    head, *rows = seen.table()
    assert head[0] == "Flow"
    assert "Goodput" in head[1]
    assert [row[0].split()[0] for row in rows] == [flow["name"] for flow in summary["flows"]]
    assert [float(row[1]) for row in rows] == [float(number(flow["goodput_mbps"])) for flow in summary["flows"]]
    assert seen.page.frame_locator("iframe.charts").locator("#panel-goodput svg").count() == 1
    seen.checked()


@pytest.mark.browser
def test_a_minute_of_an_upload_takes_a_second(browser: Browser) -> None:
    seen = Visitor(browser)
    seen.page.select_option("#example", "upload-scans")
    text = seen.page.input_value("#text")
    seen.page.fill(
        "#text",
        text.replace(next(line for line in text.splitlines() if line.startswith("duration")), 'duration = "60 s"'),
    )
    assert min(seconds(seen, times) for times in range(1, 6)) < 1.5


def seconds(seen: Visitor, times: int) -> float:
    """How long the page says that a run took. Where something else holds the machine up, the least of a few counts."""
    seen.page.click("#run")
    seen.ran(times)
    said = seen.page.inner_text("#status")
    assert said.startswith("60 s of it took ")
    return float(said.split()[5])


@pytest.mark.browser
def test_a_mistake_is_shown_at_its_place_and_nothing_runs(browser: Browser) -> None:
    seen = Visitor(browser)
    text = seen.page.input_value("#text")
    seen.page.fill("#text", text.replace("duration", "duraton", 1))
    message = seen.page.locator("#messages .mistake").first
    message.wait_for()
    assert "did you mean `duration`?" in message.inner_text()
    assert seen.page.inner_text("#lines .wrong") == str(1 + text[: text.index("duration")].count("\n"))
    message.locator("button").click()
    place = seen.page.eval_on_selector("#text", "area => [document.activeElement === area, area.selectionStart]")
    assert place == [True, text.index("duration")]
    seen.page.click("#run")
    seen.page.wait_for_selector("#status.bad")
    assert seen.page.locator("#results").is_hidden()
    seen.checked()


@pytest.mark.browser
def test_keys_and_words_are_offered_and_written_by_the_keyboard(browser: Browser) -> None:
    seen = Visitor(browser)
    seen.page.fill("#text", "[air]\n")
    seen.page.press("#text", "End")
    seen.page.keyboard.type("ba")
    assert "band" in seen.page.inner_text("#offers [aria-selected=true]")
    seen.page.keyboard.press("Tab")
    assert '"2.4 GHz"' in seen.page.inner_text("#offers")
    seen.page.keyboard.press("ArrowDown")
    seen.page.keyboard.press("Enter")
    assert seen.page.input_value("#text") == '[air]\nband = "5 GHz"'
    seen.checked()


@pytest.mark.browser
def test_a_sheet_is_done_from_its_link_to_its_grade(browser: Browser, tmp_path: Path) -> None:
    """Predictions come first and stay; then runs, answers, a letter; the file that is saved has all points."""
    seen = Visitor(browser, "#lab=hidden/anna")
    own = task("hidden", "anna")
    sheet = seen.page.locator("#sheet")
    sheet.get_by_role("heading", name=own.sheet["title"]).wait_for()
    seen.page.wait_for_selector("html[data-ready]")
    fields = sheet.locator("input[type=number]")
    numbers = [one for one in own.questions if one.number]
    assert fields.count() == 2 * len(numbers)
    assert sheet.get_by_role("button", name="Run heard", exact=True).is_disabled()
    expected = sheet.get_by_role("button", name="That is what I expect")
    expected.click()
    assert sheet.get_by_role("button", name="Run heard", exact=True).is_disabled()
    for place, _ in enumerate(numbers):
        fields.nth(place).fill("0.5")
    expected.click()
    assert not fields.nth(0).is_editable()
    for times, run in enumerate(own.runs, 1):
        sheet.get_by_role("button", name=f"Run {run}", exact=True).click()
        seen.ran(times)
    assert "not run yet" not in sheet.inner_text()
    (truth,) = found([own])
    for place, one in enumerate(numbers, len(numbers)):
        assert one.number is not None
        fields.nth(place).fill(f"{one.number.of(truth):.3f}")
    (choice,) = [one for one in own.questions if not one.number]
    sheet.locator(f"input[value={choice.right}]").check()
    sheet.get_by_role("button", name="Grade").click()
    sheet.get_by_role("heading", name="4 of 4 points").wait_for()
    with seen.page.expect_download() as file:
        sheet.get_by_role("button", name="Save answers.toml").click()
    file.value.save_as(tmp_path / ANSWERS)
    (points,) = graded([read(tmp_path)])
    assert (points["student"], points["points"]) == ("anna", 4)
    seen.checked()


@pytest.mark.browser
def test_a_run_stands_beside_the_one_that_was_kept(browser: Browser) -> None:
    seen = Visitor(browser)
    seen.page.click("#run")
    seen.ran()
    one = len(seen.table())
    seen.page.click("#keep")
    seen.page.select_option("#key", "station far distance")
    seen.page.focus("#range")
    seen.page.keyboard.press("Home")
    seen.ran(2)
    assert seen.page.inner_text("#value") == "6.3 m"
    assert 'distance = "6.3 m"' in seen.page.input_value("#text")
    names = [row[0] for row in seen.table()[1:]]
    assert len(names) == 2 * (one - 1)
    assert [name.split("CUBIC")[0].strip() for name in names[:2]] == [
        "to-near, distance = 25 m",
        "to-near, distance = 6.3 m",
    ]
    seen.checked()


@pytest.mark.browser
def test_a_link_holds_the_scenario(browser: Browser) -> None:
    seen = Visitor(browser)
    text = "# \N{GREEK SMALL LETTER MU}\n" + seen.page.input_value("#text")
    seen.page.fill("#text", text)
    seen.page.fill("#seed", "5")
    seen.page.click("#link")
    until(lambda: seen.page.evaluate("location.hash.startsWith('#s=')"))
    hash_ = seen.page.evaluate("location.hash")
    again = Visitor(browser, f"?embed{hash_}")
    again.ran()  # an embedded page runs by itself
    assert (again.page.input_value("#text"), again.page.input_value("#seed")) == (text, "5")
    assert again.page.locator("#example").is_hidden()
    cut = Visitor(browser, hash_[: len(hash_) // 2])
    assert "cut or damaged" in cut.page.inner_text("#status")
    assert cut.page.input_value("#text")
    again.checked()


@pytest.mark.browser
def test_a_run_can_be_cancelled_and_another_begun(browser: Browser) -> None:
    seen = Visitor(browser)
    text = seen.page.input_value("#text")
    seen.page.fill("#text", text.replace('duration = "20 s"', 'duration = "10000 s"'))
    seen.page.click("#run")
    until(lambda: seen.page.evaluate("document.getElementById('progress').value > 0"))
    seen.page.click("#cancel")
    assert seen.page.inner_text("#status") == "Ended."
    seen.page.fill("#text", text)
    seen.page.click("#run")
    seen.ran()
    seen.checked()


@pytest.mark.browser
def test_captures_are_saved_and_dropped_ones_diagnosed(browser: Browser, tmp_path: Path) -> None:
    seen = Visitor(browser)
    seen.page.select_option("#example", "scan")
    seen.page.click(".more summary")
    seen.page.click("#captures")
    seen.page.wait_for_selector("#files button")
    files = []
    for button in seen.page.locator("#files button").all():
        with seen.page.expect_download() as download:
            button.click()
        files.append(tmp_path / download.value.suggested_filename)
        download.value.save_as(files[-1])
    assert "air.pcapng" in [file.name for file in files]
    seen.page.set_input_files("#capture", files)
    seen.page.wait_for_selector("#findings li")
    found = json.loads(_engine.diagnose(files))["findings"]
    assert [text.split()[0] for text in seen.page.locator("#findings h3").all_inner_texts()] == [
        one["code"] for one in found
    ]
    wrong = tmp_path / "wrong.pcap"
    wrong.write_text("no capture")
    seen.page.set_input_files("#capture", wrong)
    seen.page.wait_for_selector("#findings .bad")
    seen.checked()


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 800, 1400])
def test_nothing_is_wider_than_the_page(browser: Browser, width: int) -> None:
    seen = Visitor(browser, viewport={"width": width, "height": 800})
    seen.page.click("#run")
    seen.ran()
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    inside = seen.page.frames[-1].evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
    assert inside


@pytest.mark.browser
def test_every_control_has_a_name(browser: Browser) -> None:
    """What a screen reader says of it."""
    seen = Visitor(browser)
    nameless = seen.page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, textarea, iframe, summary")]
        .filter((one) => !(one.labels?.length || one.getAttribute("aria-label") || one.title || one.textContent.trim()))
        .map((one) => one.outerHTML)"""
    )
    assert nameless == []
