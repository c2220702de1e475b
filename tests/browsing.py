"""A real browser, and a page of ours opened in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tools import need

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

REACH = """
all => Math.max(...all.map(mark => {
  const plot = mark.ownerSVGElement.getBoundingClientRect(), drawn = mark.getBoundingClientRect();
  return Math.max(plot.left - drawn.left, drawn.right - plot.right) / plot.width;
}))
"""
"""How far marks reach beyond their plots, in widths of these."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = need("chromium", "chromium-browser", "google-chrome")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        yield chromium
        chromium.close()


class Visit:
    """A page that was opened, with what it complained of and what it asked for."""

    def __init__(self, browser: Browser, file: Path, fragment: str = "", **options: Any) -> None:
        self.page: Page = browser.new_context(**options).new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(file.as_uri() + fragment)
        self.page.wait_for_selector("html[data-ready]")

    def spans(self) -> dict[str, list[float]]:
        """The span of time that each chart shows, in seconds."""
        spans: dict[str, list[float]] = self.page.evaluate("airloom.spans()")
        return spans

    def settle(self) -> None:
        """Waits until what was asked for is drawn."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def colour(self, selector: str, name: str = "background-color") -> str:
        """A computed colour."""
        found: str = self.page.eval_on_selector(selector, f"node => getComputedStyle(node)['{name}']")
        return found
