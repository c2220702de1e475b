"""Programs of the distribution that tests look at our results with."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def need(*names: str) -> str:
    """Where the first of these programs is that there is.

    A test that needs it is skipped without it, but fails in CI, where `make test` has installed it.
    """
    path = next((path for name in names if (path := shutil.which(name))), None)
    return path if path is not None else lack(f"no {names[0]} here")


def lack(message: str) -> NoReturn:
    """Skips a test for what it lacks, but fails it in CI."""
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)
