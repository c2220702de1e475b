"""What to capture of a run."""

from __future__ import annotations

import re
from dataclasses import dataclass

from airloom.errors import RunError

SNAP_LENGTH = 160
"""Bytes kept of a packet: all its headers."""

SHORTEST = 70
"""Bytes that keep what the radio told of a frame (44) and its MAC header (26); of a host's packet TCP's header."""

LONGEST = 262_144
"""The longest snap length that capture tools take."""

UNITS = {"us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "min": 60_000_000_000, "h": 3_600_000_000_000}
"""Units of time, in nanoseconds."""

FOREVER = 2**64 - 1
"""The end of a window that has none, in nanoseconds."""

TIME = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,20})?)\s*([a-z]+)")


@dataclass(frozen=True)
class CaptureSettings:
    """What to keep of a capture.

    Attributes:
        snap_length: Bytes of each packet, 70 or more; 0 for all of it.
        window: From when, and until when: `"25 s..36 s"`, either end of which may be missing. Without it, all the time.
    """

    snap_length: int = SNAP_LENGTH
    window: str | None = None

    def __post_init__(self) -> None:
        """Refuses what cannot be meant."""
        if not isinstance(self.snap_length, int) or not 0 <= self.snap_length <= LONGEST:
            raise RunError(f"snap length {self.snap_length!r}: needs a number of bytes up to {LONGEST}, or 0 for all")
        if 0 < self.snap_length < SHORTEST:
            raise RunError(
                f"snap length {self.snap_length}: cuts frames within their headers; "
                f"needs {SHORTEST} bytes or more, {SNAP_LENGTH} for all headers, or 0 for all"
            )
        self.nanoseconds()

    def nanoseconds(self) -> tuple[int, int]:
        """The window's ends."""
        if self.window is None:
            return 0, FOREVER
        if not isinstance(self.window, str):
            raise RunError(f"capture window {self.window!r}: needs text, such as '25 s..36 s'")
        start, dots, end = self.window.partition("..")
        if not dots:
            raise RunError(f"capture window {self.window!r}: needs two times, such as '25 s..36 s'")
        first = self.time(start) if start.strip() else 0
        last = self.time(end) if end.strip() else FOREVER
        if first >= last:
            raise RunError(f"capture window {self.window!r}: ends before it begins")
        return first, last

    def time(self, text: str) -> int:
        """A time in nanoseconds."""
        found = TIME.fullmatch(text.strip())
        if found is None or found[2] not in UNITS:
            raise RunError(
                f"capture window {self.window!r}: {text.strip()!r} is no time; "
                f"write '25 s..36 s', in {', '.join(UNITS)}"
            )
        whole, _, part = found[1].partition(".")
        scale = UNITS[found[2]]
        nanoseconds = int(whole) * scale + (int(part) * scale // 10 ** len(part) if part else 0)
        if nanoseconds > FOREVER:
            raise RunError(f"capture window {self.window!r}: no run takes {text.strip()}")
        return nanoseconds


def settings(capture: CaptureSettings | str | bool) -> CaptureSettings | None:
    """What a yes, a no, or the window alone stands for."""
    match capture:
        case bool():
            return CaptureSettings() if capture else None
        case str():
            return CaptureSettings(window=capture)
        case CaptureSettings():
            return capture
    raise RunError(f"capture: needs True, a window such as '25 s..36 s', or CaptureSettings, not {capture!r}")
