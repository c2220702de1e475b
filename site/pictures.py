"""Draws the pictures of pages: `make pictures`.

README's compares an upload with and without the remedy, and README says of which results version. Any other picture
stands below a block of `console` and is drawn from its last command: what `airloom sweep show` tabulates, `airloom
plot` draws; a picture that the command itself has written is taken. The page that `airloom diagnose` writes is opened
in Chromium, and its first finding with it.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import transcript
from airloom import _engine

PICTURE = re.compile(r"```console\n(?P<body>(?:[^\n]*\n)*?)```\n\n!\[[^\]]*\]\((?P<file>img/[^)]+\.(?:svg|png))\)")

WIDTH, HEIGHT = 1160, 1500
"""Pixels of a picture of a page."""

UPLOAD, REMEDY = "papers/scan/upload-tsq.toml", "station.0.scan.remedy=skip-if-moved"

WHOLE = 2600
"""Pixels of a report, down to the last of its layers."""


def draw_report(readme: Path) -> None:
    """Draws what README begins with, and writes of which results version it is."""
    with tempfile.TemporaryDirectory() as place:
        folder = transcript.folder(Path(place))
        folder.run(f"airloom run {UPLOAD} -o scans && airloom run {UPLOAD} -o held-off --set {REMEDY}")
        folder.run("airloom compare scans held-off -o compared.html")
        photograph(folder.path / "compared.html", readme.parent / "docs" / "img" / "report.png", height=WHOLE)
    text = readme.read_text(encoding="utf-8")
    said, places = re.subn(r"(?<=Of results version )\d+", str(_engine.results()), text)
    if places != 1:
        raise SystemExit(f"{readme}: {places} places for the results version of its picture")
    readme.write_text(said, encoding="utf-8")


def draw(page: Path) -> None:
    """Draws the pictures of a page, whose commands are run in their order."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as place:
        folder = transcript.folder(Path(place))
        transcript.renewed(text, folder)
        for picture in PICTURE.finditer(text):
            last = list(transcript.commands(picture["body"]))[-1]
            file = page.parent / picture["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            if last.startswith("airloom diagnose"):
                words = shlex.split(last)
                photograph(folder.path / words[words.index("-o") + 1], file, click=".member .open")
            elif last.startswith("airloom plot"):
                shutil.copy(folder.path / shlex.split(last)[-1], file)
            else:
                asked = last.replace("airloom sweep show", "airloom plot", 1)
                sys.stdout.write(folder.run(f"{asked} -o {shlex.quote(str(file))}"))


def photograph(page: Path, file: Path, *, height: int = HEIGHT, click: str | None = None) -> None:
    """A picture of a page, after a click on the first element that a selector finds."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        shown = browser.new_page(
            viewport={"width": WIDTH, "height": height}, reduced_motion="reduce", color_scheme="light"
        )
        shown.goto(page.as_uri())
        shown.wait_for_selector("html[data-ready]")
        if click:
            shown.locator(click).first.click()
        shown.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shown.screenshot(path=file)
        browser.close()


if __name__ == "__main__":
    draw_report(transcript.ROOT / "README.md")
    for one in transcript.pages():
        if PICTURE.search(one.read_text(encoding="utf-8")):
            draw(one)
