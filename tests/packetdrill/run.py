"""Run packetdrill's scripts on airloom's TCP: `make packetdrill SCRIPTS=DIR PACKETDRILL=TOOL JSON=FILE`.

Ends with 0 if no script failed, 1 if one did, 2 if there is nothing to run or to run it with.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from packetdrill.host import MissingError
from packetdrill.script import ready

ROOT = Path(__file__).resolve().parent.parent.parent
TOLERANCE = ("--tolerance_percent=0", "--tolerance_usecs=2000")
"""How far times may be off. They are virtual, so that a tick of 4 ms shows; kernels round to milliseconds."""

LIMIT = 60
"""Seconds of real time after which a script has failed."""


@dataclass(frozen=True)
class Outcome:
    """What became of a script: `passed`, `failed` with what differs, or `not applicable` with what is missing."""

    script: str
    outcome: str
    line: int | None = None
    reason: str | None = None


def stop(message: str) -> None:
    """End with a message: nothing was run."""
    sys.stderr.write(f"packetdrill: {message}\n")
    sys.exit(2)


def library() -> Path:
    """Build the library and return where it is."""
    # With the features that the workspace's tests have, so that what was compiled for them serves here.
    modules = ["--exclude", "airloom-python", "--exclude", "airloom-module"]
    command = ["cargo", "build", "--locked", "--quiet", "--workspace", *modules, "--lib"]
    done = subprocess.run(
        [*command, "--message-format=json-render-diagnostics"], cwd=ROOT, stdout=subprocess.PIPE, check=False
    )
    if done.returncode:
        stop("the library cannot be built")
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message.get("target", {}).get("name") == "airloom_packetdrill":
            return Path(next(name for name in message["filenames"] if name.endswith(".so")))
    message = "cargo names no library"
    raise RuntimeError(message)


def run(script: Path, base: Path, tool: str, so: Path) -> Outcome:
    """Run one script."""
    name = str(script.relative_to(base))
    with tempfile.TemporaryDirectory() as folder:
        copy, file = Path(folder) / script.name, Path(folder) / "settings"
        file.touch()
        try:
            copy.write_text(
                ready(script.read_text(encoding="utf-8", errors="replace"), script.parent, file), encoding="utf-8"
            )
        except MissingError as missing:
            return Outcome(name, "not applicable", reason=str(missing))
        command = [tool, *TOLERANCE, f"--so_filename={so}", f"--so_flags={file}", str(copy)]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env={**os.environ, "LD_PRELOAD": str(so)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Outcome(name, "failed", reason=f"not over after {LIMIT} s")
        if done.returncode == 0:
            return Outcome(name, "passed")
        return failed(name, str(copy), (done.stderr or done.stdout).decode(errors="replace"))


def failed(name: str, copy: str, said: str) -> Outcome:
    """The outcome of a script that packetdrill said so of: the line, and what differs there."""
    told = [line.strip() for line in said.splitlines() if line.strip()]
    place = next((found for line in told if (found := re.match(rf"{re.escape(copy)}:(\d+): (.*)", line))), None)
    if place is None:
        assertion = re.search(rf'File "{re.escape(copy)}", line (\d+)', said)
        return Outcome(name, "failed", int(assertion[1]) if assertion else None, told[-1] if told else "no message")
    details = [line for line in told if re.match(r"(script|actual) packet:|AssertionError\b", line)]
    return Outcome(name, "failed", int(place[1]), "; ".join([place[2].strip(), *details]))


def table(outcomes: list[Outcome]) -> str:
    """A line for each script, and how many there are of each outcome."""
    width = max(len(outcome.script) for outcome in outcomes)
    rows = []
    for outcome in outcomes:
        place = f"line {outcome.line}: " if outcome.line else ""
        why = f": {place}{outcome.reason}" if outcome.reason else ""
        rows.append(f"{outcome.script:{width}}  {outcome.outcome}{why}")
    counts = [f"{sum(o.outcome == kind for o in outcomes)} {kind}" for kind in ("passed", "failed", "not applicable")]
    return "\n".join([*rows, ", ".join(counts)])


def main(arguments: list[str] | None = None) -> int:
    """Run all scripts below a folder, and return the exit code."""
    parser = argparse.ArgumentParser(prog="packetdrill", description=__doc__)
    parser.add_argument("scripts", type=Path, help="the folder of the scripts (SCRIPTS=DIR)")
    parser.add_argument("--tool", default="packetdrill", help="packetdrill itself, or its name in PATH")
    parser.add_argument("--json", type=Path, help="write the outcomes there too (JSON=FILE)")
    parser.add_argument("--library", type=Path, help="the library, if it is built already")
    given = parser.parse_args(arguments)
    if not given.scripts.is_dir():
        stop(f"no folder {given.scripts}; name that of the scripts: make packetdrill SCRIPTS=DIR")
    tool = shutil.which(given.tool)
    if tool is None:
        stop(f"no program {given.tool}; build https://github.com/google/packetdrill and name it: PACKETDRILL=TOOL")
    scripts = sorted(given.scripts.rglob("*.pkt"))
    if not scripts:
        stop(f"no scripts (*.pkt) below {given.scripts}")
    if given.json and not given.json.resolve().parent.is_dir():
        stop(f"no folder {given.json.parent} for the outcomes; name a file in one that there is: JSON=FILE")
    if given.library and not given.library.is_file():
        stop(f"no library {given.library}; leave LIBRARY out to have it built")
    so = given.library or library()
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(
            pool.map(partial(run, base=given.scripts, tool=str(Path(tool).resolve()), so=so.resolve()), scripts)
        )
    sys.stdout.write(table(outcomes) + "\n")
    if given.json:
        given.json.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1) + "\n", encoding="utf-8")
    return int(any(outcome.outcome == "failed" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
