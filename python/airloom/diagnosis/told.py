"""What a diagnosis tells, in the words of its JSON."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

from airloom import _engine
from airloom.errors import CaptureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path


APART = 300.0
"""Clocks of machines that are looked after differ by less, in seconds."""

ONE_AT_A_TIME = (
    "if one is of before a change and the other of after it, say so: airloom diagnose BEFORE --against AFTER"
)
"""What to do with captures that belong to different times."""

CAPTURES = (".pcap", ".pcapng", ".pcap.gz", ".pcapng.gz")
"""How the names of captures end."""


class ClockSeen(TypedDict):
    """A capture's clock against the one that times are told by: the monitor's, or the first capture's."""

    ahead_ms: float
    drift_ppm: float
    within_ms: float
    station: str | None
    through: str | None


class LeftOut(TypedDict):
    """The small TCP connections of a capture, if there are so many that only the larger ones are followed."""

    connections: int
    packets: int
    bytes: int
    retransmissions: int


class CaptureSeen(TypedDict):
    """What a file has of an `interface`; times in seconds since the first record of all files.

    Records are misplaced that are stamped before the one before them; `leaps` are those stamped a month later than it.
    `unread` cannot be read; those `not_ip` are sound, such as ARP. `stations` are those whose packets a host's capture
    has, beside one of the air. An interface that is `beyond` the first 32 is not read.
    """

    file: str
    interface: str | None
    place: str | None
    records: int
    unread: int
    not_ip: int
    cut: int
    cut_headers: int
    misplaced: int
    leaps: int
    copies: int
    left_out: LeftOut
    datagrams_left_out: int
    beyond: bool
    stations: list[str]
    span_s: list[float] | None
    stopped: str | None
    clock: ClockSeen | None


class StationSeen(TypedDict):
    """A radio that was heard; `dozes` are its spells between PM=1 and PM=0, in seconds.

    `leaves` and `joins` say how often it was deauthenticated or disassociated, and how often associated.
    """

    mac: str
    kind: str
    dozes: list[list[float]]
    dozes_total: int
    leaves: int
    joins: int
    frames: int
    retries: int
    airtime_s: float


LinkSeen = TypedDict(
    "LinkSeen",
    {
        "from": str,
        "to": str,
        "ppdus": int,
        "mpdus": int,
        "retried": int,
        "all_retried": int,
        "some_retried": int,
        "again": int,
        "pressed": int,
        "storms": int,
        "answered": int,
        "requested": int,
        "beat": float | None,
        "octets": int,
        "mbps": float | None,
        "airtime_s": float,
        "snr_db": float | None,
        "assumed_noise_dbm": float | None,
        "heard": float,
    },
)
"""Data from a radio to another, in MPDUs and PPDUs, of the share that was heard; air time without answers and gaps."""


class GroupSeen(TypedDict):
    """Data to groups, broadcast and multicast: its air time in so many seconds of a capture."""

    mpdus: int
    mbps: float | None
    airtime_s: float
    of_s: float


LeavesSeen = TypedDict("LeavesSeen", {"from": str, "frames": int, "span_s": list[float]})
"""Deauthentications and disassociations that name a transmitter, which may be forged; each once."""


class ResetSeen(TypedDict):
    """A reset of a connection by the `sender` or the `receiver` of data, before the sender had ended it."""

    by: str
    at_s: float
    outstanding: int


FlowSeen = TypedDict(
    "FlowSeen",
    {
        "capture": int,
        "from": str,
        "to": str,
        "seen_from": str,
        "near_sender": bool,
        "tells_most": bool,
        "handshake": bool,
        "both_ways": bool,
        "span_s": list[float] | None,
        "reset": ResetSeen | None,
        "bytes": int,
        "mbps": float,
        "packets": int,
        "missing": int,
        "outside": int,
        "retransmissions": dict[str, int],
        "rtt_ms": dict[str, float],
        "limits": dict[str, float],
        "stalls": dict[str, int],
    },
)
"""The data of a TCP connection in one direction, as a capture shows it."""


AttemptSeen = TypedDict(
    "AttemptSeen",
    {
        "capture": int,
        "from": str,
        "to": str,
        "syns": int,
        "span_s": list[float],
        "refused": bool,
        "goes_on": bool,
    },
)
"""An attempt to open a TCP connection that nobody answered, or that the other end refused."""


class RtpSeen(TypedDict):
    """What the numbers of RTP tell: packets that were sent, those of them that did not come, and the mean jitter."""

    sent: int
    missing: int
    jitter_ms: float | None


class LostSeen(TypedDict):
    """Packets of a stream that passed a capture and should pass another: those looked for, and those missing there."""

    captures: list[int]
    sought: int
    missing: int


