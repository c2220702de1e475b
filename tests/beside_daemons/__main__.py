"""`python -m beside_daemons levels` writes the levels of the walks, with an ARCHIVE it keeps what the daemons did."""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from .kept import TABLE, of_machine, written
from .walks import LEVELS, text


def main() -> None:
    """Keeps one or the other."""
    if sys.argv[1:] == ["levels"]:
        LEVELS.write_text(text(), encoding="utf-8")
        return
    with TemporaryDirectory() as folder, tarfile.open(Path(sys.argv[1]), "r|gz") as archive:
        archive.extractall(folder, filter="data")
        made_by = (Path(folder) / "made-by").read_text(encoding="utf-8").strip()
        TABLE.write_text(written(made_by, of_machine(Path(folder))), encoding="utf-8")


if __name__ == "__main__":
    main()
