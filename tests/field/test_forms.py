"""Forms of captures: what lies before a packet, and what files are made of. tshark sees the same in each."""

from __future__ import annotations

import struct
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from airloom.diagnosis.reading import diagnose
from field.conversation import FIN, Conversation
from tools import need

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SEGMENT = 1000
COUNT = 40
ETHERNET = bytes(12) + b"\x08\x00"
MICROSECONDS, MODIFIED = 0xA1B2C3D4, 0xA1B2CD34

FRAME = bytes.fromhex("08020000020000000001020000000002020000000000 0000 aaaa030000000800")
"""An open data frame of 802.11 from an access point, with LLC and SNAP."""


def conversation() -> list[tuple[float, bytes]]:
    """IP packets and their times: a handshake, a download and its end."""
    talk = Conversation(ports=(40_000, 5001))
    talk.open(0, 0.02)
    for number in range(COUNT):
        talk.put(0.05 + number * 1e-3, 1, SEGMENT)
        if number % 10 == 9:
            talk.put(0.07 + number * 1e-3, 0)
    talk.put(0.2, 1, 0, FIN | 16)
    talk.put(0.22, 0, 0, FIN | 16)
    packets = sorted(talk.packets, key=lambda packet: packet[0])
    return [(at, packet[len(ETHERNET) :] + bytes(length - len(packet))) for at, packet, length in packets]


def ppi(link: int, fields: bytes = b"") -> bytes:
    return struct.pack("<BBHI", 0, 0, 8 + len(fields), link) + fields


def attributed(order: str) -> Callable[[bytes], bytes]:
    """A log entry with a prefix and the packet among its attributes."""

    def entry(packet: bytes) -> bytes:
        prefix = struct.pack(order + "HH", 8, 10) + b"log\0"
        return b"\x02\0\0\0" + prefix + struct.pack(order + "HH", 4 + len(packet), 9) + packet

    return entry


def after(head: bytes) -> Callable[[bytes], bytes]:
    return lambda packet: head + packet


def session(packet: bytes) -> bytes:
    return struct.pack(">BBHHH", 0x11, 0, 1, len(packet) + 2, 0x21) + packet


RADIO = struct.pack("<HHQHHHHBBbb", 2, 20, 0, 0, 108, 5180, 0x140, 0, 0, -50, -95)
"""What a radio told, in PPI."""

LINKS: dict[str, tuple[int, Callable[[bytes], bytes]]] = {
    "ethernet": (1, after(ETHERNET)),
    "null": (0, after(struct.pack("<I", 2))),
    "null, big-endian": (0, after(struct.pack(">I", 2))),
    "loop": (108, after(struct.pack(">I", 2))),
    "raw": (101, after(b"")),
    "raw 12": (12, after(b"")),
    "raw 14": (14, after(b"")),
    "C-HDLC": (104, after(b"\x0f\x00\x08\x00")),
    "PPP in HDLC": (50, after(b"\xff\x03\x00\x21")),
    "PPPoE alone": (51, session),
    "MPLS in PPP": (9, after(b"\xff\x03\x02\x81" + struct.pack(">I", 16 << 12 | 1 << 8 | 64))),
    "PPPoE": (1, lambda packet: bytes(12) + b"\x88\x64" + session(packet)),
    "MPLS": (1, after(bytes(12) + b"\x88\x47" + struct.pack(">II", 16 << 12 | 64, 17 << 12 | 1 << 8 | 64))),
    "QinQ": (1, after(bytes(12) + b"\x88\xa8\x00\x05\x81\x00\x00\x06\x08\x00")),
    "QinQ of old": (1, after(bytes(12) + b"\x91\x00\x00\x05\x81\x00\x00\x06\x08\x00")),
    "NFLOG": (239, attributed("<")),
    "PPI, Ethernet": (192, after(ppi(1) + ETHERNET)),
    "PPI, air": (192, after(ppi(105, RADIO) + FRAME)),
    "PPI, air, nothing told": (192, after(ppi(105) + FRAME)),
}


