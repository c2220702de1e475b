"""Notebooks run with what their first cell says is to be installed; `test_site.py` looks at what they show."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("notebook", sorted(ROOT.glob("docs/notebooks/*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_says_what_it_needs_beside_airloom(notebook: Path) -> None:
    cells = json.loads(notebook.read_text())["cells"]
    code = ast.parse("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))
    imported = {name.name for node in ast.walk(code) if isinstance(node, ast.Import) for name in node.names}
    imported |= {str(node.module) for node in ast.walk(code) if isinstance(node, ast.ImportFrom)}
    needed = {name.partition(".")[0] for name in imported} - sys.stdlib_module_names - {"airloom"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    core, extra = (
        {re.split(r"[><=]", one)[0] for one in known}
        for known in (project["dependencies"], project["optional-dependencies"]["notebooks"])
    )
    said = re.search(r"`pip install (.*?)`", "".join(cells[0]["source"]))
    assert needed - core == set(said[1].split() if said else ())
    assert needed - core <= extra
