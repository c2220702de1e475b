"""Draws the pictures of pages: `make pictures`.

A picture stands below a block of `console` and is drawn from its last command: what `airloom sweep show` tabulates,
`airloom plot` draws; a picture that the command itself has written is taken.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

import transcript

PICTURE = re.compile(r"```console\n(?P<body>(?:[^\n]*\n)*?)```\n\n!\[[^\]]*\]\((?P<file>img/[^)]+\.svg)\)")


def draw(page: Path) -> None:
    """Draws the pictures of a page, whose commands are run in their order."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as place:
        folder = transcript.folder(Path(place))
        transcript.renewed(text, folder)
        for picture in PICTURE.finditer(text):
            last = list(transcript.commands(picture["body"]))[-1]
            file = page.parent / picture["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            if last.startswith("airloom plot"):
                shutil.copy(folder.path / shlex.split(last)[-1], file)
            else:
                asked = last.replace("airloom sweep show", "airloom plot", 1)
                sys.stdout.write(folder.run(f"{asked} -o {shlex.quote(str(file))}"))


if __name__ == "__main__":
    for one in transcript.pages():
        if PICTURE.search(one.read_text(encoding="utf-8")):
            draw(one)
