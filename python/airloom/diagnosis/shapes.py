"""What a diagnosis says, in the words of its JSON; written by `make shapes` from the engine's schema."""

from __future__ import annotations

from typing import TypedDict


class Abstained(TypedDict):
    """A rule that cannot tell."""

    # The rule's code.
    code: str
    # Why it cannot.
    because: str
    # Whether that is something amiss: that nothing is wrong must not be said beside it.
    suspects: bool


Line = list[float | None]
"""A value for each bin; none where there is nothing to say."""


class LinkLayers(TypedDict):
    """Data from a radio to another over time."""

    # The mean rate of its PPDUs in Mbit/s.
    rate: Line
    # The share of MPDUs with the retry bit, in percent.
    retries: Line
    # MPDUs in a PPDU, on average.
    size: Line
    # MPDUs: a mean over some time is of these, each as often as it was sent.
    mpdus: Line


class StationLayers(TypedDict):
    """A station over time."""

    # Its address.
    mac: str
    # Whether it belongs to another network.
    foreign: bool
    # Its share of the time, with data to it and from it.
    share: Line
    # Its signal at the monitor in dBm.
    signal: Line
    # Data from it and to it.
    up: LinkLayers | None
    # See `up`.
    down: LinkLayers | None


class AirLayers(TypedDict):
    """The air over time. Shares are of the time, in percent."""

    # Stations that hold the air longest, the longest first.
    stations: list[StationLayers]
    # How many other stations there are, and the share of their data.
    small_stations: int
    # See `small_stations`.
    small_share: Line
    # The share of data in other networks than that of the busiest access point.
    foreign_share: Line
    # The share of control frames.
    control_share: Line
    # The share of beacons and other management frames.
    management_share: Line
    # The share of everything that was heard.
    busy_share: Line
    # The busiest access point.
    network: str | None


AttemptSeen = TypedDict(
    "AttemptSeen",
    {
        # The capture, by its place among the captures.
        "capture": int,
        # Address and port of the end that tried.
        "from": str,
        # Address and port of the other.
        "to": str,
        # SYNs that it sent.
        "syns": int,
        # From the first SYN to the last, in seconds since the first record of all captures.
        "span_s": list[float],
        # Whether the other end refused it (RST). Otherwise nothing came from there.
        "refused": bool,
        # Whether the capture went on for less than a second after its last SYN, so that more may have come: to its end,
        # or to a minute and more without any record.
        "goes_on": bool,
    },
)
"""An attempt to open a connection, as a host's capture shows it."""


class BatchesSeen(TypedDict):
    """What a sender sends at a time: all of it is acknowledged before it goes on."""

    # How often it did.
    all: int
    # The size that came most often, in octets of payload.
    octets: int
    # How often that came, with nothing of the receiver in between but acknowledgments.
    times: int
    # Whether it went on before all of it was acknowledged, as a window does that acknowledgments move on.
    moves: bool


class BeforeAirSeen(TypedDict):
    """Segments of a flow that a host's capture has before the air, and that were never heard there."""

    # The host's capture and the monitor's, by their places, in the order in which packets pass them.
    captures: list[int]
    # How many at least: of some it does not show where they were lost.
    segments: int
    # Their share of the flow's, from 0 to 1.
    share: float
    # Whether its station sends: then its own queue lies between the two, and else the wire and the access point's.
    up: bool
    # Whether the monitor, by their numbers, did not hear as many frames of the link as a part of these that matters:
    # then the air may be what took them, and the captures do not show which.
    perhaps_in_air: bool


class ClockSeen(TypedDict):
    """The clock of a capture against the one that all times are of."""

    # How far it is ahead in ms, where the two begin to share packets.
    ahead_ms: float
    # How much faster it runs, in parts per million.
    drift_ppm: float
    # How far the true difference may be from this, either way, in ms.
    within_ms: float
    # The station by whose encrypted frames it was found; none if packets could be read.
    station: str | None
    # The capture by way of which it was found; none if it shares packets with the reference.
    through: str | None


class LeftOut(TypedDict):
    """What was left out."""

    # TCP connections; one of which a packet came later counts anew.
    connections: int
    # Their packets.
    packets: int
    # Octets of their payload.
    bytes: int
    # Segments that were sent again.
    retransmissions: int


