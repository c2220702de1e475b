"""Draws the pictures of pages: `make pictures`.

A picture stands below a block of `console` and is drawn from its last command: what `airloom sweep show` tabulates,
`airloom plot` draws; a picture that the command itself has written is taken. The page that `airloom diagnose` writes is
opened in Chromium, and its first finding with it.
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

PICTURE = re.compile(r"```console\n(?P<body>(?:[^\n]*\n)*?)```\n\n!\[[^\]]*\]\((?P<file>img/[^)]+\.(?:svg|png))\)")

WIDTH, HEIGHT = 1160, 1500
"""Pixels of a picture of a page."""


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
                photograph(folder.path / words[words.index("-o") + 1] / "report.html", file)
            elif last.startswith("airloom plot"):
                shutil.copy(folder.path / shlex.split(last)[-1], file)
            else:
                asked = last.replace("airloom sweep show", "airloom plot", 1)
                sys.stdout.write(folder.run(f"{asked} -o {shlex.quote(str(file))}"))


def photograph(page: Path, file: Path) -> None:
    """A picture of a diagnosis, with its first finding opened."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        shown = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce", color_scheme="light"
        )
        shown.goto(page.as_uri())
        shown.wait_for_selector("html[data-ready]")
        shown.locator(".member .open").first.click()
        shown.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shown.screenshot(path=file)
        browser.close()


if __name__ == "__main__":
    for one in transcript.pages():
        if PICTURE.search(one.read_text(encoding="utf-8")):
            draw(one)
