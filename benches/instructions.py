"""Count the instructions that a simulated TCP segment or frame costs, and fail if they have grown by over a fiftieth.

Run it from anywhere: `python3 benches/instructions.py`. It builds the engine as a checkout does and runs a few
scenarios under valgrind, which counts the same however busy the machine is. The numbers to hold are in
instructions.toml; a change that makes the engine faster, or slower for a good reason, records the new ones there.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

TOLERANCE = 0.02
HERE = Path(__file__).resolve().parent


def tool(name: str) -> str:
    """Return where a program is, or end: clearly failed on CI, with a word about the skipped check elsewhere."""
    if path := shutil.which(name):
        return path
    if os.environ.get("CI") == "true":
        sys.exit(f"instructions: {name} is missing; install it (apt-get install {name})")
    sys.stdout.write(f"instructions: not counted, for {name} is missing\n")
    sys.exit(0)


def build(profile: str) -> str:
    """Build the engine with a profile of Cargo.toml and return the path of the program that runs a scenario."""
    # With the features that the engine of the package has, so that what is compiled for one serves the other.
    packages = ["--package", "airloom-python", "--package", "airloom-lab"]
    command = ["build", "--profile", profile, "--locked", *packages, "--bin", "speed"]
    done = subprocess.run(
        [tool("cargo"), *command, "--message-format=json-render-diagnostics", "--quiet"],
        cwd=HERE.parent,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit("instructions: the engine does not build")
    messages = (json.loads(line) for line in done.stdout.splitlines())
    executable: str = next(m["executable"] for m in messages if m.get("executable"))
    return executable


def number(pattern: str, text: str) -> int:
    """Return the number that `pattern` finds in the output."""
    found = re.search(pattern, text)
    if not found:
        sys.exit(f"instructions: no {pattern!r} in the output:\n{text}")
    return int(found[1].replace(",", ""))


def count(program: str, gate: dict[str, Any]) -> tuple[int, int]:
    """Run the scenario under valgrind and return its instructions and how many of its unit it simulated."""
    run = [program, gate["scenario"], *gate["overrides"]]
    command = [tool("valgrind"), "--tool=callgrind", "--callgrind-out-file=/dev/null", *run]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | ({"BUNDLE": f"{folder}/run"} if gate.get("bundle") else {})
        done = subprocess.run(command, cwd=HERE.parent, env=environment, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    if done.returncode:
        sys.exit(f"instructions: the run failed:\n{output}")
    return number(r"Collected : (\d+)", output), number(rf"(\d+) {gate['per']}s", output)


def main() -> None:
    """Hold the counts against the recorded ones."""
    recorded = tomllib.loads((HERE / "instructions.toml").read_text())
    tool("valgrind")
    program = build("release")
    grown = False
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = list(pool.map(partial(count, program), recorded["gate"]))
    for gate, (instructions, units) in zip(recorded["gate"], counts, strict=True):
        limit, unit = gate["instructions"], gate["per"]
        now = instructions / units
        cost = f"{now:.0f} per {unit} of {gate['what']} ({instructions / 1e6:.0f} M for {units})"
        fallen = now < limit * (1 - TOLERANCE)
        grown |= now > limit * (1 + TOLERANCE)
        sys.stdout.write(f"instructions: {cost}, recorded are {limit}{', so record it' if fallen else ''}\n")
    if grown:
        rustc = subprocess.run([tool("rustc"), "--version"], capture_output=True, text=True, check=True).stdout.strip()
        sys.exit(f"instructions: recorded with rustc {recorded['rustc']}; this is {rustc}. Find out why, or record it.")


if __name__ == "__main__":
    main()
