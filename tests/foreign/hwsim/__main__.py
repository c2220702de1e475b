"""`python -m foreign.hwsim ARCHIVE`: keeps the captures that the test bed's machine left."""

from __future__ import annotations

import gzip
import sys
import tarfile
from pathlib import Path

from foreign.worlds import table

from .worlds import HERE, WORLDS


def main() -> None:
    """Keeps the captures of all worlds, and prints the table."""
    with tarfile.open(Path(sys.argv[1]), "r|gz") as archive:
        for member in archive:
            capture = archive.extractfile(member)
            if capture is not None:
                file = HERE / f"{Path(member.name).name}.gz"
                file.write_bytes(gzip.compress(capture.read(), 9, mtime=0))
    sys.stdout.write(table(WORLDS))


if __name__ == "__main__":
    main()
