"""An environment with airloom and what it depends on, and nothing else: as a user has it after `pip install`."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINNED = ROOT / "python" / "requirements" / "package.txt"


@dataclass(frozen=True)
class Clean:
    """The environment, with folders of its own for what a program may want to write.

    Attributes:
        folder: What it lies in.
    """

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "venv" / "bin" / "python"

    @property
    def packages(self) -> Path:
        """Where its packages are."""
        (found,) = (self.folder / "venv" / "lib").glob("python*/site-packages")
        return found

    @property
    def work(self) -> Path:
        """The folder in which commands run: empty at first."""
        return self.folder / "work"

    @property
    def elsewhere(self) -> list[Path]:
        """The other folders that a program might write to."""
        return [self.folder / "home", self.folder / "tmp"]

    def pip(self, *arguments: str | Path) -> None:
        """Installs or removes packages."""
        subprocess.run([self.python, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments], check=True)

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Runs `airloom`, or an interpreter with `-c`, in the working folder."""
        program = self.python if words[0] == "-c" else self.python.with_name("airloom")
        home, temporary = self.elsewhere
        settings = {"HOME": str(home), "TMPDIR": str(temporary), "PATH": os.environ["PATH"], "COLUMNS": "100"}
        return subprocess.run(
            [program, *words], cwd=self.work, env=settings, capture_output=True, text=True, check=False
        )

    def timed(self, *words: str | Path) -> tuple[float, float, str]:
        """Seconds of a clock and of processors that a command takes, and what it prints."""
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = self.run(*words)
        seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout

    def megabytes(self) -> float:
        """What the packages take on disk, in MB, without pip and setuptools, which are of the environment."""
        files = (file for file in self.packages.rglob("*") if file.is_file())
        others = re.compile(r"(pip|setuptools|pkg_resources|_distutils_hack|distutils-precedence)\b")
        return sum(f.stat().st_size for f in files if not others.match(str(f.relative_to(self.packages)))) / 1e6


def make(folder: Path) -> Clean:
    """An environment with the pinned dependencies, but without airloom."""
    clean = Clean(folder)
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    for each in (clean.work, *clean.elsewhere):
        each.mkdir()
    clean.pip("install", "--require-hashes", "--only-binary", ":all:", "--requirement", PINNED)
    return clean


def built(folder: Path) -> tuple[Path, Path]:
    """The wheel and the source distribution, built into a folder as `make wheel` does."""
    prefix = Path(sys.prefix)
    settled = [f"--old-file={prefix / '.dependencies'}", f"VENV={prefix}", f"DIST={folder}"]
    make = shutil.which("make") or "make"
    subprocess.run([make, "--silent", "wheel", *settled], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def install(clean: Clean, wheel: Path) -> None:
    """Installs airloom itself; what it depends on is there."""
    clean.pip("install", "--no-index", "--no-deps", "--force-reinstall", wheel)
