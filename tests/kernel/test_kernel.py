"""The same bottleneck carried by this machine's kernel and by ours.

Needs root and Linux namespaces. Where they are not to be had it says so in a line; in CI, as root, it must run.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from . import cells
from .bottleneck import Bottleneck, connect, measure

pytestmark = pytest.mark.kernel

ODD = 1
"""Cells that may not agree, of six."""


@pytest.fixture(scope="module", autouse=True)
def _possible() -> None:
    if os.geteuid() != 0:
        pytest.skip("no kernel beside us: that takes root")
    try:
        with ExitStack() as stack:
            connect(stack, cells.BOTTLENECKS[0], "t")
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no kernel beside us: {error}")


def devices() -> list[str]:
    return [device.name for device in Path("/sys/class/net").glob(f"air{os.getpid()}*")]


def test_nothing_is_left_behind() -> None:
    slow = Bottleneck(mbps=10, queue=50, delay_ms=1)
    seen = measure(slow, "cubic", 0.5, "l")
    assert seen["bytes"] > 0
    with ExitStack() as stack:
        sender, *_ = connect(stack, slow, "x")
    assert sender.process.poll() is not None
    assert devices() == []


def test_our_tcp_does_as_the_kernel_does() -> None:
    if not cells.possible():
        pytest.skip(
            f"{cells.TRIALS} times in {cells.TRIAL:.0f} s this machine could not keep a wire's time: not measured"
        )
    found = list(cells.all_cells())
    report = f"Linux {platform.release()}, {cells.SECONDS:.0f} s each\n\n{cells.table(found)}"
    sys.stdout.write(f"\n{report}\n")
    measured = [cell for cell in found if cell.steady]
    if not measured:
        pytest.skip(f"this machine cannot keep a wire's time: nothing was measured\n{report}")
    assert sum(not cell.agrees for cell in measured) <= ODD, report
