"""Which package may import which: none imports one that imports it back, nor does a module."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import pytest

from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKAGE = ROOT / "python" / "airloom"

LAYERS = (
    ("support", "_engine"),
    ("errors",),
    ("scenario", "own"),
    ("results",),
    ("simulation", "emulation", "analysis"),
    ("batch", "report"),
    ("papers", "sweep", "diagnosis", "lab"),
    ("fitting",),
    ("api",),
    ("mcp", "gym"),
    ("cli",),
)
"""The packages and modules of `airloom`, from the lowest: each may import those of lower layers, and itself."""


def modules() -> dict[str, Path]:
    """All modules, by their names below `airloom`; those of packages end in `.__init__`."""
    files = [*PACKAGE.rglob("*.py"), PACKAGE / "_engine.pyi"]
    return {".".join(file.relative_to(PACKAGE).with_suffix("").parts): file for file in files}


def imported(file: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules that a file imports anywhere in it, for its types too."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.partition(".")[0] == "airloom":
                yield module_of(name.removeprefix("airloom").removeprefix("."), known)


def module_of(name: str, known: dict[str, Path]) -> str:
    """The module that a dotted name lies in, or is."""
    while name and name not in known and f"{name}.__init__" not in known:
        name = name.rpartition(".")[0]
    return name if name in known else f"{name}.__init__".removeprefix(".")


def imports() -> dict[str, set[str]]:
    """What each module imports."""
    known = modules()
    return {name: set(imported(file, known)) - {name} for name, file in known.items()}


def package(module: str) -> str:
    """The package of a module, or the module itself where it stands in none."""
    return module.partition(".")[0]


def test_a_package_imports_only_lower_ones() -> None:
    floor = {name: place for place, layer in enumerate(LAYERS) for name in layer}
    faces = {"__init__", "__main__"}
    assert {package(module) for module in modules()} - faces == floor.keys()
    wrong = [
        f"{module} imports {other}"
        for module, others in imports().items()
        for other in others
        if package(module) not in faces
        and package(module) != package(other)
        and floor[package(other)] >= floor[package(module)]
    ]
    assert wrong == []


def test_no_module_imports_one_that_imports_it_back() -> None:
    graph = imports()
    assert "papers.paper" in graph["cli.demo"]
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))
