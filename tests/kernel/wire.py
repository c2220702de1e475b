"""A wire with a propagation time: carries packets between two tunnel devices, each of them a fixed time late.

Run as a module: `kernel.wire DELAY_MS DEVICE DEVICE`. It says `ready` once both devices are there to be moved into
their namespaces, ends when its standard input does, and then says how late it was itself, as JSON.
"""

from __future__ import annotations

import fcntl
import gc
import json
import os
import select
import struct
import sys
import time
from collections import deque

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
MOST = 65536


def prefer(priority: int) -> None:
    """Asks to run before everything else, as a wire does; does without where that is not allowed."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    except OSError:
        return


def tunnel(name: str) -> int:
    """A new tunnel device; it goes when its descriptor is closed."""
    fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return fd


def carry(ends: tuple[int, int], delay: float) -> dict[str, float]:
    """Carries packets until standard input ends."""
    way = {ends[0]: ends[1], ends[1]: ends[0]}
    under_way: deque[tuple[float, int, bytes]] = deque()
    watched = [0, *ends]
    packets, late, worst = 0, 0, 0.0
    while True:
        now = time.monotonic()
        while under_way and under_way[0][0] <= now:
            due, to, packet = under_way.popleft()
            try:
                os.write(to, packet)
            except OSError:
                # The far end is not up, or is gone.
                continue
            packets += 1
            lateness = now - due
            late += lateness > 0.001
            worst = max(worst, lateness)
            now = time.monotonic()
        wait = max(0.0, under_way[0][0] - now) if under_way else None
        readable = select.select(watched, [], [], wait)[0]
        for fd in readable:
            if fd == 0:
                return {"packets": packets, "late": late, "worst_ms": 1e3 * worst}
            try:
                while True:
                    packet = os.read(fd, MOST)
                    under_way.append((time.monotonic() + delay, way[fd], packet))
            except OSError:
                # Nothing more to read, or the device is not up.
                continue


def main(delay_ms: str, *names: str) -> None:
    gc.disable()
    ends = (tunnel(names[0]), tunnel(names[1]))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    prefer(50)
    sys.stdout.write(json.dumps(carry(ends, float(delay_ms) * 1e-3)) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
