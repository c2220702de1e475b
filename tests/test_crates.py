"""Which building depends on which, and which file of a crate imports which: none imports one that imports it back."""

from __future__ import annotations

import re
import tomllib
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import pytest

from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MANIFESTS = [manifest for glob in ("*", "crates/*/*") for manifest in sorted(ROOT.glob(f"{glob}/Cargo.toml"))]
SOURCES = [manifest.parent / "src" for manifest in MANIFESTS]

BUILDINGS: dict[str, set[str]] = {
    "base": set(),
    "engine": {"base"},
    "captures": {"base"},
    "linux": {"base"},
    "tools": {"base", "engine", "captures", "linux"},
}
"""The folders of `crates`, and whose crates theirs may depend on beside their own."""

OVER_THE_FENCE = {
    ("lab", "trace"): "the captures of a run are read by what reads those of strangers",
    ("link_share", "tcp"): "the arithmetic in C is held against that of the model",
}
"""What the tests of a crate take from another building, and why."""

Module = tuple[str, ...]
"""A module's path within its crate; the crate itself is `()`."""


def modules(source: Path) -> dict[Module, Path]:
    """The modules of a crate that are files."""
    found = {}
    for file in sorted(source.rglob("*.rs")):
        *folders, name = file.relative_to(source).with_suffix("").parts
        found[*folders, *([] if name in {"lib", "main", "mod"} else [name])] = file
    return found


def paths(text: str) -> Iterator[str]:
    """All paths in a file's code that begin with `crate` or `super`, its tests aside."""
    code, *_ = re.split(r"#\[cfg\(test\)\]\s*mod \w+ \{", re.sub(r"//.*", "", text))
    for use in re.findall(r"\buse ([^;]+);", code):
        yield from (path for path in expanded(use) if path.startswith(("crate::", "super::")))
    yield from re.findall(r"\bcrate(?:::\w+)+", code)


def expanded(tree: str) -> list[str]:
    """The paths of a `use` one by one: `a::{b, c::d}` is `a::b` and `a::c::d`."""
    while group := re.search(r"([\w:]*)\{([^{}]*)\}", tree):
        inner = [group[1] + part.strip() for part in group[2].split(",") if part.strip()]
        tree = tree[: group.start()] + ",".join(inner) + tree[group.end() :]
    return [path.partition(" as ")[0].strip() for path in tree.split(",")]


def module_of(path: str, here: Module, known: dict[Module, Path]) -> Module:
    """The module whose file a path that is written in the module `here` leads to."""
    place = here
    for name in path.split("::"):
        place = {"crate": (), "super": place[:-1]}.get(name, (*place, name))
    while place not in known:
        place = place[:-1]
    return place


def imports(source: Path) -> dict[Module, set[Module]]:
    """What each file of a crate imports from others of it.

    A module may name those below it without `crate` or `super`, which does not count: with its folder it is one thing.
    """
    known = modules(source)
    return {
        here: {module_of(path, here, known) for path in paths(file.read_text(encoding="utf-8"))} - {here}
        for here, file in known.items()
    }


def building_of(manifest: Path) -> str:
    """The building that a crate stands in; none for those beside `crates`."""
    return manifest.parent.parent.name if manifest.is_relative_to(ROOT / "crates") else ""


def asked_for(manifest: Path) -> Iterator[tuple[Path, bool]]:
    """The manifests of the workspace's crates that a crate asks for, and whether only its tests do."""
    paths = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["dependencies"]
    crate = tomllib.loads(manifest.read_text(encoding="utf-8"))
    for part in (crate, *crate.get("target", {}).values()):
        for table in ("dependencies", "build-dependencies", "dev-dependencies"):
            for name in part.get(table, {}):
                if name.startswith("airloom-"):
                    yield ROOT / paths[name]["path"] / "Cargo.toml", table == "dev-dependencies"


def test_a_building_depends_on_those_below_it() -> None:
    TopologicalSorter(BUILDINGS).prepare()
    over = set()
    for manifest in MANIFESTS:
        here = building_of(manifest)
        for other, only_tests in asked_for(manifest):
            there = building_of(other)
            if not here or there in {here, *BUILDINGS[here]}:
                continue
            pair = (manifest.parent.name, other.parent.name)
            assert only_tests, f"{pair[0]} stands in {here} and depends on {pair[1]} of {there}"
            over.add(pair)
    assert over == OVER_THE_FENCE.keys()


def test_a_crate_depends_on_those_of_lower_floors_but_for_its_tests() -> None:
    """The floors are those that docs/architecture.md draws."""
    crates = {manifest: manifest.parent.name for manifest in MANIFESTS}
    crates[ROOT / "testbed" / "air" / "Cargo.toml"] = "testbed/air"
    names = set(crates.values())
    drawn = re.findall(r"^ (\d)( .*)$", (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"), re.M)
    places = [(name, int(floor)) for floor, line in drawn for name in re.findall(r"[\w/]+", line) if name in names]
    floor_of = dict(places)
    assert sorted(name for name, _ in places) == sorted(names), "each crate is drawn once"
    for manifest, name in crates.items():
        for other, only_tests in asked_for(manifest):
            assert only_tests or floor_of[crates[other]] < floor_of[name], f"{name} depends on {crates[other]}"


def test_the_map_and_the_page_of_a_building_name_its_crates() -> None:
    rooms = re.findall(
        r"^\| `crates/(\w+)/(\w+)` \|", (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"), re.M
    )
    assert {folder for folder, _ in rooms} == BUILDINGS.keys()
    assert sorted(rooms) == sorted((building_of(crate), crate.parent.name) for crate in MANIFESTS if building_of(crate))
    for building in BUILDINGS:
        page = (ROOT / "crates" / building / "README.md").read_text(encoding="utf-8")
        assert set(re.findall(r"^\| `(\w+)` \|", page, re.M)) == {
            crate for folder, crate in rooms if folder == building
        }


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.parent.name)
def test_no_file_imports_one_that_imports_it_back(source: Path) -> None:
    try:
        TopologicalSorter(imports(source)).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join("::".join(module) or "the crate" for module in error.args[1]))


def test_imports_are_found(tmp_path: Path) -> None:
    assert expanded("crate::{a, b::{c as d,\n e::*}}") == ["crate::a", "crate::b::c", "crate::b::e::*"]
    text = "use super::{x, y};\nfn f(z: crate::z::Z) {} // crate::no\n#[cfg(test)]\nmod tests { use crate::t; }"
    assert list(paths(text)) == ["super::x", "super::y", "crate::z::Z"]
    (tmp_path / "cell").mkdir()
    (tmp_path / "lib.rs").write_text("mod cell;\nmod link;\n")
    (tmp_path / "link.rs").write_text("use crate::cell::Cell;\n")
    (tmp_path / "cell" / "mod.rs").write_text("mod attempt;\npub struct Cell;\n")
    (tmp_path / "cell" / "attempt.rs").write_text("use super::Cell;\nfn f(link: crate::link::Link) {}\n")
    assert imports(tmp_path) == {
        (): set(),
        ("link",): {("cell",)},
        ("cell",): set(),
        ("cell", "attempt"): {("cell",), ("link",)},
    }
