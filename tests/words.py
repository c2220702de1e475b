"""Finds words that a reader has to read twice, and says which are better: `make lint` runs it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

OLD = {
    "whom": "which, or the thing's name",
    "whoever": "the thing's name",
    "himself": "itself, or the thing's name",
    "of late": "recently, or the window of time",
    "for ever": "without end",
    "in vain": "without success",
    "befalls?": "happens to",
    "henceforth": "from then on",
}
"""Words of old books, and what to write."""

VAGUE = "FEW|MUCH|MANY|SOME|LITTLE|ENOUGH|HARDLY|AROUND|LOOK|PATIENCE|OFTEN|SELDOM|SOON"
"""Names of constants that do not say what they bound: `MIN_MPDUS`, `REPORTED_PCT`, `ANSWERED_WITHIN` do."""

CONSTANT = re.compile(rf"\bconst ({VAGUE}): |^(?:\w+, )*({VAGUE})(?:, \w+)*(?:: .+)? = ")
"""Such a constant of Rust, or of Python, several of which may stand in one line."""

UNCLEAR = "Told|Row|Kind|Common|Fast|Terms|Thing|Function|Notice|Null|Main"
"""Names of types that do not say what they are of: `SeriesRow`, `ColumnKind` do."""

TYPE = re.compile(rf"^\s*(?:pub(?:\(\w+\))? )?(?:struct|enum|trait|class) ({UNCLEAR})\b")

LEFT = ("CHANGELOG.md", "LICENSE", "tests/words.py", "papers/usb/", "testbed/kernel/")
"""What has these words of others or of earlier days, and what measurements are kept of by its hash."""


def faults(name: str, text: str) -> list[str]:
    """What is to be written otherwise in a file, each with its line."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        found += [f"{name}:{number}: `{word}`: {better}" for word, better in OLD.items() if has(word, line)]
        if constant := CONSTANT.search(line):
            found.append(f"{name}:{number}: `{constant[1] or constant[2]}`: name a constant after what it bounds")
        if kind := TYPE.search(line):
            found.append(f"{name}:{number}: `{kind[1]}`: name a type after what it is of")
    return found


def has(word: str, line: str) -> bool:
    """Whether a line has a word, in capitals or not."""
    return re.search(rf"\b{word}\b", line, re.IGNORECASE) is not None


def main() -> int:
    """Looks through all texts of ours; returns the exit code."""
    listed = subprocess.run(
        ("git", "ls-files", "*.rs", "*.py", "*.md", "*.c", "*.sh"), cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = [name for name in listed.stdout.splitlines() if not name.startswith(LEFT) and (ROOT / name).is_file()]
    found = [fault for name in names for fault in faults(name, (ROOT / name).read_text(encoding="utf-8"))]
    sys.stdout.writelines(f"{fault}\n" for fault in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
