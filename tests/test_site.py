"""The site is built from the pages without a complaint, and leads nowhere else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.nightly


class Links(HTMLParser):
    """What a page loads, where it leads, and the places in it that can be led to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.loads: set[str] = set()
        self.leads: set[str] = set()
        self.places: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Sorts what an element refers to."""
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif name == "href" and tag == "a" and value:
                self.leads.add(value)
            elif name in ("src", "srcset") or (name == "href" and tag != "a"):
                self.loads.add(value or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    built = subprocess.run(
        [sys.executable, str(ROOT / "site" / "build.py"), str(folder)], capture_output=True, text=True, check=False
    )
    assert (built.returncode, built.stdout + built.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    return {page: Links(page) for page in site.rglob("*.html")}


def test_notebooks_are_executed_and_kept_without_outputs(pages: dict[Path, Links], site: Path) -> None:
    notebooks = list(ROOT.glob("docs/notebooks/*.ipynb"))
    assert {site / one.relative_to(ROOT).with_suffix(".html") for one in notebooks} <= pages.keys()
    for notebook in notebooks:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)


def test_no_page_loads_anything_from_elsewhere(pages: dict[Path, Links], site: Path) -> None:
    for page, links in pages.items():
        for target in links.loads:
            assert not re.match(r"(https?:)?//", target), f"{page}: {target}"
            assert (page.parent / target.partition("?")[0].partition("#")[0]).exists(), f"{page}: {target}"
    for style in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()[\s\"']*(https?:)?//", style.read_text(encoding="utf-8")), style


def test_every_link_within_the_site_arrives(pages: dict[Path, Links]) -> None:
    for page, links in pages.items():
        for link in links.leads:
            if re.match(r"[a-z]+:", link):
                continue
            target, _, place = link.partition("#")
            file = (page.parent / unquote(target)).resolve() if target else page.resolve()
            assert file.exists(), f"{page}: {link}"
            if place and file in pages:
                assert unquote(place) in pages[file].places, f"{page}: {link}"