StreamSeen = TypedDict(
    "StreamSeen",
    {
        "capture": int,
        "from": str,
        "to": str,
        "tells_most": bool,
        "span_s": list[float],
        "packets": int,
        "bytes": int,
        "mbps": float,
        "steady": bool,
        "silence_s": float,
        "rtp": RtpSeen | None,
        "lost": LostSeen | None,
    },
)
"""What one port sends to another by UDP, as a capture shows it."""


class PassageSeen(TypedDict):
    """Packets between two ends that pass two captures, in this order: the shortest time between these and quantiles."""

    captures: list[int]
    ends: list[str]
    packets: int
    delay_ms: dict[str, float]


class Cost(TypedDict):
    """What something cost; `of` says whose that is, or how often, in words that follow the unit.

    `share` is the cost as a part (0 to 1) of what there would be without the cause. `unknown` says why it is not known.
    """

    value: float
    unit: str
    of: str
    share: float
    at_least: bool
    unknown: str | None


class Finding(TypedDict):
    """A cause that a rule found, with what is needed to check it.

    It stands `below` another, by its place, if it follows from that or is the reason for it.
    """

    code: str
    name: str
    below: int | None
    is_reason: bool
    subject: str
    spans: list[list[float]]
    value: float
    threshold: float
    unit: str
    confidence: float
    cost: Cost
    capture: int
    frames: list[int]
    filter: str
    says: str
    refuted_by: str
    remedy: str


class Abstained(TypedDict):
    """A rule that cannot tell, and why."""

    code: str
    because: str


class SummedUp(TypedDict):
    """A finding, by rule, capture and subject, that stands for so many more about other connections or stations."""

    code: str
    capture: int
    subject: str
    more: int


class Diagnosis(TypedDict):
    """All that was found in captures of the same time."""

    captures: list[CaptureSeen]
    reference: int
    stations: list[StationSeen]
    links: list[LinkSeen]
    connections: list[FlowSeen]
    group: GroupSeen | None
    leaves: list[LeavesSeen]
    attempts: list[AttemptSeen]
    attempts_left_out: int
    streams: list[StreamSeen]
    passages: list[PassageSeen]
    findings: list[Finding]
    summed_up: list[SummedUp]
    abstained: list[Abstained]


Line = list[float | None]
"""A value for each bin of time; none where there is nothing to say."""

FlowLayers = TypedDict(
    "FlowLayers",
    {
        "from": str,
        "to": str,
        "octets": int,
        "goodput": Line,
        "rtt": Line,
        "rtt_most": Line,
        "flight": Line,
        "segment": int,
        "again": dict[str, list[tuple[int, float]]],
    },
)
"""A flow over time: Mbit/s, ms, kB, and segments that were sent again, by reason and bin."""


StreamLayers = TypedDict(
    "StreamLayers",
    {"from": str, "to": str, "octets": int, "goodput": Line, "packets": Line, "missing": Line, "jitter": Line},
)
"""A stream of UDP over time: Mbit/s; packets and those missing, of RTP or between two hosts; RTP's jitter in ms.

Small ones are one, without ends.
"""


class LinkLayers(TypedDict):
    """Data from a radio to another over time: Mbit/s of PPDUs, percent of MPDUs, MPDUs in a PPDU."""

    rate: Line
    retries: Line
    size: Line


class StationLayers(TypedDict):
    """A station over time: its share of the time in percent, and its signal in dBm."""

    mac: str
    foreign: bool
    share: Line
    signal: Line
    up: LinkLayers | None
    down: LinkLayers | None


class AirLayers(TypedDict):
    """The air over time: shares of the time in percent."""

    stations: list[StationLayers]
    small_stations: int
    small_share: Line
    foreign_share: Line
    control_share: Line
    management_share: Line
    busy_share: Line
    network: str | None


class Layers(TypedDict):
    """What the captures show in bins of so many seconds from the first record on."""

    length_s: float
    width_s: float
    flows: list[FlowLayers]
    small_flows: int
    small_goodput: Line
    streams: list[StreamLayers]
    air: AirLayers | None


Row = TypedDict(
    "Row",
    {
        "number": int,
        "at_s": float,
        "kind": str,
        "from": str,
        "to": str,
        "length": int,
        "mbps": float | None,
        "signal_dbm": int | None,
        "again": bool,
        "says": str,
        "named": bool,
    },
)
"""A record, by its number in Wireshark; `named` if the finding names it."""


class Excerpt(TypedDict):
    """Records around a finding."""

    capture: int
    rows: list[Row]


class OverTime(NamedTuple):
    """A diagnosis with what the captures show over time."""

    found: Diagnosis
    layers: Layers


class Closely(NamedTuple):
    """A diagnosis with all that a page shows of it; an excerpt for each finding."""

    found: Diagnosis
    layers: Layers
    excerpts: list[Excerpt]


