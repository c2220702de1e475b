"""Writes what fuzzing begins with: short captures of our own runs, the frames in them, and the words of scenarios.

seeds.py OUT leaves OUT/capture, OUT/frame and OUT/scenario.dict.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import airloom
from airloom import CaptureSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
ENHANCED_PACKET = 6
OF_A_KIND = 2
"""Packets of one kind that a capture keeps."""

LONGEST_WORD = 64

RUNS = {
    "download": ("examples/download.toml", {"duration": "300 ms"}),
    "scan": (
        "papers/scan/upload-tsq.toml",
        {"station.0.scan.first": "100 ms", "station.0.scan.channels": 2, "duration": "600 ms"},
    ),
    "cck": ("papers/arf/two.toml", {"duration": "1200 ms"}),
    "udp": ("papers/anomaly/udp.toml", {"duration": "500 ms"}),
}
"""Scenarios of different standards and transports, cut short."""


def blocks(capture: bytes) -> Iterator[tuple[int, bytes]]:
    """The blocks of a pcapng file that we have written, little-endian, each with its type."""
    at = 0
    while at < len(capture):
        kind, length = struct.unpack_from("<II", capture, at)
        yield kind, capture[at : at + length]
        at += length


def octets(packet: bytes) -> bytes:
    """The octets of an enhanced packet block."""
    (length,) = struct.unpack_from("<I", packet, 20)
    return packet[28 : 28 + length]


def looks(frame: bytes) -> bytes:
    """What distinguishes kinds of frames: frame control behind radiotap, and whether it is cut."""
    (radiotap,) = struct.unpack_from("<H", frame, 2)
    return frame[radiotap : radiotap + 2] if frame[:2] == b"\0\0" else frame[12:14] + frame[23:24] + frame[46:48]


def shortened(capture: bytes) -> tuple[bytes, dict[bytes, bytes]]:
    """The capture with the first packets of each kind, and one of each kind."""
    kept, seen = [], dict[bytes, list[bytes]]()
    for kind, block in blocks(capture):
        if kind == ENHANCED_PACKET:
            same = seen.setdefault(looks(octets(block)), [])
            if len(same) == OF_A_KIND:
                continue
            same.append(octets(block))
        kept.append(block)
    return b"".join(kept), {kind: frames[0] for kind, frames in seen.items()}


def words(schema: object) -> Iterator[str]:
    """The keys and words that a scenario can have."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for key in ("enum", "examples", "const", "default"):
            for value in values if isinstance(values := schema.get(key, []), list) else [values]:
                if isinstance(value, str):
                    yield value
        for value in schema.values():
            yield from words(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from words(value)


def main(out: Path) -> None:
    """Writes all seeds below `out`."""
    for folder in ("capture", "frame"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for name, (scenario, changes) in RUNS.items():
            bundle = Path(scratch, name)
            airloom.run(ROOT / scenario, set=changes, out=bundle, capture=CaptureSettings(snap_length=120))
            for capture in bundle.glob("*.pcapng"):
                short, kinds = shortened(capture.read_bytes())
                (out / "capture" / f"{name}-{capture.stem}").write_bytes(short)
                for kind, frame in kinds.items():
                    (out / "frame" / f"{name}-{capture.stem}-{kind.hex()}").write_bytes(frame)
    schema = subprocess.check_output([Path(sys.executable).parent / "airloom", "schema"])
    known = {json.dumps(word) for word in words(json.loads(schema)) if word.isascii() and len(word) < LONGEST_WORD}
    headers = [json.dumps(text) for text in ("[[station]]\n", "[[flow]]\n", "[[server]]\n", " = ", "{ ", " }")]
    (out / "scenario.dict").write_text("\n".join([*sorted(known), *headers]).replace("\\n", "\\x0a") + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
