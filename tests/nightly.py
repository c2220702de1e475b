"""Runs what `make test` has no time for, part by part, and keeps in docs/nightly.md when each last passed.

`make nightly` runs all parts, `make nightly PART="pages kernel"` some of them. The page is for a commit of its own.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "nightly.md"
PYTEST = (sys.executable, "-m", "pytest", "-n2", "--dist=loadfile", "--durations=25", "-m", "nightly")
SETS = "SETS=attacked+soak+transfer days+requests+doctor"
AS_HANDED_OUT = ("CARGO_PROFILE_GUARD_LTO=fat", "CARGO_PROFILE_GUARD_CODEGEN_UNITS=1")
"""Packages of the daemons, which `make test-linux` does not optimise across crates."""


@dataclass(frozen=True)
class Part:
    """Checks that run by themselves."""

    what: str
    command: tuple[str, ...]


OWN = {
    "pages": Part(
        "the scores of all papers, pages whose commands take long, and the site",
        (*PYTEST, "tests/test_pages.py", "tests/test_site.py"),
    ),
    "against": Part("worlds that differ in one thing or in none, compared", (*PYTEST, "tests/test_against.py")),
    "kernel": Part("our TCP beside more cells of a kernel's", (*PYTEST, "tests/kernel")),
    "package": Part("the wheel and the source distribution, built and used", (*PYTEST, "tests/test_installed.py")),
}
"""Tests by themselves."""

PARTS = {
    **OWN,
    "others": Part(
        "what `make test` has a sample of",
        (*PYTEST, "tests", *(f"--ignore={test}" for part in OWN.values() for test in part.command[len(PYTEST) :])),
    ),
    "properties": Part(
        "the tests of the crates with every case, properties of cases drawn anew",
        ("make", "rust-test", f"PROPTEST_RNG_SEED={time.time_ns()}", "PROPTEST_CASES=256", "EVERY_CASE=1"),
    ),
    "worlds": Part("every law in two thousand random worlds of each kind", ("make", "worlds")),
    "machines": Part(
        "guard and doctor against the daemons of this machine's Debian", ("make", "test-linux", SETS, *AS_HANDED_OUT)
    ),
    "current": Part(
        "the guard, with iwd too, against the daemons of the current stable Debian", ("make", "test-linux-current")
    ),
    "rate": Part("airloom-rate on a kernel", ("make", "test-rate")),
    "patches": Part("the patches of kernel/ on a kernel", ("make", "test-kernel")),
    "playground": Part("the playground, built, and beside the wheel", ("make", "test-playground")),
    "release": Part("what a release has, built, and tried in new Debians", ("make", "release", "tried")),
    "fuzz": Part("five minutes of each fuzz target", ("make", "fuzz", "SECONDS=300")),
}


@dataclass(frozen=True)
class Outcome:
    """What became of a part."""

    passed: bool
    commit: str
    minutes: float
    core_minutes: float

    def cells(self) -> str:
        """The cells of its row, after the part's name and what it is."""
        day = datetime.now(UTC).date().isoformat()
        word = "passed" if self.passed else "failed"
        return f"{word} | {day} | {self.commit} | {self.minutes:.0f} | {self.core_minutes:.0f}"


def main(names: list[str]) -> int:
    """Runs the parts that are named, or all; returns the exit code."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.stderr.write(f"there is no part {unknown[0]}: {', '.join(PARTS)}\n")
        return 2
    failed = []
    for name in names or PARTS:
        outcome = run(PARTS[name])
        record(name, outcome)
        sys.stdout.write(f"{name}: {outcome.cells()}\n")
        if not outcome.passed:
            failed.append(name)
    if failed:
        sys.stdout.write(f"failed: {', '.join(failed)}\n")
    return 1 if failed else 0


def run(part: Part) -> Outcome:
    """Runs a part in this tree."""
    commit = of_this_tree()
    began, worked = time.monotonic(), processor_time()
    passed = subprocess.run(part.command, cwd=ROOT, check=False).returncode == 0
    return Outcome(passed, commit, (time.monotonic() - began) / 60, (processor_time() - worked) / 60)


def processor_time() -> float:
    """Seconds of processor time of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_this_tree() -> str:
    """The commit that is checked out, and whether files differ from it, but for the page."""

    def git(*arguments: str) -> str:
        return subprocess.run(("git", *arguments), cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!docs/nightly.md")
    return git("rev-parse", "--short=8", "HEAD") + (" and changes" if changed else "")


def record(name: str, outcome: Outcome) -> None:
    """Writes a part's row anew. A part that fails keeps when it last passed, in the row's last cell."""
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), name, outcome), encoding="utf-8")


def renewed(page: str, name: str, outcome: Outcome) -> str:
    """The page with a part's new row."""
    old = re.search(rf"^\| `{name}` \|(?P<cells>.*)\|$", page, re.MULTILINE)
    if old is None:
        raise ValueError(f"docs/nightly.md has no row for {name}")
    *_, word, day, commit, _minutes, _core_minutes, before = (cell.strip() for cell in old["cells"].split("|"))
    last = f"{day}, {commit}" if word == "passed" else before
    row = f"| `{name}` | {PARTS[name].what} | {outcome.cells()} | {'' if outcome.passed else last} |"
    return page.replace(old[0], row.replace("|  |", "| |"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
