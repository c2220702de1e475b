"""airloom as it is installed, from the wheel and from the source distribution, and used outside the clone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

import clean_environment
from clean_environment import Clean
from conftest import ROOT

pytestmark = pytest.mark.nightly

MOST_MEGABYTES = 120
MOST_SECONDS = 20


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source distribution of this tree."""
    return clean_environment.built(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory, distributions: tuple[Path, Path]) -> Clean:
    """An environment with the wheel."""
    made = clean_environment.make(tmp_path_factory.mktemp("clean") / "environment")
    clean_environment.install(made, distributions[0])
    return made


def outside(clean: Clean) -> set[Path]:
    """The files that are not in the working folder; the interpreter's own caches do not count."""
    folders = [clean.packages, *clean.elsewhere]
    return {file for folder in folders for file in folder.rglob("*") if "__pycache__" not in file.parts}


def test_a_wheel_has_all_that_is_needed_and_names_no_place(distributions: tuple[Path, Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(distributions[0]) as wheel:
        names = wheel.namelist()
        wheel.extractall(tmp_path)  # noqa: S202 - it is ours
    for folder in ("papers", "examples"):
        ours = {file.relative_to(ROOT).as_posix() for file in (ROOT / folder).rglob("*") if file.is_file()}
        assert ours == {
            name.removeprefix("airloom/library/") for name in names if name.startswith(f"airloom/library/{folder}/")
        }
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("vega.LICENSES.txt") for name in names)
    cargo = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    for file in (file for file in tmp_path.rglob("*") if file.is_file()):
        content = file.read_bytes()
        assert not [place for place in (str(ROOT), cargo, sys.prefix) if f"{place}/".encode() in content], file


def test_the_metadata_say_what_it_is(clean: Clean) -> None:
    script = (
        "import importlib.metadata as m; d = m.metadata('airloom'); print(m.version('airloom')); print(d.as_string())"
    )
    version, _, text = clean.run("-c", script).stdout.partition("\n")
    assert clean.run("--version").stdout.startswith(version)
    for line in ("License-Expression: Apache-2.0", "Author: airloom maintainers", "Content-Type: text/markdown"):
        assert line in text
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert "A laboratory for TCP over Wi-Fi" in text.split("\n\n", 1)[1]


def test_it_is_small(clean: Clean) -> None:
    assert clean.megabytes() < MOST_MEGABYTES


def test_the_demo_shows_its_page_soon_in_an_empty_folder(clean: Clean) -> None:
    shutil.rmtree(clean.work)
    clean.work.mkdir()
    before = outside(clean)
    _, seconds, printed = clean.timed("demo")
    # Of processors, since others may want them too while tests run.
    assert seconds < MOST_SECONDS
    page = clean.work / printed.rstrip().rpartition(" ")[2]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert outside(clean) == before


COMMANDS = {
    "check examples/download.toml": "fine",
    "run examples/download.toml --set duration=1s -o out/run --report": "bundle: out/run",
    "run papers/usb/upload.toml --set duration=1s -o out/usb": "bundle: out/usb",
    "compare out/run out/usb": "Goodput",
    "sweep grid.toml -o out/sweep": "4 cells: 4 done",
    "papers list": "scan",
    "papers score pi": "1 of 4 claims hold",
    "profiles": "linux-6.18",
    "schema": "json-schema.org",
}
GRID = """scenario = "examples/download.toml"
seeds = 2
[axis]
duration = ["1 s", "2 s"]
"""


def test_what_comes_with_it_is_used_from_any_folder(clean: Clean) -> None:
    (clean.work / "grid.toml").write_text(GRID)
    before = outside(clean)
    for command, printed in COMMANDS.items():
        done = clean.run(*command.split())
        assert (done.returncode, done.stderr) == (0, ""), command
        assert printed in done.stdout, command
    script = (
        "from pathlib import Path; from airloom.sweep import plan; print(plan.read(Path('examples/buffer.toml')).size)"
    )
    assert clean.run("-c", script).stdout == "36\n"
    assert outside(clean) == before
    assert {entry.name for entry in clean.work.iterdir()} <= {"grid.toml", "out"}


def test_a_file_of_the_user_comes_before_one_of_the_package(clean: Clean) -> None:
    (clean.work / "examples").mkdir()
    (clean.work / "examples" / "download.toml").write_text("nonsense = 1\n")
    assert "nonsense" in clean.run("check", "examples/download.toml").stderr
    shutil.rmtree(clean.work / "examples")


def test_the_guard_is_explained_where_it_is_not_installed(clean: Clean, distributions: tuple[Path, Path]) -> None:
    done = clean.run("guard", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith((ROOT / "crates" / "linux" / "guard" / "src" / "help.txt").read_text())
    done = clean.run("guard", "watch")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    with tarfile.open(distributions[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "packaging/build.sh",
        "packaging/debian/rules",
        "crates/linux/guard/package/control",
        "crates/linux/guard/Cargo.toml",
        "crates/linux/guard/src/help.txt",
    } <= names


def test_what_an_extra_brings_is_asked_for_by_name(clean: Clean) -> None:
    done = clean.run("sweep", "grid.toml", "--dask", "tcp://127.0.0.1:1", "-o", "out/far")
    assert (done.returncode, done.stdout) == (2, "")
    assert "airloom[dask]" in done.stderr
    script = "import airloom; airloom.load('out/run').series.to_polars()"
    assert "pip install polars" in clean.run("-c", script).stderr


def test_the_source_distribution_compiles_to_the_same(clean: Clean, distributions: tuple[Path, Path]) -> None:
    # Always in one place, so that what cargo keeps of it stays small; not optimised, which is soon done.
    place = ROOT / "target" / "sdist"
    shutil.rmtree(place, ignore_errors=True)
    with tarfile.open(distributions[1]) as archive:
        members = archive.getmembers()
        for member in members:
            member.mtime = time.time()  # or cargo would take it for what it has compiled already
        archive.extractall(place, members=members, filter="data")
    assert distributions[1].stat().st_size < 3e6
    settings = {
        "CARGO_TARGET_DIR": str(ROOT / "target"),
        "CARGO_NET_OFFLINE": "true",
        "MATURIN_PEP517_ARGS": "--profile dev",
        "CARGO_PROFILE_DEV_OPT_LEVEL": "0",
        "CARGO_PROFILE_DEV_DEBUG": "false",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    wheels = clean.folder / "wheels"
    pip = [sys.executable, "-m", "pip", "--quiet", "wheel", "--no-build-isolation", "--no-deps", "--no-index"]
    (source,) = place.iterdir()
    subprocess.run(
        [*pip, "--wheel-dir", wheels, source],
        check=True,
        env=os.environ | settings,
    )
    (wheel,) = wheels.iterdir()
    with zipfile.ZipFile(wheel) as ours, zipfile.ZipFile(distributions[0]) as theirs:
        assert ours.namelist() == theirs.namelist()
    summary = clean.work / "out" / "run" / "summary.json"
    before = json.loads(summary.read_text())
    clean_environment.install(clean, wheel)
    done = clean.run(*["run", "examples/download.toml", "--set", "duration=1s", "-o", "out/run", "--force"])
    assert done.returncode == 0, done.stderr
    assert json.loads(summary.read_text()) == before


def test_the_crate_builds_a_program_without_the_tree(tmp_path: Path) -> None:
    """The program of docs/rust.md, from the packages of the crates and nothing else of ours."""
    packages = subprocess.run([ROOT / "packaging" / "crates.sh"], check=True, capture_output=True, text=True).stdout
    for package in packages.split():
        with tarfile.open(ROOT / package) as archive:
            archive.extractall(tmp_path / "crates", filter="data")
    crates = {re.sub(r"-[\d.]+$", "", folder.name): folder for folder in (tmp_path / "crates").iterdir()}
    (program,) = re.findall(r"```rust\n(.*?)```", (ROOT / "docs" / "rust.md").read_text(), re.DOTALL)
    patches = "".join(f'{name} = {{ path = "{folder}" }}\n' for name, folder in sorted(crates.items()))
    work = tmp_path / "program"
    (work / "src").mkdir(parents=True)
    (work / "Cargo.toml").write_text(
        '[package]\nname = "program"\nedition = "2024"\n\n[dependencies]\nairloom = "0.2"\n\n'
        f"[patch.crates-io]\n{patches}"
    )
    (work / "src" / "main.rs").write_text(program)
    shutil.copy(ROOT / "Cargo.lock", work)
    (work / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "download.toml", work / "examples")
    settings = os.environ | {"CARGO_TARGET_DIR": str(tmp_path / "target"), "CARGO_PROFILE_DEV_DEBUG": "false"}
    done = subprocess.run(
        ["cargo", "run", "--quiet"], cwd=work, env=settings, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "goodput" in done.stdout
