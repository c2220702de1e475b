"""Measure anew what one saturated station has in ns-3: ns3/ceilings.json, of which docs/airtime.md has a column.

Part of `make bench`; two minutes of one core. Each row of the file is one run of ns3/ceiling.cc.
"""

import json
import subprocess
import sys

from beside import compiled
from instructions import HERE

FILE = HERE / "ns3" / "ceilings.json"


def measured(program: str, row: dict[str, str | int | float]) -> dict[str, str | int | float]:
    """Return a row with what ns-3 has now."""
    options = [f"--standard={row['standard']}", f"--width={row['width']}", f"--count={row['mpdus']}"]
    ran = subprocess.run([program, *options], check=True, capture_output=True, text=True)
    return {**row, "mbps": float(ran.stdout)}


def main() -> None:
    """Measure each row and write the file."""
    program = compiled(HERE / "ns3" / "ceiling.cc")
    rows = [json.dumps(measured(program, row)) for row in json.loads(FILE.read_text(encoding="utf-8"))]
    FILE.write_text("[\n  " + ",\n  ".join(rows) + "\n]\n", encoding="utf-8")
    sys.stdout.write(f"{FILE.relative_to(HERE.parent)} written; `make docs-numbers` has it in docs/airtime.md\n")


if __name__ == "__main__":
    main()
