"""Parts of the TCP endpoint as docs/tcp.md lists them: each has a source, and tests that exist."""

from __future__ import annotations

import re

from conftest import ROOT

PAGE = (ROOT / "docs" / "tcp.md").read_text(encoding="utf-8")
TESTED = re.compile(r"#\[test\]\s*(?:#\[(?!ignore)[^\]]*\]\s*)*fn (\w+)\(")
"""A test of Rust, which is not ignored."""


def rows(head: str) -> dict[str, list[str]]:
    """The rows of the table with this head, by their first cell."""
    table = PAGE.split(f"{head}\n", 1)[1].split("\n\n", 1)[0].splitlines()[1:]
    cells = ([cell.strip() for cell in row.strip("|").split("|")] for row in table)
    return {first: others for first, *others in cells}


PARTS = rows("| part | what it does | after |")
TESTS = {part: re.findall(r"`([^`]+)`", named[0]) for part, named in rows("| part | tests |").items()}


def test_every_part_has_a_source() -> None:
    without = [part for part, (_, after) in PARTS.items() if not re.search(r"RFC \d|draft-|`\w+(\.c|\.rs)?`", after)]
    assert len(PARTS) > 20
    assert without == []


def test_every_part_names_tests_that_exist() -> None:
    assert list(TESTS) == list(PARTS)
    scripts = {path.name for path in (ROOT / "tests" / "packetdrill" / "scripts").glob("*.pkt")}
    files = sorted((ROOT / "crates" / "tcp").rglob("*.rs"))
    there = scripts | {name for path in files for name in TESTED.findall(path.read_text(encoding="utf-8"))}
    assert {part: [name for name in names if name not in there] for part, names in TESTS.items() if names} == {
        part: [] for part in PARTS
    }
