"""The shape of a bundle's `summary.json`; units are in the names, rates are per second of simulated time."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from msgspec import Meta

from airloom.support.reading import shaped

SCHEMA: Final = "airloom-summary/1"
"""The name and the version of the schema."""

LONGEST = 86_400.0
"""The longest run, in seconds."""

Count = Annotated[int, Meta(ge=0)]

Number = Annotated[float, Meta(ge=-1e15, le=1e15)]
"""A number that can still be added to others and written out; nothing that is measured comes near its bounds."""

Seconds = Annotated[float, Meta(ge=0, le=2 * LONGEST)]
"""A time since the run's start; some lie beyond its end."""

NEEDED: Final = {
    "tcp": (
        "congestion",
        "goodput_mbps",
        "bytes_delivered",
        "retransmissions",
        "timeouts",
        "cwnd_mean",
        "cwnd_max",
        "rtt_mean_ms",
    ),
    "udp": ("goodput_mbps", "bytes_delivered", "sent", "lost", "delay_mean_ms"),
    "ping": ("sent", "answered", "lost", "rtt_mean_ms", "rtt_median_ms", "rtt_p95_ms", "rtt_max_ms"),
}
"""What there is of every flow of a kind."""


class Flow(TypedDict):
    """One flow over its own time; what there is beside its name and its ends depends on its kind.

    `start_s`, `end_s` and `time_share` say when that is, where it is not all the time that was measured.
    """

    name: str
    group: NotRequired[str]
    kind: Literal["tcp", "udp", "ping"]
    to: str
    start_s: NotRequired[Seconds]
    end_s: NotRequired[Seconds]
    time_share: NotRequired[Annotated[float, Meta(ge=0, le=1)]]
    goodput_mbps: NotRequired[Number]
    share: NotRequired[Number | None]
    congestion: NotRequired[str]
    bytes_written: NotRequired[Count]
    bytes_delivered: NotRequired[Count]
    bytes_held: NotRequired[Count]
    retransmissions: NotRequired[Count]
    timeouts: NotRequired[Count]
    recoveries: NotRequired[Count]
    local_drops: NotRequired[Count]
    undone: NotRequired[Count]
    cwnd_mean: NotRequired[Number | None]
    cwnd_max: NotRequired[Number]
    in_flight_mean: NotRequired[Number | None]
    srtt_mean_ms: NotRequired[Number | None]
    rtt_mean_ms: NotRequired[Number | None]
    sent: NotRequired[Count]
    delivered: NotRequired[Count]
    answered: NotRequired[Count]
    lost: NotRequired[Count]
    delay_mean_ms: NotRequired[Number | None]
    delay_median_ms: NotRequired[Number | None]
    delay_p95_ms: NotRequired[Number | None]
    delay_p99_ms: NotRequired[Number | None]
    rtt_median_ms: NotRequired[Number | None]
    rtt_p95_ms: NotRequired[Number | None]
    rtt_p99_ms: NotRequired[Number | None]
    rpm: NotRequired[Number | None]
    rtt_max_ms: NotRequired[Number | None]


# `from` is a word of the language, so this key cannot be an attribute of the class above.
FlowEnds = TypedDict("FlowEnds", {"from": str})


class FlowSummary(Flow, FlowEnds):
    """A flow with both its ends."""


class Queue(TypedDict):
    """One queue of a node: `layer` says which.

    Beside the discipline, the driver and what waits for a processor there are those of a server's link: `link` before
    it, `link_to` at its other end. Bundles of earlier versions have the drops of the first of them alone.
    """

    layer: str
    mean_packets: NotRequired[Number]
    max_packets: NotRequired[Number]
    mean_sojourn_ms: NotRequired[Number | None]
    drops: Count
    marks: NotRequired[Count]


class Hold(TypedDict):
    """A spell in which an adapter received frames and did not pass them on."""

    start_s: Seconds
    end_s: Seconds


# `in` is a word of the language, so this key cannot be an attribute of the class below.
BusIn = TypedDict("BusIn", {"in": Count})


class Bus(BusIn):
    """What a USB bus carried: transactions and packets, and when its adapter held packets back."""

    out: Count
    out_refused: Count
    out_packets: Count
    in_packets: Count
    holds: list[Hold]


class Link(TypedDict):
    """What one of several links of a node carries of what it sends; `name` is what the series calls it."""

    name: str
    band: str
    channel: Count
    width: str
    ampdus: Count
    mpdus: Count
    mpdus_per_ampdu: Number | None
    mac_rate_mbps: Number | None
    mpdu_retries: Count
    airtime_share: Number