class CaptureSeen(TypedDict):
    """A file."""

    # The file.
    file: str
    # The interface in words, such as "interface 0 (wlan0)"; none where the file has no other.
    interface: str | None
    # "air", "host", or neither.
    place: str | None
    # Records in it.
    records: int
    # Records that cannot be read: damaged, cut too short, or of a link that is not known here.
    unread: int
    # Frames of a host that are sound but no IP, such as ARP and EAPOL.
    not_ip: int
    # Those of the former that were cut before their headers end, and the most that was kept of any of them, in octets.
    cut_unread: int
    # See `cut_unread`.
    kept_unread: int
    # Records that were cut to a snap length.
    cut: int
    # Those of them that were cut within the header of TCP or UDP, so that this cannot be read.
    cut_headers: int
    # Packets that were read within those of a tunnel: GRE, or IP in IP.
    in_tunnels: int
    # A-MSDUs that were cut, so that their later packets cannot be read.
    cut_amsdus: int
    # Records stamped more than 10 ms before the one before them.
    misplaced: int
    # Records stamped more than 30 days later than the one before them.
    leaps: int
    # Whether its stamps are of no clock, so that they say nothing of time: the file was made or altered, or they leap
    # back and forth by months.
    timeless: bool
    # Frames of the air, or TCP packets of a host, that are in it more than once: each time after the first.
    copies: int
    # Those packets of them that came by with another TTL: a router lies between where they were captured.
    copies_elsewhere: int
    # Its small TCP connections, if there are so many that only the larger ones are followed.
    left_out: LeftOut
    # Packets of its UDP streams that are not followed, if there are so many that only the larger ones are.
    datagrams_left_out: int
    # Requests and answers of ICMP echo between hosts that are not followed, if there are so many that only the first
    # are.
    pings_left_out: int
    # Whether it is not read, since so many other interfaces come first in the file.
    beyond: bool
    # The stations whose packets it has, of a host's beside a capture of the air.
    stations: list[str]
    # From when until when it goes, in seconds since the first record of all captures.
    span_s: list[float] | None
    # The channel of a monitor, in MHz; none where its radio names none.
    channel_mhz: int | None
    # Whether rules about the air leave it aside: an earlier capture is of the same channel, or one of the two does not
    # name its own.
    aside: bool
    # Of a monitor's capture that rules look at, times in which it heard nothing of anybody, not the beacons that it
    # hears else either, in seconds since the first record of all captures.
    quiet: list[list[float]]
    # Of a host's capture, times of half a second and more in which no TCP came to that host, in the midst of much that
    # came, in seconds since the first record of all captures; and of three seconds and more up to its end, as the file
    # says that, where data broke off of which more was to follow.
    lulls: list[list[float]]
    # What ended it before its end.
    stopped: str | None
    # Captures that were given, too, and have the same records, in words: they are left out.
    also: list[str]
    # Its clock against the monitor's, or the first capture's; none for that one itself, and if they share too little.
    clock: ClockSeen | None


class ChangeSeen(TypedDict):
    """A signal that differs for some seconds by 10 dB and more from what it is else."""

    # The medians of signal over noise in dB, of the seconds in which it is strong and of those in which it is weak.
    strong_db: float
    # See `strong_db`.
    weak_db: float
    # When it is weak, in seconds since the first record.
    weak_s: list[list[float]]
    # The lowest signal over noise in dB, of three seconds, and when it was about as low.
    lowest_db: float
    # See `lowest_db`.
    lowest_s: list[float]


class Cost(TypedDict):
    """What something cost."""

    # How much; 0 if it is nothing that can be counted, or not known.
    value: float
    # "Mbit/s", "ms", "s", "% of the time" or "% of the air".
    unit: str
    # Whose, or how often: words that follow the unit; empty if nothing was counted.
    of: str
    # The cost as a part (0 to 1) of what there would be without the cause: by this findings are ranked.
    share: float
    # Whether it is the least: how much more is lost does not show.
    at_least: bool
    # Whether it is the most: another limit may come first, which does not show.
    at_most: bool
    # Whether it is what the air would carry more: a window or a line that would limit the rest does not show.
    of_the_air: bool
    # Why it is not known; none if it is.
    unknown: str | None


DirectSeen = TypedDict(
    "DirectSeen",
    {
        # The transmitter.
        "from": str,
        # The receiver.
        "to": str,
        # MPDUs.
        "mpdus": int,
        # Those of them that were retries.
        "retried": int,
        # The mean rate of its MPDUs in Mbit/s.
        "mbps": float | None,
        # Air time in seconds, without answers and gaps.
        "airtime_s": float,
    },
)
"""Data from a radio to another that no access point passes on: ad hoc, direct, or over a link of four addresses."""

ExcerptRow = TypedDict(
    "ExcerptRow",
    {
        # Its number in the file, as in Wireshark.
        "number": int,
        # When, in seconds since the first record of all captures.
        "at_s": float,
        # What it is: "data", "ACK", "TCP" and the like.
        "kind": str,
        # Transmitter and receiver on the air, or source and destination; empty if it does not say.
        "from": str,
        # See `from`.
        "to": str,
        # Its length in octets.
        "length": int,
        # Its rate in Mbit/s.
        "mbps": float | None,
        # Its signal in dBm.
        "signal_dbm": int | None,
        # Whether the retry bit is set, or TCP had sent its octets before.
        "again": bool,
        # What else it says.
        "says": str,
        # Whether the finding names it.
        "named": bool,
    },
)
"""A record in a line."""


class Excerpt(TypedDict):
    """The records around a finding."""

    # The capture, by its place among the captures.
    capture: int
    # The records, in their order.
    rows: list[ExcerptRow]


class FailedKeys(TypedDict):
    """A handshake of keys in which an access point sent a message again and again."""

    # The access point.
    bssid: str
    # The message: 1, or 3, which follows a message 2 that was right.
    message: int
    # How often it was sent, each time with a new replay counter (802.11-2020 clause 12.7.6.6).
    tries: int
    # How many messages 2 were answered by message 1 again, and how many of them had been acknowledged.
    answered: int
    # See `answered`.
    acknowledged: int
    # Whether the access point said that the handshake timed out.
    timed_out: bool
    # When its first and its last message were heard, in seconds since the first record of all captures.
    span_s: list[float]


class Finding(TypedDict):
    """What a rule found, and how it goes with what others found."""

    # The rule's code.
    code: str
    # The rule's name.
    name: str
    # What it means for somebody who uses the network.
    means: str
    # The finding below which it stands, by its place: it follows from that, or is the reason for it; none if it stands
    # by itself.
    below: int | None
    # Whether it is the reason for the finding above it, and does not follow from it.
    is_reason: bool
    # What it concerns: a station, a link, a connection.
    subject: str
    # When, in seconds since the first record of all captures.
    spans: list[list[float]]
    # The number that decided.
    value: float
    # What it was compared with.
    threshold: float
    # The unit of both.
    unit: str
    # How sure the rule is, from 0 to 1.
    confidence: float
    # What it cost.
    cost: Cost
    # The capture, by its place among the captures, and numbers of some of its records that show it.
    capture: int
    # See `capture`.
    frames: list[int]
    # A display filter of Wireshark that shows these and their like.
    filter: str
    # What was seen, in one or two sentences with the numbers.
    says: str
    # What helps; a command where there is one.
    remedy: str
    # What would show that it is wrong.
    refuted_by: str


