"""A sweep, by the command, over classes of a module that lies in the same folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-P", "-m", "airloom"]


def swept(folder: Path, module: str, scenario: str | Path, settings: str, axis: str) -> str:
    """Sweeps a scenario along an axis, both as a grid has them, and gives what is said; the results are in `sw`."""
    (folder / "mine.py").write_text(f"import airloom\n\n{module}")
    (folder / "base.toml").write_text(Path(scenario).read_text(encoding="utf-8"))
    (folder / "grid.toml").write_text(f'scenario = "base.toml"\nset = {settings}\nseeds = 1\n\n[axis]\n{axis}\n')
    words = [*COMMAND, "sweep", "grid.toml", "-o", "sw", "--with", "mine"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout
