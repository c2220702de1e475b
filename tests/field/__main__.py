"""`python -m field CAPTURES`: how often the findings in strangers' captures are right, by rule.

CAPTURES is a folder with their repositories, such as `CAPTURES/zeek/zeek/testing/...`. What is not there is counted.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from airloom.diagnosis.reading import diagnose

from .manifest import captures

if TYPE_CHECKING:
    from .manifest import Capture


def found(file: Path) -> set[str]:
    """The rules that find something in a capture."""
    return {finding["code"] for finding in diagnose([file])["findings"]}


def judged(capture: Capture, codes: set[str]) -> dict[str, str]:
    """What the frames say of each rule that found something: `unjudged` where nobody looked."""
    return {code: capture.verdicts.get(code, "unjudged") for code in sorted(codes)}


def there(folder: Path, capture: Capture) -> Path | None:
    """Where a capture lies, if it does: with the octets that were looked at."""
    file = folder / capture.repository / capture.path
    same = file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == capture.sha256
    return file if same else None


def table(counts: Counter[tuple[str, str]]) -> list[str]:
    """A line for each rule, the least precise first: what the frames decide neither way does not count."""

    def precision(code: str) -> float:
        decided = counts[code, "true"] + counts[code, "false"]
        return counts[code, "true"] / decided if decided else 1.0

    rows = ["rule  captures  true  refuted  open  precision"]
    for code in sorted({code for code, _ in counts}, key=lambda code: (precision(code), code)):
        right, wrong, open_ = (counts[code, verdict] for verdict in ("true", "false", "open"))
        share = f"{precision(code):.2f}" if right + wrong else ""
        rows.append(f"{code}  {right + wrong + open_:8}  {right:4}  {wrong:7}  {open_:4}  {share:>9}".rstrip())
    return rows


def main() -> int:
    """Diagnoses what is there and prints the table; says what is refuted or was not looked at, and fails then."""
    if len(sys.argv) != 2:
        sys.exit("make field CAPTURES=FOLDER, a folder with the repositories as OWNER/NAME")
    folder = Path(sys.argv[1])
    counts: Counter[tuple[str, str]] = Counter()
    there_are = nothing = 0
    wrong = False
    for capture in captures():
        file = there(folder, capture)
        if file is None:
            continue
        there_are += 1
        verdicts = judged(capture, found(file))
        nothing += not verdicts
        for code, verdict in verdicts.items():
            counts[code, verdict] += 1
            if verdict in ("false", "unjudged"):
                wrong = True
                sys.stderr.write(f"{verdict}: {code} in {capture.repository} {capture.path}\n")
    told = [f"{there_are} of {len(captures())} captures are there; nothing is found in {nothing}", *table(counts)]
    sys.stdout.writelines(f"{line}\n" for line in told)
    return int(wrong or not there_are)


if __name__ == "__main__":
    sys.exit(main())