class FloodSeen(TypedDict):
    """SYNs that nothing answers, from an address each, or all to one end (RFC 4987 section 2)."""

    # The capture, by its place among the captures.
    capture: int
    # SYNs, each sent once and without an answer.
    syns: int
    # The addresses that they come from.
    sources: int
    # Addresses and ports that they go to.
    ends: int
    # The one of these where it is one.
    to: str | None
    # From the first to the last, in seconds since the first record of all captures.
    span_s: list[float]


FlowLayers = TypedDict(
    "FlowLayers",
    {
        # Address and port of the end that sends.
        "from": str,
        # Address and port of the other.
        "to": str,
        # Octets of payload.
        "octets": int,
        # Octets of payload in a full segment.
        "segment": int,
        # Mbit/s that the receiver acknowledged.
        "goodput": Line,
        # Whether the capture was made at the receiver, so that no round trip of the way shows.
        "at_receiver": bool,
        # Round trips in ms from the place of the capture: their mean, and the longest.
        "rtt": Line,
        # See `rtt`.
        "rtt_most": Line,
        # The mean of those to the sender and back, where the capture was made elsewhere.
        "rtt_sender": Line,
        # What is outstanding at the sender in kB, the mean.
        "flight": Line,
        # Segments that were sent again, by what made the sender send them: bins with their number.
        "again": dict[str, list[tuple[int, float]]],
    },
)
"""A flow over time."""


class HolesSeen(TypedDict):
    """Holes in what came to a receiver: its program gets nothing of what lies behind one."""

    # How many there were; those that were there at the same time are one.
    times: int
    # For how many seconds half of them lasted at most, from what came first behind one to what filled it.
    median_s: float
    # For how many seconds the longest lasted.
    longest_s: float
    # For how many seconds there was any.
    all_s: float


class OvertakenSeen(TypedDict):
    """The packets of a flow that came to a capture behind later ones."""

    # How many.
    packets: int
    # How many segments lay between such a packet and the last that had come: the median, and the most.
    segments: int
    # See `segments`.
    most: int
    # The longest time in ms from the first that overtook such a packet to it.
    late_ms: float
    # The capture nearer to the sender that has them in order, by its place among the captures: they overtake each other
    # between the two. None without any.
    in_order_at: int | None


class ResetSeen(TypedDict):
    """A reset (RST) of a connection."""

    # The end that sent it, or in whose name it came: "sender" or "receiver" of the data.
    by: str
    # When, in seconds since the first record of all captures.
    at_s: float
    # Octets that had not been acknowledged then.
    outstanding: int
    # Whether that end had closed the connection before (FIN): it resets what still comes.
    closed: bool
    # Its TTL or hop limit and that of all other packets of that end, where these are of another distance: a device on
    # the way may have sent it.
    hops: list[int] | None
    # Whether that end goes on as if nothing had been, so that another device sent it.
    went_on: bool


class SlowSeen(TypedDict):
    """Spells in which a flow went much slower than it mostly did, though its sender always waited."""

    # How fast it mostly went, in Mbit/s: the median of its seconds.
    usual_mbps: float
    # How fast it went in these spells, in Mbit/s.
    mbps: float
    # When they were, in seconds since the first record of all captures.
    spans_s: list[list[float]]


class SlowsDownSeen(TypedDict):
    """A flow that became slower for good."""

    # When, in seconds since the first record of all captures.
    at_s: float
    # How fast it mostly went before that, and behind it, in Mbit/s: the medians of their seconds.
    before_mbps: float
    # See `before_mbps`.
    behind_mbps: float


