#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Judges what a machine has measured, `judge.py MEASURED`: what has to hold, and how far it is from measured.jsonl.

The same modules, kernel and command line give the same numbers to the last digit. A newer kernel, or modules that were
built in another folder, move the instants at which things begin.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).with_name("measured.jsonl")
GOODPUT_MAY_DIFFER, PING_MAY_DIFFER = 0.05, 0.25
"""From what is recorded, as shares."""
ERRORS = 4
"""Of the pings' difference: where a queue hangs on five losses in 30 s, each upload has a mean of its own."""
SLOW, TO_100_MBPS = 3, 7
"""The fastest MCS at which the ping has to be a third, and at which something is given up at all."""
ONE_SLOW_FRAME = 2
"""MPDUs for which a frame at a basic rate draws the average of 117 Mbit/s below 100: to 88, 95, and 101 again."""
TCP, ENCRYPTED_TOO = 1, 2
"""Modes."""


def key(one: dict[str, Any]) -> tuple[Any, ...]:
    """What was measured."""
    return one["mcs"], one["damaged"], one["sender"], one["encrypted"], one["mode"]


def read(file: Path) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The uploads of a file, by what was measured."""
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {key(one): one for one in found}


def ping(one: dict[str, Any]) -> float:
    """Its mean, in ms."""
    return float(one["ping_ms"][1])


def far(one: dict[str, Any], recorded: dict[str, Any]) -> bool:
    """Whether a mean ping is farther from what is recorded than a few uploads make it."""
    errors = ERRORS * math.hypot(one["ping_error_ms"], recorded["ping_error_ms"])
    return abs(ping(one) - ping(recorded)) > max(PING_MAY_DIFFER * ping(recorded), errors)


def goodput(one: dict[str, Any]) -> float:
    """In Mbit/s."""
    return float(one["flow"]["bytes"]) * 8e-6 / float(one["seconds"])


def faults(found: dict[tuple[Any, ...], dict[str, Any]]) -> list[str]:
    """What does not hold of these uploads."""
    wrong = []
    for (mcs, damaged, sender, encrypted, mode), one in found.items():
        acts = mode == ENCRYPTED_TOO if encrypted else mode == TCP and mcs <= TO_100_MBPS
        most = ONE_SLOW_FRAME if mcs > TO_100_MBPS else 0
        if (one["given_up"] > most) != acts:
            wrong.append(f"{one['given_up']} given up: {one}")
        off = found[mcs, damaged, sender, encrypted, 0]
        if acts and mcs <= SLOW and not ping(one) < ping(off) / 3:
            wrong.append(f"the ping is not a third of {ping(off)} ms: {one}")
        if acts and abs(one["flow"]["retransmissions"] - one["given_up"]) > 0.1 * one["given_up"]:
            wrong.append(f"TCP did not send again what was given up: {one}")
        if not goodput(one) > 0.9 * goodput(off):
            wrong.append(f"the goodput is below nine tenths of {goodput(off):.2f} Mbit/s: {one}")
    return wrong


def main() -> None:
    """Says what holds, and fails if something does not."""
    found, recorded = read(Path(sys.argv[1])), read(RECORDED)
    wrong = faults(found)
    if found.keys() != recorded.keys():
        wrong.append("not the uploads that are recorded")
    pairs = [(found[name], recorded[name]) for name in found.keys() & recorded.keys()]
    wrong += [f"the ping is far from the {ping(b)} ms that are recorded: {a}" for a, b in pairs if far(a, b)]
    differs = max(abs(goodput(a) / goodput(b) - 1) for a, b in pairs)
    if differs > GOODPUT_MAY_DIFFER:
        wrong.append(f"a goodput differs by {differs:.1%} from what is recorded")
    sys.stdout.writelines(f"FAIL {line}\n" for line in wrong)
    if wrong:
        sys.exit(1)
    pings = max(abs(ping(a) / ping(b) - 1) for a, b in pairs)
    differences = f"goodput within {differs:.1%}, ping within {pings:.1%}"
    sys.stdout.write(f"ok   {len(found)} cells measured; from what is recorded: {differences}\n")


if __name__ == "__main__":
    main()
