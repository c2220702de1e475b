"""`airloom collect`."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated

from airloom import _engine
from airloom.api.machine import on_linux
from airloom.cli.common import AsJson, Out, Whole
from airloom.cli.terminal import complain, print_json, say
from airloom.errors import MachineError
from airloom.results.by_suffix import refuse_file_name

LONGEST = 3600
"""Seconds that it may go on."""


def collect(
    *,
    out: Annotated[Path, Out] = Path("collected"),
    seconds: Annotated[int, Whole] = 60,
    interface: str | None = None,
    as_json: AsJson = False,
) -> None:
    """Record this machine's Wi-Fi for a minute: packets, events and TCP's own view, for `airloom diagnose`.

    Needs root, and tcpdump. Kept are the headers of packets, what monitor interfaces hear, the bus of a USB adapter if
    `usbmon` is loaded, what nl80211 announces, the links once a second, and the kernel's `tcp_info` of each connection
    ten times a second. Ctrl-C ends it early, and what was recorded stays; at a gigabyte of packets it ends by itself.

    Examples:
        # as root
        airloom collect -o out/stall
        airloom diagnose out/stall

    Args:
        out: A folder that is not there yet.
        seconds: For how long.
        interface: The Wi-Fi interface; without it, the one that is connected.
        as_json: Print what was recorded as JSON.
    """
    on_linux()
    if not 1 <= seconds <= LONGEST:
        raise MachineError(f"--seconds {seconds}: needs a number from 1 to {LONGEST}")
    refuse_file_name(out, "what is recorded", "`airloom diagnose FOLDER -o page.html` makes a page of it")
    began = partial(complain, f"recording for {seconds} s into {out}; Ctrl-C ends it")
    recorded, lines = _engine.collect(out, seconds, interface, began)
    if as_json:
        print_json("collect", json.loads(recorded))
        return
    say(*lines, f"next: airloom diagnose {out}")