FlowSeen = TypedDict(
    "FlowSeen",
    {
        # The capture, by its place among the captures.
        "capture": int,
        # Address and port of the end that sends.
        "from": str,
        # Address and port of the other.
        "to": str,
        # Where on the way the capture was made: "sender", "middle", "receiver" or "unknown".
        "seen_from": str,
        # Whether routers lie between the receiver and where the capture was made, by the TTL or hop limit of its
        # packets.
        "receiver_routed": bool,
        # Whether it was made so near to the sender that `limits` are those that the sender saw.
        "near_sender": bool,
        # The shortest time in ms from where the capture was made to the sender and back; none if that is not known.
        "to_sender_ms": float | None,
        # Whether no packet of it lies in the file behind one that is stamped so much later (0.1 ms) that its way to an
        # end looks shorter than it is.
        "in_order": bool,
        # Whether of all captures this one tells most of these data.
        "tells_most": bool,
        # Whether the handshake was captured.
        "handshake": bool,
        # Whether the capture has packets of the receiver, too.
        "both_ways": bool,
        # Packets without payload by which the receiver acknowledged something new.
        "bare_acks": int,
        # How long the answer to the SYN took in ms, where something nearer than the receiver acknowledges for it:
        # `rtt_ms` is to that. None elsewhere.
        "proxied_ms": float | None,
        # The same where something nearer acknowledges for the sender, which sends from behind it: what keeps that from
        # sending more does not show.
        "behind_ms": float | None,
        # When data went, in seconds since the first record of all captures.
        "span_s": list[float] | None,
        # Whether a router said of its packets that they are too big: what comes by as sent again by a timer may have
        # been sent for that.
        "too_big": bool,
        # What ended it by a reset before its sender had ended it (FIN); none if nothing did.
        "reset": ResetSeen | None,
        # Octets of payload, those that were sent again among them.
        "bytes": int,
        # Octets of payload, each once.
        "new_bytes": int,
        # Octets that the receiver acknowledged, each once, as far as the capture shows.
        "acknowledged": int,
        # The same in Mbit/s between the first payload and the last.
        "mbps": float,
        # Packets with payload.
        "packets": int,
        # Segments with payload, as they went over the wire: a packet of the capture may hold several.
        "segments": int,
        # Those that came with a congestion mark (ECN), as the capture has them or the receiver counts them (RFC 9768),
        # at least; and how often the sender said that it has reduced its window for one (CWR, RFC 3168).
        "marked": int,
        # See `marked`.
        "reduced": int,
        # Octets that were acknowledged though the capture does not have them, but for those sent before it began.
        "missing": int,
        # The part of all that was acknowledged that the capture does not have, whenever it was sent.
        "missing_share": float,
        # Packets of it that lie in no window of the receiver, and far from all: damaged, injected, or of another
        # connection.
        "outside": int,
        # Segments that reached beyond the receiver's window, whose edge the capture has; and segments that were sent
        # again since they had: zero where that does not show.
        "overran": int,
        # See `overran`.
        "thrown_away": int,
        # Reports of the receiver that something came twice of which the capture does not have the second time (D-SACK).
        "twice": int,
        # The longest time in seconds for which what the receiver's SACKs report had waited behind a hole, as far as
        # they show.
        "hole_s": float,
        # What came to the receiver behind what was lost, if the capture was made there; none elsewhere, and where
        # nothing was lost.
        "holes": HolesSeen | None,
        # The longest time in seconds for which data was outstanding, and nothing new was sent or acknowledged.
        "still_s": float,
        # The longest time in seconds for which nothing that passed the capture came through to the sender, which sent
        # again what had been acknowledged, with the same acknowledgment and echo; zero where that does not show.
        "cut_off_s": float,
        # For how many seconds the receiver's window was closed.
        "closed_s": float,
        # How often a part of a segment went just as an acknowledgment came that was held back for 30 ms or longer, as
        # seen near the sender, and for how many seconds these were held back in all.
        "held": int,
        # See `held`.
        "held_s": float,
        # The longest time in seconds for which a packet waited between its sender's TCP and the capture in the same
        # host, beyond the quickest, by the sender's clock values (RFC 7323); zero where the capture was made elsewhere,
        # or that does not show.
        "waited_s": float,
        # Segments that were sent again: all, by what made the sender send them, and those with data that were not
        # needed.
        "retransmissions": dict[str, int],
        # The shortest round trip and quantiles in ms, between the place of the capture and the receiver.
        "rtt_ms": dict[str, float],
        # What kept the sender from sending more, as shares of its time.
        "limits": dict[str, float],
        # Whether it is many times as fast as its losses let a sender be that halves its window for each (Mathis et al.
        # 1997): it does not go by single ones.
        "heedless": bool,
        # What the sender usually sends before it waits until all of it is acknowledged; none if it never did.
        "batches": BatchesSeen | None,
        # How often the data stood still, by reason.
        "stalls": dict[str, int],
        # What came to a host's capture behind later packets; none if nothing that matters did.
        "overtaken": OvertakenSeen | None,
        # What of it was lost on the way to the air: a host's capture has it, and the monitor's has it only as it was
        # sent again. None if nothing that matters was, or if that does not show.
        "before_air": BeforeAirSeen | None,
        # The spells in which it went slower than it mostly did; none if there are none, or it says nothing of the way.
        "slow": SlowSeen | None,
        # When it became slower, and stayed so to its end; none where `slow` says it, of one that goes on, and where its
        # program limits it, if a capture near its sender shows that.
        "slows_down": SlowsDownSeen | None,
    },
)
"""The data of a connection in one direction."""


class GroupSeen(TypedDict):
    """Data to groups: broadcast and multicast."""

    # MPDUs.
    mpdus: int
    # Their mean rate in Mbit/s.
    mbps: float | None
    # Air time in seconds.
    airtime_s: float
    # The length of the capture in seconds.
    of_s: float


PingLayers = TypedDict(
    "PingLayers",
    {
        # The host that asks.
        "from": str,
        # The host that answers.
        "to": str,
        # Whether the capture was made at the host that answers, so that no round trip shows.
        "at_answerer": bool,
        # Round trips in ms from the place of the capture, the mean.
        "rtt": Line,
        # Requests that were answered, in the bin in which they were asked.
        "answered": Line,
        # The same of those without an answer, but for those to which one may still come.
        "lost": Line,
    },
)
"""ICMP echo between two hosts over time."""

StreamLayers = TypedDict(
    "StreamLayers",
    {
        # The sender's address and port; of the small ones together none.
        "from": str,
        # The receiver's.
        "to": str,
        # Octets of payload.
        "octets": int,
        # Mbit/s that came to where the capture was made.
        "goodput": Line,
        # Packets that came, of RTP, or of those that one host's capture has and another should have.
        "packets": Line,
        # Those that are missing.
        "missing": Line,
        # The jitter of RTP in ms.
        "jitter": Line,
    },
)
"""Streams over time."""


class Layers(TypedDict):
    """All layers over one axis of time."""

    # From the first record of all captures to the last, in seconds.
    length_s: float
    # The width of a bin in seconds; the first begins at zero.
    width_s: float
    # The flows that carry most, the largest first.
    flows: list[FlowLayers]
    # How many flows carry the rest, and what they deliver together in Mbit/s.
    small_flows: int
    # See `small_flows`.
    small_goodput: Line
    # The streams of UDP that carry most, the largest first, and the others together behind them.
    streams: list[StreamLayers]
    # ICMP echo between hosts, the pairs with most requests first.
    pings: list[PingLayers]
    # The air; none without a capture of it.
    air: AirLayers | None


