"""Measure how fast the scan paper's upload runs, and write it into docs/performance.md.

It runs with small queues and without, five times and once. Run it from anywhere: `python3 benches/alone.py`; it builds
the engine for speed.
"""

import subprocess

from instructions import HERE, build
from page import write

TIMES = 5


def run(program: str, scenario: str) -> list[str]:
    """Run a scenario and return what it says of its speed, and of its segments and memory."""
    command = [program, f"papers/scan/{scenario}.toml"]
    return subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=True).stdout.splitlines()[:2]


def main() -> None:
    """Run both and write what they say."""
    program = build("dist")
    held_back = [run(program, "upload-tsq") for _ in range(TIMES)]
    lines = [
        *(speed for speed, _ in held_back),
        held_back[-1][1],
        "",
        "without small queues:",
        *run(program, "upload-no-tsq"),
    ]
    write("alone", "\n".join(["```", *lines, "```"]))


if __name__ == "__main__":
    main()
