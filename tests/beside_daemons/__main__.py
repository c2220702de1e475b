"""`python -m beside_daemons levels` writes the levels of the walks; with ARCHIVEs it keeps what the daemons did."""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from . import kept, streams
from .walks import LEVELS, text


def main() -> None:
    """Keeps one or the other."""
    if sys.argv[1:] == ["levels"]:
        LEVELS.write_text(text(), encoding="utf-8")
        return
    for path in sys.argv[1:]:
        keep(Path(path))


def keep(path: Path) -> None:
    """Keeps what a machine handed out: walks with datagrams, or with TCP connections."""
    with TemporaryDirectory() as name, tarfile.open(path, "r|gz") as archive:
        archive.extractall(name, filter="data")
        folder = Path(name)
        made_by = (folder / "made-by").read_text(encoding="utf-8").strip()
        if any(folder.glob("*.waits")):
            streams.TABLE.write_text(streams.written(made_by, streams.of_machine(folder)), encoding="utf-8")
        else:
            kept.TABLE.write_text(kept.written(made_by, kept.of_machine(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