LeavesSeen = TypedDict(
    "LeavesSeen",
    {
        # The transmitter that they name, which may be forged.
        "from": str,
        # How many, and how many of them were for all stations.
        "frames": int,
        # See `frames`.
        "to_all": int,
        # From when until when, in seconds since the first record of all captures.
        "span_s": list[float],
    },
)
"""Deauthentications and disassociations that name a transmitter, each once."""


class LetInSeen(TypedDict):
    """Requests to associate of a station that was let in later."""

    # The access point that refused the last.
    by: str
    # Answers that refuse, each once.
    times: int
    # The status of the last of them (802.11-2020 table 9-50), as a number and in words.
    status: int
    # See `status`.
    why: str
    # When the first of them was captured, and the answer that let the station in, in seconds since the first record of
    # all captures.
    span_s: list[float]


class LetsSeen(TypedDict):
    """What a signal lets a link carry if no other station sends, as payload."""

    # At the rates in use, in Mbit/s.
    mbps: float
    # At those that a strong signal would let it use with the same streams, in Mbit/s: the least, since more streams or
    # faster rates may be possible.
    strong_mbps: float


LinkSeen = TypedDict(
    "LinkSeen",
    {
        # The transmitter.
        "from": str,
        # The receiver.
        "to": str,
        # PPDUs: each MPDU counts as one where the capture does not tell which went together (`together`).
        "ppdus": int,
        # See `ppdus`.
        "together": bool,
        # MPDUs.
        "mpdus": int,
        # Those of them that were retries.
        "retried": int,
        # PPDUs of four MPDUs and more that repeat one of which nothing was acknowledged, and one of which a part was.
        "lost_whole": int,
        # See `lost_whole`.
        "lost_in_part": int,
        # PPDUs with retries, and PPDUs behind which more waited.
        "again": int,
        # See `again`.
        "pressed": int,
        # Bursts of retries without any answer, of four PPDUs and 5 ms at least.
        "storms": int,
        # PPDUs whose answer was heard.
        "answered": int,
        # PPDUs with a request to send before them.
        "requested": int,
        # How closely PPDUs begin on a beat of 1 ms, from 0 to 1: of those that neither the air nor data for their
        # sender let go.
        "beat": float | None,
        # Octets of frame bodies.
        "octets": int,
        # The mean rate of its MPDUs in Mbit/s.
        "mbps": float | None,
        # Air time in seconds, without answers and gaps.
        "airtime_s": float,
        # Signal over noise between the two in dB.
        "snr_db": float | None,
        # What this lets it carry, of what a strong one would; none where it is strong, where nothing shows that more
        # was there to be sent, or that it is the signal that makes rates slow.
        "lets": LetsSeen | None,
        # How it changes, if it does.
        "change": ChangeSeen | None,
        # The noise that this is over in dBm, where the monitor told none: a usual one.
        "assumed_noise_dbm": float | None,
        # The share of its frames that the monitor heard, by the answers to them, or by long gaps in packet numbers if
        # that is less: all counts here are of those. None if too few answers were heard.
        "heard": float | None,
        # MPDUs of which no frame was heard, though those around them were, by sequence numbers and packet numbers.
        "left_out": int,
        # Those of its sender's common count, which may be of this or of other frames: management frames, data to groups
        # or to others.
        "perhaps_left_out": int,
    },
)
"""Data from a radio to another."""


class LostSeen(TypedDict):
    """Packets of a stream that one capture has and another has not."""

    # The captures, by their places, in the order in which packets pass them.
    captures: list[int]
    # Packets of the first that were looked for, between the first and the last that both have; a sample, if there are
    # many.
    sought: int
    # Those of them that the second does not have.
    missing: int


OpeningSeen = TypedDict(
    "OpeningSeen",
    {
        # The capture, by its place among the captures.
        "capture": int,
        # Address and port of the end that opened it.
        "from": str,
        # Address and port of the other.
        "to": str,
        # When the first SYN was captured, in seconds since the first record of all captures.
        "at_s": float,
        # From then to the packet that ends the handshake, in seconds.
        "took_s": float,
        # SYNs that were sent until then.
        "syns": int,
        # SYN-ACKs that were sent until then.
        "answers": int,
        # Whether the first SYN was answered by an acknowledgment of an earlier connection of the same ports.
        "was_known": bool,
        # Which of several SYNs the first SYN-ACK answers, counted from 1, by the clock value that it echoes (RFC 7323);
        # none where that does not show.
        "answered": int | None,
    },
)
"""A connection that opened late, as a host's capture shows it."""


class PassageSeen(TypedDict):
    """The way of packets from one capture to another."""

    # The captures that they pass, by their places among the captures, in this order.
    captures: list[int]
    # Their source and destination.
    ends: list[str]
    # Packets of the sample that both captures have.
    packets: int
    # The shortest time between the two and quantiles in ms.
    delay_ms: dict[str, float]


class PhaseSeen(TypedDict):
    """A part of a roam."""

    # Its first frame.
    from_s: float
    # From that to its last one, in ms; null if one end alone was heard, of a scan if one frame alone was, or if the two
    # are by clocks that have nothing in common.
    ms: float | None
    # Its frames: from the station, and to it.
    frames: list[int]


