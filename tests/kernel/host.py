"""An end of a connection: sends as fast as TCP takes it and looks at its socket, or receives.

Run as a module: `kernel.host receive PORT`, or `kernel.host send ADDRESS PORT CONTROL SECONDS`, which says what it saw,
as JSON.
"""

from __future__ import annotations

import gc
import json
import select
import socket
import struct
import sys
import time
from contextlib import suppress

from .wire import prefer

BETWEEN_SAMPLES = 0.002
CHUNK = bytes(1 << 16)
PATIENCE = 20.0
"""Seconds after which a receiver that was not stopped gives up."""
CWND_AT, RETRANSMISSIONS_AT, BYTES_ACKED_AT = 80, 100, 120
"""Where `struct tcp_info` (include/uapi/linux/tcp.h) has them."""


def receive(port: str) -> None:
    with socket.create_server(("", int(port))) as server:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        prefer(10)
        server.settimeout(PATIENCE)
        connection, _ = server.accept()
        with connection, suppress(OSError):
            connection.settimeout(PATIENCE)
            while connection.recv(1 << 18):
                pass


def send(address: str, port: str, control: str, seconds: str) -> None:
    gc.disable()
    prefer(10)
    with socket.socket() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, control.encode())
        begin = time.monotonic()
        end = begin + float(seconds)
        connection.connect((address, int(port)))
        connection.setblocking(False)
        cwnd: list[tuple[float, int]] = []
        info = b""
        now = time.monotonic()
        due = now
        while now < end:
            if select.select([], [connection], [], max(0.0, due - now))[1]:
                connection.send(CHUNK)
            now = time.monotonic()
            if now >= due:
                info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
                cwnd.append((now - begin, *struct.unpack_from("I", info, CWND_AT)))
                due = now + BETWEEN_SAMPLES
        # Nothing that waits is sent any more.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    seen = {
        "bytes": struct.unpack_from("Q", info, BYTES_ACKED_AT)[0],
        "retransmissions": struct.unpack_from("I", info, RETRANSMISSIONS_AT)[0],
        "cwnd": cwnd,
    }
    sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["receive", port]:
            receive(port)
        case ["send", address, port, control, seconds]:
            send(address, port, control, seconds)
