"""`airloom new --rust`: a laboratory with algorithms of one's own, and all commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from airloom.errors import RunError
from airloom.own import rust
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def test_a_laboratory_is_a_package_of_its_name(tmp_path: Path) -> None:
    """With the versions that the engine was tried with, and nothing of the template's name."""
    rust.write("queue-lab-2", tmp_path / "lab", None)
    files = {
        file.relative_to(tmp_path / "lab").as_posix(): file.read_text() for file in (tmp_path / "lab").rglob("*.*")
    }
    assert {*files} == {
        "Cargo.toml", "Cargo.lock", "pyproject.toml", "src/lib.rs", "python/queue_lab_2/__init__.py",
        "python/queue_lab_2/__main__.py",
    }  # fmt: skip
    assert not any("my-lab" in text or "my_lab" in text or "SOURCES" in text for text in files.values())
    manifest = tomllib.loads(files["Cargo.toml"])
    assert manifest["package"]["name"] == "queue-lab-2"
    assert all((ROOT / one["path"]).is_dir() for one in manifest["dependencies"].values() if "path" in one)
    assert files["Cargo.lock"] == (ROOT / "Cargo.lock").read_text()
    assert tomllib.loads(files["pyproject.toml"])["project"]["scripts"] == {"queue-lab-2": "queue_lab_2:main"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My Lab", "is no name"),
        ("airloom", "choose another"),
        ("class", "choose another"),
        ("json", "choose another"),
        ("self", "choose another"),
        ("-x", "is no name"),
        ("../x", "is no name"),
        ("ok", "exists"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, name: str, said: str) -> None:
    """Names that no package has, and a folder that holds something, which stays as it is."""
    (tmp_path / "kept").write_text("kept")
    with pytest.raises(RunError, match=said):
        rust.write(name, tmp_path, None)
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]


def test_it_needs_the_sources(tmp_path: Path) -> None:
    """A wheel has none."""
    with pytest.raises(RunError, match="--sources names a clone"):
        rust.write("lab", tmp_path / "lab", tmp_path)
    assert not (tmp_path / "lab").exists()


@pytest.mark.nightly
def test_a_laboratory_has_all_commands_and_its_own_kinds(tmp_path: Path) -> None:
    """Built by the tool that its page names, with what was compiled here; its control runs, in a sweep too."""
    folder = tmp_path / "my-lab"
    rust.write("my-lab", folder, None)
    environment = os.environ | {"CARGO_TARGET_DIR": str(ROOT / "target"), "VIRTUAL_ENV": sys.prefix}
    maturin = [sys.executable, "-m", "maturin", "build", "--release", "--out", str(tmp_path / "wheels")]
    subprocess.run(maturin, cwd=folder, env=environment, check=True, capture_output=True)
    (wheel,) = (tmp_path / "wheels").glob("*.whl")
    there = tmp_path / "there"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(there), str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    environment |= {"PYTHONPATH": os.pathsep.join([str(there), str(ROOT / "python")])}

    def lab(*arguments: str) -> str:
        command = [sys.executable, "-m", "my_lab", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout

    scenario = ["examples/download.toml", "--set", "duration=2 s", "--set", "flow.0.tcp.congestion=mine"]
    said = json.loads(lab("run", *scenario, "-o", "out", "--json"))
    assert [one["congestion"] for one in said["flows"]] == ["mine"]
    assert "mine" in lab("check", *scenario, "--resolved")