PingsSeen = TypedDict(
    "PingsSeen",
    {
        # The capture, by its place among the captures.
        "capture": int,
        # The host that asks.
        "from": str,
        # The host that answers.
        "to": str,
        # Whether of all captures this one tells most of it: one at the host that answers tells less than any other.
        "tells_most": bool,
        # Whether the capture was made at the host that answers, so that no time passes between a request and its
        # answer.
        "at_answerer": bool,
        # From the first packet to the last, in seconds since the first record of all captures.
        "span_s": list[float],
        # Requests, and those of them of which an answer was captured.
        "requests": int,
        # See `requests`.
        "answered": int,
        # Requests without an answer as the capture ends, or before a minute and more without any record, to which one
        # may still come: within twice the longest round trip, or a second.
        "open": int,
        # Requests to which an ICMP error came instead of an answer, as to those of a traceroute, whose hops run out.
        "returned": int,
        # Answers to no request that was captured.
        "unasked": int,
        # Octets of data in requests and answers.
        "bytes": int,
        # The most in one of them.
        "longest": int,
        # The shortest round trip and quantiles in ms, between the place of the capture and the host that answers.
        "rtt_ms": dict[str, float],
    },
)
"""What one host asks another by ICMP echo, as a capture shows it."""


class RefusedSeen(TypedDict):
    """Requests to associate of a station that was never let in."""

    # The access point that refused the last.
    by: str
    # Answers that refuse, each once; requests that were heard, each once.
    times: int
    # See `times`.
    asked: int
    # The status of the last answer (802.11-2020 table 9-50), as a number and in words.
    status: int
    # See `status`.
    why: str
    # When the first and the last answer was captured, in seconds since the first record of all captures.
    span_s: list[float]


class RoamCapture(TypedDict):
    """A capture, and what put it on the clock of the first monitor."""

    # The file, with the interface where it has several.
    name: str
    # "air", "host", or neither.
    place: str | None
    # What put it on the clock of the first monitor: "reference" of that one itself, "beacons" that both heard,
    # "packets" that both have, or "stamps", its own, which were taken as they are.
    clock: str


class RoamTcp(TypedDict):
    """What TCP saw of a roam, from the last data before it to a second behind its end."""

    # The capture that tells it, by its place among the captures.
    capture: int
    # The longest time without a packet of a connection that was not idle, or whose timer shows that it waited, in ms.
    silence_ms: float
    # Segments that were sent again, and those of them by the timer; null if there are too many to tell.
    again: int | None
    # See `again`.
    timeouts: int | None


RoamSeen = TypedDict(
    "RoamSeen",
    {
        # The station.
        "station": str,
        # "roam", "anew" with the same access point, or "join" where the monitors heard none before.
        "kind": str,
        # The access point before.
        "from": str | None,
        # The access point after.
        "to": str,
        # When its first frame was heard, of the exchange or of data.
        "at_s": float,
        # Centre frequencies in MHz of the channels on which the two were heard.
        "channels_mhz": list[int | None],
        # Signal in dBm at the monitor before and after: of the station's frames, and of the access points'.
        "station_dbm": list[float | None],
        # See `station_dbm`.
        "ap_dbm": list[float | None],
        # Probe requests before it, with their answers.
        "scan": PhaseSeen | None,
        # Authentication, or the request for a fast transition.
        "authentication": PhaseSeen | None,
        # How: "open", "shared key", "FT", "SAE", "FILS", "LEAP", "FT over the DS", or "other".
        "method": str | None,
        # Requests to associate, and answers.
        "association": PhaseSeen | None,
        # "association" or "reassociation", as the station asked.
        "asked": str | None,
        # The last answer's status, zero for success (802.11-2020 table 9-50).
        "status": int | None,
        # EAP.
        "eap": PhaseSeen | None,
        # The handshake of keys.
        "keys": PhaseSeen | None,
        # Deauthentications and disassociations since the last data.
        "left": int,
        # The reason of the last of them (802.11-2020 table 9-49).
        "reason": int | None,
        # The last data with the access point before.
        "last_data_s": float | None,
        # The first data from the station, and to it, with the one after.
        "first_up_s": float | None,
        # See `first_up_s`.
        "first_down_s": float | None,
        # From the last data to the first, or to the end of the exchange where nobody had anything to send, in ms; null
        # unless both are by one clock.
        "gap_ms": float | None,
        # What its TCP connections saw; null where none can be read, or none was busy.
        "tcp": RoamTcp | None,
    },
)
"""A roam. Times are in seconds since the first record of all captures; what was not heard is null, and so is what
was heard by a clock that has nothing in common with that of `at_s`."""


class Roams(TypedDict):
    """All roams."""

    # The captures, in their order, and what put each on the clock of the first monitor.
    captures: list[RoamCapture]
    # The roams, in the order in which they began.
    roams: list[RoamSeen]
    # How many more there were.
    left_out: int


class RtpSourceSeen(TypedDict):
    """What is missing of one source of RTP: a stream may carry a picture, a voice, and what repairs either."""

    # Its number (SSRC).
    source: int
    # Packets that were sent from the first to the last.
    sent: int
    # Those of them that did not come.
    missing: int
    # The most of these in a row.
    in_a_row: int


class RtpSeen(TypedDict):
    """What the numbers of RTP tell."""

    # Packets that were sent from the first to the last.
    sent: int
    # Those of them that did not come to where the capture was made.
    missing: int
    # The mean interarrival jitter in ms (RFC 3550 section 6.4.1); none where the clock of the stamps is not known.
    jitter_ms: float | None
    # Each of its sources, up to eight, those with most missing first.
    sources: list[RtpSourceSeen]
    # The most packets in a row that are missing.
    hole: int
    # When the packets before and behind these came, in seconds since the first record of all captures.
    hole_s: list[float]
    # Spells of 200 ms and longer in which no packet came though the stamps went on, and then packets came faster than
    # they were sent.
    stalls: int
    # The longest of them in seconds.
    stalled_s: float
    # Whether all that was due by then came within 200 ms behind it.
    at_once: bool
    # By how much longer a packet was on its way than the fastest before it, at most, by its stamp, in seconds: where
    # packets came a second late or more, and made up for half of it. Else 0.
    late_s: float
    # From the first to the last of these, in seconds since the first record of all captures.
    late_span_s: list[float]
    # The longest time without packets for which the stamps account, in seconds: their sender paused.
    paused_s: float


