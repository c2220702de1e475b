"""Builds the site: `python site/build.py [FOLDER]`, by default out/site. No network is used, and none by its pages.

The pages of the repository are taken as they are, laid out as they lie there, and the reference is written beside them.
Where a page links to a file that is no page, the site gets a copy of it; where it links to a folder, the words stay.
Sphinx refuses a link that leads nowhere.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.cmd.build import build_main

import notebooks
import reference

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parents[1]
HERE = Path(__file__).parent

LINK = re.compile(r"(?P<image>!?)\[(?P<words>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")
COMMENT = re.compile(r"^<!-- .* -->\n|<!-- .*? -->", re.MULTILINE)

REFERENCE = {
    "scenario": reference.scenario,
    "summary": reference.summary,
    "rules": reference.rules,
    "commands": reference.commands,
}


def pages() -> list[Path]:
    """The pages of the repository, by their place in it."""
    patterns = (
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/*.md",
        "papers/*/README.md",
        "crates/*/README.md",
        "tests/kernel/README.md",
    )
    return sorted(page.relative_to(ROOT) for pattern in patterns for page in ROOT.glob(pattern))


def collect(source: Path) -> None:
    """Lays out what Sphinx reads."""
    ours = pages()
    for page in ours:
        text = with_links(COMMENT.sub("", (ROOT / page).read_text(encoding="utf-8")), page, ours, source)
        if page == Path("README.md"):
            page, text = Path("index.md"), text + (HERE / "index.md").read_text(encoding="utf-8")  # noqa: PLW2901
        put(source / page, text)
    for notebook in sorted(ROOT.glob("docs/notebooks/*.ipynb")):
        place = source / "docs" / "notebooks"
        put(place / f"{notebook.stem}.md", notebooks.page(notebooks.executed(notebook, ROOT), notebook.name))
        shutil.copy(notebook, place)
    for name, written in REFERENCE.items():
        put(source / "reference" / f"{name}.md", written())
    shutil.copytree(HERE / "static", source / "_static")
    shutil.copy(HERE / "conf.py", source)


def with_links(text: str, page: Path, ours: Iterable[Path], source: Path) -> str:
    """A page with links that hold within the site; copies the files that it links to."""

    def link(found: re.Match[str]) -> str:
        if "://" in found["target"]:
            return found[0]
        target = Path(os.path.normpath(page.parent / found["target"]))
        if target == Path("README.md"):
            return found[0].replace("README.md", "index.md")
        if target in ours or target.parts[0] == "reference":
            return found[0]
        if (ROOT / target).is_dir():
            return found["words"]
        if not (ROOT / target).is_file():
            raise SystemExit(f"{page}: no {found['target']}")
        (source / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / target, source / target)
        return found[0]

    return LINK.sub(link, text)


def put(file: Path, text: str) -> None:
    """Writes a file and the folders that it lies in."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def build(folder: Path) -> int:
    """Builds the site into a folder, which is emptied before; 0 if nothing is wrong with any page."""
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "source"
        collect(source)
        doctrees = str(Path(place) / "doctrees")
        return build_main(["-b", "html", "-W", "--keep-going", "-q", "-d", doctrees, str(source), str(folder)])


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "out" / "site")))
