"""One finding of each rule, in words: `python tests/findings.py >tests/findings.txt` writes them anew.

Each comes from a world of the self-test, or from packets that are written here where no world has the cause.
"""

from __future__ import annotations

import struct
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from airloom.diagnosis.corpus import worlds
from airloom.diagnosis.reading import diagnose, rules
from airloom.diagnosis.self_test import HOSTS_ALONE, MISSED, Trial, captured
from field.cut_off import cut_off
from field.pings import beacons, text
from field.standstill import closed, dead, hole
from foreign.worlds import HERE as FOREIGN

if TYPE_CHECKING:
    from collections.abc import Callable

WORLDS = {
    "W001": "upload, 802.11g",
    "W101": "a call, 802.11n at 20 MHz, scans",
    "W102": "pings, 802.11n at 20 MHz, power save",
    "W103": "a call, 802.11n at 20 MHz, roams",
    "W104": "a video, 802.11g, slow rate",
    "W105": "a video, 802.11g, weak signal",
    "W106": "upload, 802.11g, hidden station",
    "W107": "a video, 802.11g, interference",
    "W108": "upload, 802.11g, scans",
    "W201": "a video, 802.11g, five others",
    "W202": "upload, 802.11g, a slow station",
    "W203": "upload, 802.11g, protected",
    "W301": "download, 802.11n at 40 MHz, a long queue",
    "W302": "both ways, 802.11n at 20 MHz, a rate too fast",
    "W303": "upload, 802.11g, reordering",
    "W304": "both ways, 802.11n at 20 MHz, no aggregation",
    "W305": "upload, 802.11g, a slow bus",
    "W306": "upload, 802.11g, a lossy wire",
    "W401": "upload, 802.11g, a small window",
    "W402": "upload, 802.11g, little to send",
    "W403": "upload, 802.11g, a slow wire",
}

BY_OTHERS = {"W405": "sends-little.server.pcap.gz"}
"""Captures that ns-3 made of what no world of the self-test has."""

SYN, PSH, ACK = 2, 8, 16
RAW_IP = 101
PIECE = 100


def pieces(capture: Path) -> None:
    """Writes a capture at a sender of small pieces: each waits for the delayed acknowledgment of the one before."""
    packets = [(0.0, 0, SYN, 0), (0.010, 1, SYN | ACK, 0), (0.01001, 0, ACK, 0)]
    now = 0.0101
    for piece in range(20):
        packets.append((now, 0, PSH | ACK, PIECE))
        now += 0.010 if piece < 2 else 0.050
        packets.append((now, 1, ACK, 0))
        now += 0.0001
    sent = [0, 0]
    with capture.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, RAW_IP))
        for at, end, flags, payload in packets:
            ports = (40000, 80) if end == 0 else (80, 40000)
            tcp = struct.pack(">HHIIHHHH", *ports, sent[end], sent[1 - end], 5 << 12 | flags, 60000, 0, 0)
            octets = ip(end, tcp, payload)
            file.write(struct.pack("<IIII", int(at), round(at % 1 * 1e6), len(octets), len(octets)) + octets)
            sent[end] += payload + (flags & SYN) // SYN


BY_HAND: dict[str, Callable[[Path], object]] = {
    "W109": lambda capture: capture.write_text(text(beacons)),
    "W307": lambda capture: hole().write(capture),
    "W404": pieces,
    "W406": lambda capture: dead(6).write(capture),
    "W407": lambda capture: closed(8).write(capture),
    "W408": cut_off,
}
"""What writes the captures of what neither has."""


def ip(end: int, tcp: bytes, payload: int) -> bytes:
    """A packet from one of two ends to the other."""
    ends = [bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])]
    length = 20 + len(tcp) + payload
    head = struct.pack(">BBHHHBBH", 0x45, 0, length, 0, 0, 64, 6, 0) + ends[end] + ends[1 - end]
    total = sum(struct.unpack(">10H", head))
    total = (total & 0xFFFF) + (total >> 16)
    return head[:10] + struct.pack(">H", 0xFFFF - total) + head[12:] + tcp + bytes(payload)


def finding(code: str, folder: Path) -> str:
    """What a rule finds first in a world that has its cause."""
    if name := BY_OTHERS.get(code):
        captures = [FOREIGN / name]
    elif name := WORLDS.get(code):
        world = next(world for world in worlds() if world.name == name)
        _, captures = captured(Trial(world, 1, MISSED if code == "W001" else 0.0), folder / code)
        captures = captures[1:] if code in HOSTS_ALONE else captures
    else:
        captures = [folder / f"{code}.pcap"]
        BY_HAND[code](captures[0])
    found = next((one for one in diagnose(captures)["findings"] if one["code"] == code), None)
    if found is None:
        raise LookupError(f"{code} is not found in {', '.join(map(str, captures))}")
    subject, says = (found[key].replace(f"{folder / code}/", "") for key in ("subject", "says"))
    decided = f"{found['value']:.4g} against {found['threshold']:.4g} {found['unit']}"
    return f"{code} {found['name']}: {subject}\n{decided}\n{says}\n{found['filter']}\n"


def all_findings() -> str:
    """One of each rule."""
    with tempfile.TemporaryDirectory() as folder:
        return "\n".join(finding(rule["code"], Path(folder)) for rule in rules())


if __name__ == "__main__":
    sys.stdout.write(all_findings())