def pcap(
    packets: list[tuple[float, bytes]],
    link: int,
    magic: int = MICROSECONDS,
    *,
    minor: int = 4,
    order: str = "<",
    snap_length: int = 120,
) -> bytes:
    """A classic file."""
    octets = struct.pack(order + "IHHiIII", magic, 2, minor, 0, 0, 65_535, link)
    for at, packet in packets:
        micros, kept = round(at * 1e6), packet[:snap_length]
        lengths = (len(packet), len(kept)) if minor == 2 else (len(kept), len(packet))
        octets += struct.pack(order + "IIII", micros // 10**6, micros % 10**6, *lengths)
        octets += (struct.pack(order + "IHBx", 0, 0, 0) if magic == MODIFIED else b"") + kept
    return octets


def obsolete(packets: list[tuple[float, bytes]]) -> bytes:
    """A pcapng file of packet blocks, as Wireshark before 1.0 wrote them."""

    def block(kind: int, body: bytes) -> bytes:
        body += bytes(-len(body) % 4)
        return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

    octets = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)) + block(1, struct.pack("<HHI", 1, 0, 0))
    for at, packet in packets:
        fields = struct.pack("<HHIIII", 0, 0, 0, round(at * 1e6), len(packet[:120]), len(packet))
        octets += block(2, fields + packet[:120])
    return octets


def framed(link: str = "ethernet") -> list[tuple[float, bytes]]:
    number, head = LINKS[link]
    assert number < 1000
    return [(at, head(packet)) for at, packet in conversation()]


FILES = {
    "big-endian": lambda: pcap(framed(), 1, order=">"),
    "modified": lambda: pcap(framed(), 1, MODIFIED),
    "modified, big-endian": lambda: pcap(framed(), 1, MODIFIED, order=">"),
    "version 2.2": lambda: pcap(framed(), 1, minor=2),
    "obsolete blocks": lambda: obsolete(framed()),
}


def said(capture: Path) -> dict[str, Any]:
    """What airloom says of the download."""
    found = diagnose([capture])
    (one,) = found["captures"]
    assert (one["records"], one["unread"]) == (len(conversation()), 0)
    (down,) = found["connections"]
    keys = ("from", "to", "handshake", "bytes", "packets", "missing", "rtt_ms", "retransmissions", "span_s")
    return {key: down[key] for key in keys}  # type: ignore[literal-required]


def seen(capture: Path) -> list[str]:
    """Sequence number and length of each TCP packet, as tshark reads it."""
    fields = ["-T", "fields", "-e", "tcp.seq_raw", "-e", "tcp.len"]
    command = [need("tshark"), "-n", "-r", str(capture), "-Y", "tcp", *fields]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    capture = tmp_path_factory.mktemp("plain") / "plain.pcap"
    capture.write_bytes(pcap(framed(), 1))
    assert said(capture)["bytes"] == COUNT * SEGMENT
    return capture


@pytest.mark.sample(6)
@pytest.mark.long
@pytest.mark.parametrize("link", LINKS)
def test_a_packet_is_found_behind_what_its_link_puts_before_it(link: str, plain: Path, tmp_path: Path) -> None:
    capture = tmp_path / "capture.pcap"
    capture.write_bytes(pcap(framed(link), LINKS[link][0]))
    assert said(capture) == said(plain)
    if link == "NFLOG":
        # tshark takes no attribute that was cut.
        capture.write_bytes(pcap(framed(link), LINKS[link][0], snap_length=65_535))
        assert said(capture) == said(plain)
    assert seen(capture) == seen(plain)
    assert diagnose([capture])["captures"][0]["place"] == ("air" if "air" in link else "host")


@pytest.mark.long
@pytest.mark.parametrize("form", FILES)
def test_packets_are_found_in_files_of_other_forms(form: str, plain: Path, tmp_path: Path) -> None:
    capture = tmp_path / "capture"
    capture.write_bytes(FILES[form]())
    assert said(capture) == said(plain)
    assert seen(capture) == seen(plain)


@pytest.mark.parametrize("form", ["modlibpcap", "snoop", "nsecpcap"])
def test_what_editcap_writes_is_read(form: str, plain: Path, tmp_path: Path) -> None:
    capture = tmp_path / form
    subprocess.run([need("editcap"), "-F", form, str(plain), str(capture)], check=True, capture_output=True)
    assert said(capture) == said(plain)
    assert seen(capture) == seen(plain)


@pytest.mark.parametrize("form", ["modlibpcap", "snoop"])
def test_what_is_cut_short_says_so(form: str, plain: Path, tmp_path: Path) -> None:
    capture = tmp_path / form
    subprocess.run([need("editcap"), "-F", form, str(plain), str(capture)], check=True, capture_output=True)
    capture.write_bytes(capture.read_bytes()[:-3])
    (one,) = diagnose([capture])["captures"]
    assert one["records"] == len(conversation()) - 1
    assert "cut short" in (one["stopped"] or "")
