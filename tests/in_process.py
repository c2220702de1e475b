"""The command line without a process of its own, for what it says: Python takes a third of a second to begin one."""

from __future__ import annotations

import io
import subprocess
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from airloom.cli.app import code


def airloom(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end, as `python -m airloom` does but for what is of a process."""
    words = list(map(str, arguments))
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err), chdir(cwd or Path.cwd()):
        try:
            result = code(words)
        except SystemExit as exit:
            result = int(exit.code or 0)
    return subprocess.CompletedProcess(words, result, said(out), said(err))


def said(stream: io.TextIOWrapper) -> str:
    """What was printed to a stream."""
    stream.seek(0)
    return stream.read()
