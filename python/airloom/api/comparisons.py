"""`airloom.compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.api.comparison import Comparison, RunOrFolder


def compare(*runs: RunOrFolder | Mapping[str, RunOrFolder]) -> Comparison:
    """Puts runs side by side: their figures, and what differs in their scenarios.

    >>> import airloom
    >>> runs = {
    ...     name: airloom.run("examples/download.toml", set={"duration": "2 s", "flow.0.tcp.congestion": name})
    ...     for name in ("cubic", "newreno")
    ... }
    >>> airloom.compare(runs).differences
    {'flow.download.tcp.congestion': ['cubic', 'newreno']}

    Args:
        runs: Two runs or more, or their folders; or one dict of them by the names that they are to have.

    Raises:
        BundleError: There is no such run, or one is damaged.
        RunError: There are less than two.
    """
    from airloom.api.comparison import Comparison

    return Comparison.of(*runs)