class Node(TypedDict):
    """One machine; those without a radio have no rates.

    `ap` is the access point, one of several, of a station; `signal_*` is there of a station that has a place, `links`
    of a node that has several at once.
    """

    name: str
    group: NotRequired[str]
    kind: Literal["station", "ap", "server"]
    ap: NotRequired[str]
    signal_min_db: NotRequired[Number]
    signal_median_db: NotRequired[Number]
    ampdus: NotRequired[Count]
    mpdus_per_ampdu: NotRequired[Number | None]
    mac_rate_mbps: NotRequired[Number | None]
    ampdu_rate_mbps: NotRequired[Number | None]
    received_rate_mbps: NotRequired[Number | None]
    airtime_share: NotRequired[Number]
    mpdu_retries: NotRequired[Count]
    frames: NotRequired[dict[str, Count]]
    queues: list[Queue]
    bus: NotRequired[Bus]
    links: NotRequired[list[Link]]


class ChannelTime(TypedDict):
    """Shares of the run's time, from 0 to 1, on a channel, by the number of its primary, with these access points.

    Its band and its width are as scenarios have them, "5 GHz" and "40 MHz".
    """

    channel: Count
    band: str
    width: str
    aps: list[str]
    idle: Number
    collided: Number
    interfered: NotRequired[Number]


class Airtime(TypedDict):
    """Shares of the run's time, from 0 to 1; `by_station` of all exchanges on the station's channel.

    `idle`, which nobody used, `collided` and `interfered`, which an interferer took, are means of the channels, which
    are named where there are several.
    """

    by_node: dict[str, Number]
    by_station: dict[str, Number]
    idle: Number
    collided: Number
    interfered: NotRequired[Number]
    channels: NotRequired[list[ChannelTime]]


class Drop(TypedDict):
    """Packets that ended at one place for one cause."""

    place: str
    cause: str
    count: Count


class Trip(TypedDict):
    """One visit to a foreign channel; all values are times from the run's start, in seconds.

    The station announces its sleep at `leaving_s`, is away from `away_s`, tunes back at `returning_s`, and is heard
    again at `home_s`. What the run did not come to is `None`.
    """

    leaving_s: Seconds
    away_s: Seconds | None
    returning_s: Seconds | None
    home_s: Seconds | None


class Scan(TypedDict):
    """One scan of all channels; `end_s` is `None` where the run ended first."""

    station: str
    requested_s: Seconds | None
    start_s: Seconds
    end_s: Seconds | None
    trips: list[Trip]


class ScanRequest(TypedDict):
    """What became of one request to scan."""

    station: str
    time_s: Seconds
    verdict: Literal["ignored", "skipped", "let through", "started"]


class RoamTimes(TypedDict):
    """A station's way from one access point to another: to which, and what it cost; what did not come about is `None`.

    Its connection manager decides at `decided_s`, so long after another access point was better by its own rule; its
    radio leaves the channel at `left_s`, data may go from `associated_s` on, and the first has been received at
    `first_data_s`.
    """

    station: str
    to: str | None
    why: str
    given_up_s: Seconds | None
    decided_s: Seconds | None
    decided_late_ms: Number | None
    left_s: Seconds | None
    associated_s: Seconds | None
    first_data_s: Seconds | None
    gap_ms: Number | None
    tcp_stall_ms: Number | None
    lost_in_buffer: Count


# `from` is a word of the language here too.
RoamFrom = TypedDict("RoamFrom", {"from": str})


class Roam(RoamTimes, RoamFrom):
    """A roam with both its ends."""


WHY = {
    "asked": "{from} asked it to go",
    "lost": "beacons of {from} missed",
    "dismissed": "{from} did not know it",
    "sent away": "{from} sent it away",
}
"""Why a station set out, where that was not its own choice."""


def causes(roam: Roam) -> list[str]:
    """Why a station set out, and when its access point had given up on it: nothing where it was its own choice."""
    words = WHY.get(roam.get("why", ""))
    why = [] if words is None else [words.format(**roam)]
    if (given_up := roam.get("given_up_s")) is not None:
        why.append(f"{roam['from']} gave up on it at {given_up:.2f} s")
    return why