class Rule(TypedDict):
    """A rule. Its texts are its page in the docs."""

    # Its code, which stays what it is.
    code: str
    # Its name: what is wrong.
    name: str
    # What a finding of it means for somebody who uses the network, in a sentence or two without a word of the trade.
    means: str
    # What it needs: "air" for a capture of a monitor, "TCP" for one in which TCP can be read, or other packets in
    # words.
    needs: str
    # What it computes, and with what it compares it.
    computes: str
    # What looks alike and is not taken for it, and what tells the two apart.
    traps: str
    # What would show that a finding is wrong.
    refuted_by: str


ScanSeen = TypedDict(
    "ScanSeen",
    {
        # The capture, by its place among the captures.
        "capture": int,
        # The host that asked.
        "from": str,
        # The host whose ports it asked.
        "to": str,
        # Ports that it asked.
        "ports": int,
        # Those of them that did not answer, that refused (RST), and that are open.
        "silent": int,
        # See `silent`.
        "refused": int,
        # See `silent`.
        "open": int,
        # The first open ones.
        "open_ports": list[int],
        # Open ones whose SYN-ACK was never acknowledged.
        "unacknowledged": int,
        # From the first SYN to the last packet, in seconds since the first record of all captures.
        "span_s": list[float],
    },
)
"""A scan of one host's ports, as a capture of a host shows it."""


class SwitchSeen(TypedDict):
    """An announcement of an access point that it goes to another channel (802.11-2020 clause 9.4.2.18)."""

    # The number of that channel.
    channel: int
    # The first and the last beacon that said so, in seconds since the first record of all captures.
    span_s: list[float]
    # What the last of them said: how many beacons were left.
    count: int
    # Whether stations were to send nothing until then.
    quiet: bool
    # The next beacon on the channel that was captured; none if no other was heard there.
    next_s: float | None
    # The record of the first.
    frame: int


class TurnedAwaySeen(TypedDict):
    """Answers to frames of a station that has no association: they end nothing (802.11-2020 clause 11.3.4.1)."""

    # The access point of the last.
    by: str
    # How many, each once.
    frames: int
    # The reason of the last, 6 or 7 (802.11-2020 table 9-49).
    reason: int
    # When the first and the last was captured, in seconds since the first record of all captures.
    span_s: list[float]


class UnansweredSeen(TypedDict):
    """BlockAck requests, or PPDUs with data, between which their receiver was not heard, nor acknowledged."""

    # How many.
    frames: int
    # How many sequence numbers these data had: as many MPDUs, each tried again and again.
    mpdus: int
    # Their air time in seconds.
    airtime_s: float
    # When the first and the last were sent, in seconds since the first record of all captures.
    span_s: list[float]


class StationSeen(TypedDict):
    """A radio."""

    # Its address.
    mac: str
    # "ap" or "station".
    kind: str
    # The network: its access point's address, and its name as beacons say it.
    bssid: str | None
    # See `bssid`.
    ssid: str | None
    # The channel on which most of its frames were heard, in MHz; none if the monitor's radio names none.
    channel_mhz: int | None
    # Spells between PM=1 and PM=0, in seconds since the first record of all captures; the last one up to the end of the
    # capture if no PM=0 came.
    dozes: list[list[float]]
    # How many spells there were; the first 4096 are listed.
    dozes_total: int
    # Whether the last spell goes on as the capture ends.
    asleep: bool
    # Times in which it was deauthenticated or disassociated, but for frames to groups.
    leaves: int
    # Associations that were granted, each answer once.
    joins: int
    # Reassociations with the access point that it had, without authentication before them: a request that was said
    # again, as in a replay, or other settings.
    rejoins: int
    # When it was last heard within its network, and when it joined that anew, a second later at least, without a word
    # that it had left: the first time, in seconds since the first record of all captures.
    anew: list[float] | None
    # Times in which no frame of it was heard, after it had dismissed all its stations or while it answered none of many
    # frames of theirs, in seconds since the first record of all captures.
    outages: list[list[float]]
    # Its announcements that it goes to another channel, the first 16.
    switches: list[SwitchSeen]
    # Its requests to associate that were refused; none if it was ever let in.
    refused: RefusedSeen | None
    # Its requests that were refused before one was granted, of which that took longest; none if none were.
    let_in: LetInSeen | None
    # What told it that an access point does not know it; none if nothing did.
    turned_away: TurnedAwaySeen | None
    # Handshakes of keys that did not come to their end, the first 64.
    failed_keys: list[FailedKeys]
    # How many there were.
    failed_keys_total: int
    # Why it was: the reasons of 802.11-2020 table 9-49, at most the three with the lowest numbers.
    why_left: list[str]
    # The most requests for a BlockAck in a row between which there was no sign of it; none if it was asked for none.
    unanswered: UnansweredSeen | None
    # The most PPDUs with data for it in a row between which there was no sign of it; none if there were none.
    void: UnansweredSeen | None
    # Frames of it that were heard.
    frames: int
    # Those of them that were retries.
    retries: int
    # Air time of its frames in seconds.
    airtime_s: float


