"""A fixture for other projects' tests, which pytest finds by its entry point: hosts over Wi-Fi."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airloom.emulation.background import Hosts

EXAMPLE = "download.toml"
"""What a test gets that names no scenario: a laptop and a server, over one access point."""


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known."""
    config.addinivalue_line(
        "markers", "wifi(scenario=None, set=None, seed=None, out=None): the scenario of the fixture `wifi`"
    )


@pytest.fixture
def wifi(request: pytest.FixtureRequest) -> Iterator[Hosts]:
    """Hosts over Wi-Fi, `laptop` and `server` unless the marker `wifi` names a scenario; needs Linux's namespaces.

    A test in which the machine did not keep time gets a warning: its figures are not to be believed.
    """
    # What no test uses should cost nothing.
    from airloom.emulation.background import shell
    from airloom.support.library import folder

    marker = request.node.get_closest_marker("wifi")
    given = dict(marker.kwargs) if marker else {}
    scenario = (marker.args[0] if marker and marker.args else given.pop("scenario", None)) or folder(
        "examples"
    ) / EXAMPLE
    with shell(Path(scenario), **given) as hosts:
        yield hosts
    if hosts.valid is False:
        warnings.warn(pytest.PytestWarning(f"wifi: timing {hosts.timing}"), stacklevel=1)
