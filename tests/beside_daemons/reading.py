"""What a monitor's capture says of a walk: the scans, and the way to the other access point, as tshark reads it."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

FIELDS = (
    "frame.time_epoch",
    "radiotap.channel.freq",
    "wlan.fc.type_subtype",
    "wlan.ta",
    "wlan.ra",
    "wlan.da",
    "wlan.fc.pwrmgt",
    "wlan_rsna_eapol.keydes.key_info",
    "wlan.fixed.auth.alg",
)
MANAGEMENT = {0: "association", 1: "associated", 2: "reassociation", 3: "reassociated", 4: "probe", 5: "probed"}
AUTHENTICATION, DEAUTHENTICATION, ACTION = 11, 12, 13
NULLS = (36, 44)
DATA = (32, 40)
DATA_WORDS = ("ask", "data")
KEY_FLAGS = 0x380
"""Of the information on a message of keys: secure, MIC, and whether an answer is wanted (802.11-2020 figure 12-33)."""
KEYS = {0x080: "key1", 0x100: "key2", 0x380: "key3", 0x300: "key4"}
BROADCAST = "ff:ff:ff:ff:ff:ff"
SCAN_S = 0.6
"""Trips of a scan follow each other within this time."""


@dataclass(frozen=True)
class Frame:
    """A frame of a station, or to it."""

    at: float
    """Seconds since the epoch."""
    mhz: int
    word: str
    up: bool
    """Whether the station sent it."""


def frames(capture: Path, station: str) -> list[Frame]:
    """The frames from and to a station; beacons, acknowledgments and data to it are left out."""
    asked = [word for field in FIELDS for word in ("-e", field)]
    chosen = f"wlan.ta == {station} || wlan.ra == {station}"
    command = ["tshark", "-r", str(capture), "-Y", chosen, "-T", "fields", *asked]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    read = [line.split("\t") for line in lines]
    made = (frame(dict(zip(FIELDS, fields, strict=True)), station) for fields in read)
    return [one for one in made if one is not None]


def frame(fields: dict[str, str], station: str) -> Frame | None:
    """A frame by its fields; none if it tells nothing."""
    up = fields["wlan.ta"] == station
    kind = int(fields["wlan.fc.type_subtype"], 0)
    word = named(kind, fields, up=up)
    mhz = fields["radiotap.channel.freq"].split(",")[0]
    return Frame(float(fields["frame.time_epoch"]), int(mhz or 0), word, up) if word else None


def named(kind: int, fields: dict[str, str], *, up: bool) -> str | None:
    """The word for a frame."""
    if fields["wlan_rsna_eapol.keydes.key_info"]:
        return KEYS[int(fields["wlan_rsna_eapol.keydes.key_info"], 0) & KEY_FLAGS]
    if kind in MANAGEMENT:
        return MANAGEMENT[kind]
    if kind == AUTHENTICATION:
        method = "-ft" if fields["wlan.fixed.auth.alg"] == "2" else ""
        return ("authentication" if up else "authenticated") + method
    if kind in NULLS and up:
        return "sleep" if fields["wlan.fc.pwrmgt"] in ("1", "True") else "wake"
    others = {DEAUTHENTICATION: "deauthentication", ACTION: "action"}
    if kind in DATA and up:
        return "ask" if fields["wlan.da"] == BROADCAST else "data"
    return others.get(kind)


PHASES = ("scan", "leaving", "authentication", "association", "keys", "first data")
"""The parts of a way: the last scan; from its end to the first frame on the other channel; from that to its answer; and
from there to the answer of association, to the last message of keys, and to the first data."""


@dataclass(frozen=True)
class Way:
    """A station's way to another access point."""

    scans: tuple[float, ...]
    """When each scan began, in seconds."""
    phases: tuple[float, ...]
    """In ms; see `PHASES`."""
    frames: str
    """From the beginning of the last scan on."""


def trips(seen: Sequence[Frame]) -> Iterator[tuple[float, float]]:
    """Times away from the channel: from the null frame that says so to that of the return."""
    since = None
    for one in seen:
        if one.word == "sleep":
            since = one.at if since is None else since
        elif one.word == "wake" and since is not None:
            yield since, one.at
            since = None


def scans_of(seen: Sequence[Frame]) -> list[tuple[float, float]]:
    """From when to when there was a scan."""
    scans: list[tuple[float, float]] = []
    for began, ended in trips(seen):
        if scans and began - scans[-1][1] < SCAN_S:
            scans[-1] = (scans[-1][0], ended)
        else:
            scans.append((began, ended))
    return scans


def way(seen: Sequence[Frame], home: int) -> Way | None:
    """The first way of a station to another channel than `home`, in MHz."""
    asks = next((one for one in seen if one.word.startswith("authentication") and one.mhz != home), None)
    if asks is None:
        return None
    scans = [scan for scan in scans_of(seen) if scan[1] <= asks.at]
    begun, over = scans[-1]
    there = [one for one in seen if one.at >= asks.at]
    at = {one.word.removesuffix("-ft"): one.at for one in reversed(there)}
    keyed = at.get("key4", at["reassociated"])
    first = next(one.at for one in there if one.word == "data" and one.at > keyed)
    marks = (begun, over, asks.at, at["authenticated"], at["reassociated"], keyed, first)
    phases = tuple(1000 * (later - earlier) for earlier, later in pairwise(marks))
    # What the program sends until then depends on its own clock.
    told = [one.word for one in seen if begun <= one.at <= first and (one.word not in DATA_WORDS or one.at > keyed)]
    return Way(tuple(scan[0] for scan in scans), phases, " ".join(collapsed(told)))


def collapsed(words: Sequence[str]) -> Iterator[str]:
    """Words without those that say the same again."""
    for place, word in enumerate(words):
        if place == 0 or words[place - 1] != word:
            yield word
