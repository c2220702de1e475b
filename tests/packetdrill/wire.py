"""IPv4 packets with TCP segments, as octets."""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass

OPTIONS = {"eol": 0, "nop": 1, "mss": 2, "wscale": 3, "sackOK": 4, "sack": 5, "TS": 8}
NAMES = {kind: name for name, kind in OPTIONS.items()}


@dataclass(frozen=True)
class Segment:
    """A TCP segment on the wire; options as names with their numbers, a SACK's with left and right edges in turn."""

    source: tuple[str, int]
    destination: tuple[str, int]
    seq: int
    ack: int
    flags: int
    window: int
    length: int
    ecn: int = 0
    options: tuple[tuple[str, tuple[int, ...]], ...] = ()


def checksum(octets: bytes) -> int:
    """The Internet checksum (RFC 1071)."""
    octets += b"\0" * (len(octets) % 2)
    total: int = sum(struct.unpack(f"!{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def emit(segment: Segment) -> bytes:
    """The octets of a segment, its payload zeros."""
    options = b"".join(map(emit_option, segment.options))
    options += b"\0" * (-len(options) % 4)
    ends = socket.inet_aton(segment.source[0]) + socket.inet_aton(segment.destination[0])
    head = struct.pack("!HHII", segment.source[1], segment.destination[1], segment.seq, segment.ack)
    offset = (20 + len(options)) // 4 << 12 | segment.flags
    tail = options + bytes(segment.length)
    bare = head + struct.pack("!HHHH", offset, segment.window, 0, 0) + tail
    total = checksum(ends + struct.pack("!HH", 6, len(bare)) + bare)
    tcp = head + struct.pack("!HHHH", offset, segment.window, total, 0) + tail
    ip = struct.pack("!BBHIBBH", 0x45, segment.ecn, 20 + len(tcp), 0x4000, 64, 6, 0) + ends
    return ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:] + tcp


def emit_option(option: tuple[str, tuple[int, ...]]) -> bytes:
    """The octets of an option."""
    name, numbers = option
    if name in ("eol", "nop"):
        return bytes([OPTIONS[name]])
    size = {"mss": "H", "wscale": "B"}.get(name, "I")
    body = struct.pack(f"!{len(numbers)}{size}", *numbers)
    return bytes([OPTIONS[name], 2 + len(body)]) + body


def parse(octets: bytes) -> Segment:
    """A segment from the octets of its packet, whose checksums must be right."""
    begin = (octets[0] & 15) * 4
    tcp = octets[begin : int.from_bytes(octets[2:4], "big")]
    if checksum(octets[:begin]) or checksum(octets[12:20] + struct.pack("!HH", 6, len(tcp)) + tcp):
        message = "bad checksum"
        raise ValueError(message)
    source, destination, seq, ack, offset, window = struct.unpack("!HHIIHH", tcp[:16])
    data = (offset >> 12) * 4
    return Segment(
        source=(socket.inet_ntoa(octets[12:16]), source),
        destination=(socket.inet_ntoa(octets[16:20]), destination),
        seq=seq,
        ack=ack,
        flags=offset & 0xFFF,
        window=window,
        length=len(tcp) - data,
        ecn=octets[1] & 3,
        options=tuple(parse_options(tcp[20:data])),
    )


def parse_options(octets: bytes) -> list[tuple[str, tuple[int, ...]]]:
    """The options of a header."""
    found: list[tuple[str, tuple[int, ...]]] = []
    at = 0
    while at < len(octets):
        name = NAMES.get(octets[at], f"option {octets[at]}")
        if name in ("eol", "nop"):
            found.append((name, ()))
            at += 1
            continue
        body = octets[at + 2 : at + octets[at + 1]]
        size = {"mss": "H", "wscale": "B", "sackOK": "B"}.get(name, "I")
        found.append((name, struct.unpack(f"!{len(body) // struct.calcsize(size)}{size}", body)))
        at += octets[at + 1]
    return found