class Captured(TypedDict):
    """Records in the captures: of the air by kind of frame, of each monitor at a place, and of each host."""

    air: dict[str, Count]
    monitors: NotRequired[dict[str, Count]]
    hosts: dict[str, Count]


class Trend(TypedDict):
    """A figure that still changes as the run ends, by a share of its mean then; below zero if it falls."""

    of: str
    change: Number


class Standstill(TypedDict):
    """A flow that delivered nothing for a share of its time, in spells of a second and longer, and the longest of them.

    `behind_hole` are TCP segments that came then, and waited for what was missing before them.
    """

    flow: str
    share: Number
    from_s: Seconds
    to_s: Seconds
    behind_hole: NotRequired[Count]


class Warned(TypedDict):
    """Something that the scenario says but probably does not mean."""

    concerns: list[str]
    message: str
    hint: str | None


class Summary(TypedDict):
    """`summary.json`."""

    schema: Literal["airloom-summary/1"]
    airloom: str
    title: str
    seed: Count
    duration_s: Annotated[float, Meta(gt=0, le=LONGEST)]
    warm_up_s: NotRequired[Annotated[float, Meta(gt=0, le=LONGEST)]]
    flows: list[FlowSummary]
    jain: Number | None
    jain_time_share: NotRequired[Annotated[float, Meta(ge=0, le=1)]]
    nodes: list[Node]
    airtime: Airtime
    drops: list[Drop]
    scans: list[Scan]
    scan_requests: list[ScanRequest]
    roams: NotRequired[list[Roam]]
    warnings: list[Warned]
    standstills: NotRequired[list[Standstill]]
    trends: NotRequired[list[Trend]]
    captured: NotRequired[Captured]


def lasted(summary: Summary) -> str:
    """How long a run lasted, and from when on it was measured if not from the beginning."""
    measured = f", measured from {summary['warm_up_s']:g} s on" if "warm_up_s" in summary else ""
    return f"{summary['duration_s']:g} s simulated{measured}"


def delivered_nothing(flow: Mapping[str, Any]) -> bool:
    """Whether a flow delivered nothing: no byte, or no answer.

    What pings and datagrams came to that had ended before anything was measured, nobody knows; bytes of TCP are of the
    whole run.
    """
    if flow["kind"] != "tcp" and over_before(flow):
        return False
    return not flow.get("answered" if flow["kind"] == "ping" else "bytes_delivered", 1)


def over_before(flow: Mapping[str, Any]) -> bool:
    """Whether a flow had ended before what was measured began."""
    return flow.get("time_share") == 0 and flow.get("end_s") is not None


def access_points(summary: Summary) -> dict[str, str]:
    """The access point at which each station is, by the station's name."""
    first = next((node["name"] for node in summary["nodes"] if node["kind"] == "ap"), "")
    return {node["name"]: node.get("ap", first) for node in summary["nodes"] if node["kind"] == "station"}


def every_access_point(summary: Summary) -> dict[str, set[str]]:
    """The access points at which each station ever was, by the station's name."""
    points = {station: {ap} for station, ap in access_points(summary).items()}
    for roam in summary.get("roams", []):
        points.setdefault(roam["station"], set()).update({roam["from"], roam["to"] or roam["from"]})
    return points


def nodes_passed(flow: FlowSummary, points: Mapping[str, set[str]]) -> set[str]:
    """The nodes in whose queues packets of a flow wait, or their answers, by the access points of each station.

    An access point's queues are of what goes down to its stations; datagrams have a single way.
    """
    ways = [(flow["from"], flow["to"])]
    if flow["kind"] != "udp":
        ways.append((flow["to"], flow["from"]))
    return {node for source, sink in ways for node in (source, *points.get(sink, ()))}


def read(content: Any) -> Summary:
    """What was read from a `summary.json` as a summary.

    Raises:
        ValueError: It is none.
    """
    if isinstance(content, dict):
        # Earlier ones say neither what they are nor, before results version 14, what they warn of.
        content = {"schema": SCHEMA, "warnings": [], **content}
    summary = shaped(content, Summary)
    nodes = {node["name"] for node in summary["nodes"]}
    for flow in summary["flows"]:
        if missing := [name for name in NEEDED[flow["kind"]] if name not in flow]:
            raise ValueError(f"flow {flow['name']!r} has no {', '.join(missing)}")
        if strangers := {flow["from"], flow["to"]} - nodes:
            raise ValueError(f"flow {flow['name']!r} has an end {', '.join(map(repr, strangers))} that is no node")
    return summary
