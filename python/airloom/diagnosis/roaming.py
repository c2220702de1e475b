"""A station that roams: a capture of one access point made one of two, with what goes between the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.pcapng import FCS, blocks, checked, frame, is_packet, packed, radiotap, rewrite, sizes, stamp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

AT, GAP = 0.5, 0.03
"""When the station leaves and how long it is without an access point, as shares of the capture."""

OLD, STATION = (bytes.fromhex(f"0200000000{last:02x}") for last in (0, 1))
NEW = bytes.fromhex("0200000000ff")
"""The access point before, the station that comes first in a scenario, and the access point after."""

BEACON = 0x80
"""The first octet of a beacon."""

EXCHANGE = (
    (0xB0, NEW, STATION, "000001000000"),
    (0xB0, STATION, NEW, "000002000000"),
    (0x20, NEW, STATION, "11040a00" + OLD.hex()),
    (0x30, STATION, NEW, "1104000001c0"),
)
"""Authentication and reassociation (802.11-2020 clauses 9.3.3.7, 9.3.3.8, 9.3.3.11): type, receiver, sender, body."""


def roam(capture: Path) -> None:
    """Rewrites a capture: its first station goes to another access point in the middle of it."""
    packets = [block for block in blocks(capture.read_bytes()) if is_packet(block)]
    beacon = next(block for block in packets if frame(block)[0] == BEACON)
    begin, end = stamp(packets[0]), stamp(packets[-1])
    leaves, arrives = begin + AT * (end - begin), begin + (AT + GAP) * (end - begin)
    step = int(GAP * (end - begin) / 20)
    asked = [told(beacon, int(arrives) - step * (len(EXCHANGE) - n), *one) for n, one in enumerate(EXCHANGE)]

    def changed(block: bytes) -> Iterator[bytes]:
        if stamp(block) < leaves:
            yield block
        elif stamp(block) >= arrives:
            yield from asked
            asked.clear()
            yield moved(block)

    rewrite(capture, changed)


def told(beacon: bytes, at: int, kind: int, receiver: bytes, transmitter: bytes, body: str) -> bytes:
    """A management frame, heard as a beacon was."""
    mpdu = checked(bytes([kind, 0, 0, 0]) + receiver + transmitter + NEW + b"\0\0" + bytes.fromhex(body))
    return packed(beacon, at, mpdu, len(radiotap(beacon)) + len(mpdu))


def moved(block: bytes) -> bytes:
    """A packet with the other access point."""
    mpdu = frame(block)
    addresses = mpdu[4:22].replace(OLD, NEW)
    changed = mpdu[:4] + addresses + mpdu[4 + len(addresses) :]
    if mpdu == checked(mpdu[:-FCS]):
        changed = checked(changed[:-FCS])
    return packed(block, stamp(block), changed, sizes(block)[1])
