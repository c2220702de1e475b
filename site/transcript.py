"""Pages show what commands print: writes the outputs anew, or finds those that are no longer true.

Two things in a page are done, in their order, in one folder for the page:

- a fenced block of `console`: lines that begin with `$ ` are commands (a backslash at the end continues one), the lines
  below each are what it prints;
- a fenced block of a language and a file's name, such as `toml first.toml`: the file is written, or added to with `>>`
  before its name.

The folder has links to examples, papers and tests of this tree, so that commands read as they do for users.
`make docs-numbers` writes every page; `python site/transcript.py PAGE...` writes some.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
SEEN = ("examples", "papers", "tests")

BLOCK = re.compile(r"^(?P<fence>`{3,})(?P<language>[^\n]*)\n(?P<body>(?:[^\n]*\n)*?)(?P=fence)$", re.MULTILINE)
"""A fenced block, of whatever language."""

FILE = re.compile(r"\w+ (?P<add>>>)?(?P<name>[\w.-]+)")
"""A language, and the file that a block is."""

PROMPT = "$ "

NOISE = 'Running as user "root"'
"""tshark's warning, which depends on whose shell it is."""


@dataclass(frozen=True)
class Folder:
    """Where the commands of one page run."""

    path: Path

    def run(self, command: str) -> str:
        """What a command prints, mistakes included; an exit code other than 0 is said in a last line.

        Args:
            command: A line for bash. `airloom` and `python` are those that run this program.
        """
        result = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],  # noqa: S607 - where the system has it
            cwd=self.path,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        ended = "" if result.returncode == 0 else f"[exit code {result.returncode}]\n"
        lines = [line.rstrip() for line in result.stdout.splitlines() if not line.startswith(NOISE)]
        return "".join(f"{line}\n" for line in "\n".join(lines).strip("\n").splitlines()) + ended

    def write(self, name: str, text: str, *, add: bool) -> None:
        """Writes a file that a page shows, or adds to it."""
        with (self.path / name).open("a" if add else "w", encoding="utf-8") as file:
            file.write(text)

    def environment(self) -> dict[str, str]:
        """One that prints the same everywhere. Runs of papers are kept where `airloom papers` keeps them."""
        search = os.pathsep.join((str(self.path / ".bin"), os.environ["PATH"]))
        fixed = {"PATH": search, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        return {"AIRLOOM_OUT": str(ROOT / "out"), **os.environ, **fixed}


def folder(path: Path) -> Folder:
    """Makes the folder of a page."""
    for name in SEEN:
        (path / name).symlink_to(ROOT / name)
    programs = path / ".bin"
    programs.mkdir()
    for name, start in (("airloom", f'"{sys.executable}" -P -m airloom'), ("python", f'"{sys.executable}"')):
        (programs / name).write_text(f'#!/bin/sh\nexec {start} "$@"\n', encoding="utf-8")
        (programs / name).chmod(0o755)
    return Folder(path)


def renewed(text: str, where: Folder) -> str:
    """The text of a page with what its commands print now."""

    def replaced(block: re.Match[str]) -> str:
        if block["language"] != "console":
            if file := FILE.fullmatch(block["language"]):
                where.write(file["name"], block["body"], add=bool(file["add"]))
            return block[0]
        body = "".join(f"{PROMPT}{command}\n{where.run(command)}" for command in commands(block["body"]))
        return f"{block['fence']}console\n{body}{block['fence']}"

    return BLOCK.sub(replaced, text)


def commands(body: str) -> Iterator[str]:
    """The commands of a block, each with its continued lines."""
    lines = iter(body.splitlines())
    for line in lines:
        if line.startswith(PROMPT):
            command = line.removeprefix(PROMPT)
            while command.endswith("\\"):
                command += f"\n{next(lines)}"
            yield command


def programs(text: str) -> set[str]:
    """The first words of a page's commands and of what they are piped to; empty if it has none."""
    blocks = (block["body"] for block in BLOCK.finditer(text) if block["language"] == "console")
    lines = [line for body in blocks for line in commands(body)]
    return {word for line in lines for word in re.findall(r"(?:^|[|;&]\s*)([\w.-]+)", line)}


def pages() -> list[Path]:
    """The pages that show what commands print."""
    found = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("papers/*/README.md")]
    return sorted(page for page in found if programs(page.read_text(encoding="utf-8")))


def main() -> None:
    """Writes the pages that are named, or all."""
    for page in [Path(name) for name in sys.argv[1:]] or pages():
        with tempfile.TemporaryDirectory() as place:
            before = page.read_text(encoding="utf-8")
            after = renewed(before, folder(Path(place)))
        page.write_text(after, encoding="utf-8")
        sys.stdout.write(f"{page}: {'as it was' if after == before else 'written'}\n")


if __name__ == "__main__":
    main()
