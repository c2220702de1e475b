"""Where the papers lie and where their runs are kept."""

import os
from pathlib import Path

from airloom.errors import PaperError


def papers() -> Path:
    """The folder of the papers: `AIRLOOM_PAPERS`, or the one in the checkout that this package was installed from."""
    named = os.environ.get("AIRLOOM_PAPERS")
    candidates = [Path(named)] if named else [checkout() / "papers", Path.cwd() / "papers"]
    for folder in candidates:
        if folder.is_dir():
            return folder
    looked = ", ".join(str(folder) for folder in candidates)
    raise PaperError(f"no papers here (looked at {looked}); set AIRLOOM_PAPERS to the folder that holds them")


def cache() -> Path:
    """Where runs are kept so that they need not be made twice: `AIRLOOM_OUT`, or `out` beside the papers."""
    named = os.environ.get("AIRLOOM_OUT")
    return Path(named) if named else papers().parent / "out"


def checkout() -> Path:
    """The root of the source tree, if this is an editable installation."""
    return Path(__file__).resolve().parents[3]