class Rule(TypedDict):
    """What a rule says of itself: what it needs, computes, tells apart, and what would refute what it finds."""

    code: str
    name: str
    needs: str
    computes: str
    traps: str
    refuted_by: str


def rules() -> list[Rule]:
    """All rules, in the order of their codes."""
    return cast("list[Rule]", json.loads(_engine.rules()))


def diagnose(files: Sequence[Path], progress: Callable[[float], object] | None = None) -> Diagnosis:
    """What the rules find in captures.

    Args:
        files: The captures, or folders of them.
        progress: Gets the fraction that has been read, now and then.

    Raises:
        CaptureError: There is no file, one is given twice or cannot be read as a capture, there is no record in any,
            or they are not of the same time.
    """
    return of_one_time(with_records(json.loads(_engine.diagnose(given(files), progress))))


def diagnose_over_time(files: Sequence[Path], progress: Callable[[float], object] | None = None) -> OverTime:
    """The same with what the captures show over time.

    Raises:
        CaptureError: As `diagnose`.
    """
    found, layers = map(json.loads, _engine.diagnose_over_time(given(files), progress))
    return OverTime(of_one_time(with_records(found)), layers)


def diagnose_closely(files: Sequence[Path], progress: Callable[[float], object] | None = None) -> Closely:
    """The same with records around each finding, for which the files are read once more.

    Raises:
        CaptureError: As `diagnose`.
    """
    found, layers, excerpts = map(json.loads, _engine.diagnose_closely(given(files), progress))
    return Closely(of_one_time(with_records(found)), layers, excerpts)


def given(files: Sequence[Path]) -> Sequence[Path]:
    """The files, if there are any, and each only once; of a folder, the captures in it."""
    if not files:
        raise CaptureError("no file to diagnose")
    captures = [capture for file in files for capture in (captures_in(file) if file.is_dir() else [file])]
    for file, other in pairs(captures):
        if file.samefile(other):
            raise CaptureError(f"{file}: is the same file as {other}; give each capture once")
    return captures


def pairs(files: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Each file with each one before it, of those that are there."""
    there = [file for file in files if file.is_file()]
    for place, file in enumerate(there):
        for earlier in there[:place]:
            yield file, earlier


def captures_in(folder: Path) -> Sequence[Path]:
    """The captures in a folder, such as `airloom collect` leaves; not those below it, which have no packets.

    Raises:
        CaptureError: There is none.
    """
    if not os.access(folder, os.R_OK | os.X_OK):
        raise CaptureError(f"{folder}: cannot be read: permission denied")
    found = [file for ending in CAPTURES for file in sorted(folder.glob(f"*{ending}"))]
    if not found:
        raise CaptureError(f"{folder}: has no capture in it, no {' or '.join(CAPTURES)}")
    return found


def named(capture: CaptureSeen) -> str:
    """The file, and the interface if the file has several."""
    return ", ".join(filter(None, (capture["file"], capture["interface"])))


def with_records(found: Diagnosis) -> Diagnosis:
    """The same, if the captures have anything in them."""
    if not any(capture["records"] for capture in found["captures"]):
        files = ", ".join(map(named, found["captures"]))
        raise CaptureError(
            f"{files}: has no record, so there is nothing to diagnose",
            *(f"{capture['file']}: {capture['stopped']}" for capture in found["captures"] if capture["stopped"]),
        )
    return found


def of_one_time(found: Diagnosis) -> Diagnosis:
    """The same, if all captures are of the same time as far as their stamps and their packets tell."""
    first = found["captures"][found["reference"]]
    # Interfaces of one file were captured together, whether or not each had something to capture then.
    for other in (capture for capture in found["captures"] if capture["file"] != first["file"]):
        clock, ours, theirs = other["clock"], first["span_s"], other["span_s"]
        if clock and abs(ahead := clock["ahead_ms"] / 1000) > APART:
            side = "ahead of" if ahead > 0 else "behind"
            raise CaptureError(
                f"{other['file']}: shares packets with {first['file']}, but is stamped {abs(ahead):,.0f} s {side} it: "
                "are they of the same time?",
                f"if a clock was wrong, correct it (`editcap -t {-ahead:.0f}`); {ONE_AT_A_TIME}",
            )
        if not clock and ours and theirs and (gap := max(ours[0], theirs[0]) - min(ours[1], theirs[1])) > 0:
            raise CaptureError(
                f"{other['file']}: has no time in common with {first['file']} ({gap:,.1f} s lie between them), "
                "and no packets: are they of the same time?",
                "parts of one capture are put together by `mergecap -w whole.pcapng PART...`; "
                f"if a clock was wrong, correct it (`editcap -t SECONDS`); {ONE_AT_A_TIME}",
            )
    return found
