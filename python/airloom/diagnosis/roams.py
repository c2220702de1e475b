"""How stations went from one access point to another, as monitors of any number of channels heard it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from airloom import _engine
from airloom.diagnosis.reading import given
from airloom.errors import CaptureError
from airloom.support.formatting import count, number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from airloom.diagnosis.shapes import PhaseSeen, Roams, RoamSeen, RoamTcp

CLOCKS = {
    "reference": "all times are of its clock",
    "beacons": "on that clock by beacons that both heard",
    "packets": "on that clock by packets that both have",
    "stamps": "by its own clock, as it is: too little is in both",
}
"""What put a capture on the clock of the first monitor, in words."""

BANDS = ((900, ""), (2500, "2.4 GHz"), (5900, "5 GHz"), (7125, "6 GHz"))
"""Where bands end, in MHz."""

SECONDS = 10_000
"""So many ms and more are told in seconds."""


def roams(files: Sequence[Path], progress: Callable[[float], object] | None = None) -> Roams:
    """How stations went from one access point to another.

    Args:
        files: The captures, or folders of them.
        progress: Gets the fraction that has been read, now and then.

    Raises:
        CaptureError: There is no file, one is given twice, cannot be read as a capture or cannot be read again, or they
            are not of the same time.
    """
    captures = given(files)
    for file in captures:
        if file.exists() and not file.is_file():
            raise CaptureError(
                f"{file}: is no file, and --table roams reads captures more than once: keep it in a file"
            )
    return cast("Roams", json.loads(_engine.roams(captures, progress)))


def channel(mhz: int | None) -> str | None:
    """The number of the channel with this centre frequency (802.11-2020 annex E)."""
    if mhz is None:
        return None
    for first, last, base in ((2484, 2484, 2414), (2412, 2472, 2407), (5000, 5895, 5000), (5955, 7115, 5950)):
        if first <= mhz <= last:
            return f"{(mhz - base) // 5}"
    return f"at {mhz} MHz"


def bands(pair: Sequence[int | None]) -> list[str | None]:
    """Two channels by their numbers, with their bands where these differ, since numbers come again in another band."""
    found = [next((name for last, name in BANDS if (mhz or 0) <= last), "") for mhz in pair]
    named = None not in pair and found[0] != found[1]
    return [
        f"{channel(mhz)} ({band})" if named and band else channel(mhz) for mhz, band in zip(pair, found, strict=True)
    ]


def length(ms: float | None) -> str:
    """A time in ms, or in seconds where it is long; "-" where it was not heard."""
    if ms == 0:
        return "<1"
    return f"{number(ms / 1000)} s" if ms is not None and ms >= SECONDS else number(ms)


def timed(ms: float) -> str:
    """A time with its unit."""
    bare = length(ms)
    return bare if bare.endswith(" s") else f"{bare} ms"


def took(phase: PhaseSeen | None) -> str:
    """How long a phase took; "half" if one end alone was heard, "-" if neither was, or if no clock tells."""
    return "half" if phase and phase["ms"] is None and 0 in phase["frames"] else length(phase["ms"] if phase else None)


def phases(roam: RoamSeen) -> list[str]:
    """Gap, scan, authentication, association and keys, as cells of a table."""
    parts = (roam["scan"], roam["authentication"], roam["association"], roam["keys"])
    gap, *cells = [length(roam["gap_ms"]), *map(took, parts)]
    if not roam["keys"] and (roam["method"] or "").startswith("FT"):
        cells[-1] = "in FT"
    return [gap, *cells]


def details(roam: RoamSeen) -> str:
    """What else there is to say about a roam."""
    said = ["associated anew with the same" if roam["kind"] == "anew" else ""]
    said += [roam["method"] or "", roam["asked"] or ""]
    said.append(f"refused with status {roam['status']}" if roam["status"] else "")
    said.append(pair("channel", bands(roam["channels_mhz"]), ""))
    for whose, key in (("the access point's", roam["ap_dbm"]), ("the station's", roam["station_dbm"])):
        said.append(pair(f"{whose} signal", [f"{dbm:.0f}" if dbm is not None else None for dbm in key], " dBm"))
    if roam["left"]:
        said.append(f"{count(roam['left'], 'deauthentication')} meanwhile, the last with reason {roam['reason']}")
    if roam["eap"]:
        ms, frames = roam["eap"]["ms"], roam["eap"]["frames"]
        deaf = "EAP of one end alone" if 0 in frames else "EAP by clocks that are not joined"
        said.append(deaf if ms is None else f"EAP {timed(ms)}")
    said.append(data(roam))
    if roam["tcp"]:
        said.append(tcp(roam["tcp"]))
    return "; ".join(filter(None, said))


def data(roam: RoamSeen) -> str:
    """When data went again, counted from the roam's first frame."""
    ways = (("from", roam["first_up_s"]), ("to", roam["first_down_s"]))
    heard = [f"{timed(1000 * (at - roam['at_s']))} {way} the station" for way, at in ways if at is not None]
    if not heard:
        return "data behind it not heard"
    deaf = [f"not heard {way} it" for way, at in ways if at is None]
    return f"first data after {', '.join([*heard, *deaf])}"


def pair(what: str, values: Sequence[str | None], unit: str) -> str:
    """What was so before and is so now, as far as it was heard."""
    before, after = (f"{value}{unit}" if value is not None else None for value in values)
    if before is None or before == after:
        return f"{what} {after}" if after is not None else ""
    return f"{what} {before} to {after or 'not heard'}"


def tcp(seen: RoamTcp) -> str:
    """What TCP saw."""
    again, timeouts = seen["again"], seen["timeouts"]
    if again is None:
        how = "too much was sent again to tell"
    else:
        how = f"{count(again, 'segment')} sent again, {timeouts} by the timer" if again else "nothing sent again"
    return f"TCP silent for {timed(seen['silence_ms'])}, {how}"
