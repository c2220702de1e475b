"""The rules of `airloom diagnose` as Markdown, from their own texts: what docs/diagnose.md shows of them."""

from __future__ import annotations

import sys

from airloom.diagnosis.reading import rules


def main() -> None:
    """Prints a table of all rules, then a section for each."""
    lines = ["", "| code | finds | needs |", "| --- | --- | --- |"]
    lines += [f"| {rule['code']} | {rule['name']} | {rule['needs']} |" for rule in rules()]
    for rule in rules():
        lines += ["", f"**{rule['code']} {rule['name']}.** {rule['computes']}", ""]
        lines += [f"Not taken for it: {rule['traps']} Wrong if: {rule['refuted_by']}"]
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
