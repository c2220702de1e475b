"""What a new user waits for, in a clean environment: `make first-contact`.

Size on disk, the time of `airloom demo` in an empty folder, and the time of `import airloom`.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

import clean_environment

TIMES = 9
"""Imports, of which the median counts."""


def main() -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as folder:
        wheel, source = clean_environment.built(Path(folder) / "dist")
        clean = clean_environment.make(Path(folder) / "clean")
        clean_environment.install(clean, wheel)
        waited, worked, _ = clean.timed("demo")
        rows = [
            f"wheel                   {wheel.stat().st_size / 1e6:6.1f} MB",
            f"source distribution     {source.stat().st_size / 1e6:6.1f} MB",
            f"installed, all packages {clean.megabytes():6.1f} MB",
            f"airloom demo, the first {worked:6.1f} s of one core, {waited:.1f} s on this machine as busy as it is",
            f"import airloom, again   {statistics.median(importing(clean) for _ in range(TIMES)):6.3f} s",
        ]
    sys.stdout.write("\n".join(rows) + "\n")


def importing(clean: clean_environment.Clean) -> float:
    """Seconds of one import, without the start of the interpreter."""
    script = "import time; start = time.perf_counter(); import airloom; print(time.perf_counter() - start)"
    return float(clean.run("-c", script).stdout)


if __name__ == "__main__":
    main()