StreamSeen = TypedDict(
    "StreamSeen",
    {
        # The capture, by its place among the captures.
        "capture": int,
        # Address and port of the sender.
        "from": str,
        # Address and port of the receiver.
        "to": str,
        # Whether of all captures this one tells most of it.
        "tells_most": bool,
        # From its first packet to its last, in seconds since the first record of all captures.
        "span_s": list[float],
        # Packets.
        "packets": int,
        # Octets of payload.
        "bytes": int,
        # The same in Mbit/s while it went.
        "mbps": float,
        # How often it went, with two minutes and more without a packet in between, and for how many seconds in all.
        "runs": int,
        # See `runs`.
        "lasted_s": float,
        # Whether nothing at all of the receiver, which is one host, is in the capture, made at a host, though it has
        # what others answered the sender.
        "nothing_back": bool,
        # Packets that came with a congestion mark, by which a queue tells their sender to slow down.
        "marked": int,
        # Whether packets come at an even pace.
        "steady": bool,
        # The longest time between two packets of a run in seconds.
        "silence_s": float,
        # What its numbers tell; none of a stream that is not RTP, on the air, where a monitor may miss packets that
        # arrive, and where several packets were put together.
        "rtp": RtpSeen | None,
        # What is lost of it between two hosts' captures, this one and another: where most is, if there are several
        # others.
        "lost": LostSeen | None,
    },
)
"""What one port sends to another by UDP, as a capture shows it."""


class SummedUp(TypedDict):
    """Findings of a rule about many connections, stations or links of a capture, of which one stands for all."""

    # The rule's code.
    code: str
    # The capture, by its place among the captures.
    capture: int
    # The subject of the finding that stands for them: that of the greatest cost.
    subject: str
    # How many more there are.
    more: int


TooBigSeen = TypedDict(
    "TooBigSeen",
    {
        # The capture, by its place among the captures.
        "capture": int,
        # The router.
        "by": str,
        # The host that sent them.
        "from": str,
        # The host to which they were on their way.
        "to": str,
        # The most that fits, in octets with the IP header, the least that it said; none if it does not say.
        "most": int | None,
        # How often it said so.
        "times": int,
        # The first time and the last, in seconds since the first record of all captures.
        "span_s": list[float],
    },
)
"""What one router says of packets that were too big for their way (ICMP "fragmentation needed", ICMPv6 "packet too
big")."""

UnheardSeen = TypedDict(
    "UnheardSeen",
    {
        # The transmitter.
        "from": str,
        # The receiver; none if it is not known.
        "to": str | None,
        # Its MPDUs whose arrival BlockAcks and ACKs showed. What an ACK answers may be no data.
        "answers": int,
    },
)
"""A direction of which no data was heard."""

UnreachableSeen = TypedDict(
    "UnreachableSeen",
    {
        # The capture, by its place among the captures.
        "capture": int,
        # Which one says so.
        "by": str,
        # The host that sent them.
        "from": str,
        # The host to which they were on their way.
        "to": str,
        # The port of UDP or TCP that they were for.
        "port": int | None,
        # Why: "protocol" if the host does not speak that of the packets, "port" if nothing listens there, "forbidden"
        # if a rule does not let them pass, "gone" if the host or its network is not there.
        "why": str,
        # How often it said so.
        "times": int,
        # The first time and the last, in seconds since the first record of all captures.
        "span_s": list[float],
    },
)
"""What one host or router says of packets for which nobody is there (ICMP and ICMPv6 "destination unreachable")."""


class Diagnosis(TypedDict):
    """All that was found."""

    # The captures in the files: one for each interface that has records.
    captures: list[CaptureSeen]
    # The place among them of the capture whose clock all times are on.
    reference: int
    # Radios that were heard, access points among them, and stations that were deauthenticated or disassociated.
    stations: list[StationSeen]
    # Data between stations and access points.
    links: list[LinkSeen]
    # Data between radios of which none is the other's access point.
    direct: list[DirectSeen]
    # The data of TCP connections, each direction by itself, as each capture shows it.
    connections: list[FlowSeen]
    # Directions between stations and access points of which no data was heard, though answers to it were.
    unheard: list[UnheardSeen]
    # Data to groups; none without a capture of the air, or without such data.
    group: GroupSeen | None
    # Deauthentications and disassociations, by transmitter.
    leaves: list[LeavesSeen]
    # Attempts to open TCP connections that failed, and how many more there are.
    attempts: list[AttemptSeen]
    # See `attempts`.
    attempts_left_out: int
    # Floods of SYNs.
    floods: list[FloodSeen]
    # Scans of ports; their attempts are not among `attempts`.
    scans: list[ScanSeen]
    # Connections that opened late, since a SYN or its answer was sent again: the first two hundred; how many more there
    # are.
    openings: list[OpeningSeen]
    # See `openings`.
    openings_left_out: int
    # Streams of UDP, each direction by itself, as each capture shows it.
    streams: list[StreamSeen]
    # ICMP echo, each pair of hosts as each capture of a host shows it.
    pings: list[PingsSeen]
    # What routers say of packets that were too big for their way.
    too_big: list[TooBigSeen]
    # What hosts and routers say of packets for which nobody is there.
    unreachable: list[UnreachableSeen]
    # How long packets took between two captures, where their clocks could be compared.
    passages: list[PassageSeen]
    # What rules found: what concerns the network of the captured hosts first, and of that what costs the greatest part;
    # what follows from a finding right behind it.
    findings: list[Finding]
    # Which of them stand for findings of many connections, stations or links.
    summed_up: list[SummedUp]
    # Which rules cannot tell.
    abstained: list[Abstained]
