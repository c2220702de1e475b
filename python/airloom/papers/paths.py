"""Where the papers lie and where their runs are kept."""

import os
from pathlib import Path

from airloom.errors import PaperError
from airloom.support import library


def papers() -> Path:
    """The folder of the papers: `AIRLOOM_PAPERS`, or the one that comes with this package."""
    named = os.environ.get("AIRLOOM_PAPERS")
    folder = Path(named) if named else library.folder("papers")
    if not folder.is_dir():
        raise PaperError(f"no papers in {folder}; set AIRLOOM_PAPERS to the folder that holds them")
    return folder


def cache() -> Path:
    """Where runs are kept so that they need not be made twice: `AIRLOOM_OUT`, or `out` in the current folder."""
    return Path(os.environ.get("AIRLOOM_OUT") or "out")
