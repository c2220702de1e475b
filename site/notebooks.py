"""Executes the notebooks and makes pages of them: what they show is what they printed just now."""

from __future__ import annotations

import sys
import tempfile
from typing import TYPE_CHECKING, Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CELL_WITHIN_S = 120
"""Seconds that a cell may take."""

PRIVATE = Config({"ConnectionFileMixin": {"transport": "ipc"}})
"""The kernel listens on a socket of this user's, not on a port of the machine's."""

DRAWN = "import altair; altair.renderers.enable('svg')"
"""Charts as pictures, not as scripts that come from elsewhere."""


def executed(notebook: Path, folder: Path) -> list[Any]:
    """The cells of a notebook with what they print.

    Args:
        notebook: The notebook, which is not changed.
        folder: Where it runs: relative names of scenarios are looked for there.

    Raises:
        CellExecutionError: A cell failed.
    """
    read = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
    read.cells.insert(0, nbformat.v4.new_code_cell(DRAWN))  # type: ignore[no-untyped-call]
    where = {"metadata": {"path": str(folder)}}
    # What cells print comes as messages. What the kernel's process writes itself tells why it failed; where it
    # did not, it is that ipykernel 7 now and then finds its sockets closed as it ends.
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as written:
        try:
            NotebookClient(read, timeout=CELL_WITHIN_S, resources=where, config=PRIVATE).execute(stderr=written)
        except Exception:
            written.seek(0)
            sys.stderr.write(written.read())
            raise
    return list(read.cells[1:])


def page(cells: list[Any], source: str) -> str:
    """The cells as a page; `source` is the notebook's file name, to which it leads."""
    lines = [line for cell in cells for line in (prose(cell) if cell.cell_type == "markdown" else code(cell))]
    return "\n".join([*lines, f"The notebook: [{source}]({source}).", ""])


def prose(cell: Any) -> Iterator[str]:
    """A cell of text."""
    yield from (cell.source, "")


def code(cell: Any) -> Iterator[str]:
    """A cell of code, and what it shows."""
    yield from ("```python", cell.source, "```", "")
    for output in cell.outputs:
        data = output.get("data", {})
        if markup := data.get("image/svg+xml") or data.get("text/html"):
            yield from ("```{raw} html", '<div class="output">', markup, "</div>", "```", "")
        else:
            yield from ("```text", (output.get("text") or data.get("text/plain", "")).rstrip("\n"), "```", "")
