"""The shape of a bundle's `summary.json`; units are in the names, rates are per second of simulated time."""

from typing import NotRequired, TypedDict


class Flow(TypedDict):
    """One flow over the whole run; what there is beside its name and its ends depends on its kind."""

    name: str
    kind: str
    to: str
    goodput_mbps: NotRequired[float]
    share: NotRequired[float | None]
    congestion: NotRequired[str]
    bytes_written: NotRequired[int]
    bytes_delivered: NotRequired[int]
    bytes_held: NotRequired[int]
    retransmissions: NotRequired[int]
    timeouts: NotRequired[int]
    recoveries: NotRequired[int]
    local_drops: NotRequired[int]
    cwnd_mean: NotRequired[float | None]
    cwnd_max: NotRequired[float | None]
    srtt_mean_ms: NotRequired[float | None]
    rtt_mean_ms: NotRequired[float | None]
    sent: NotRequired[int]
    delivered: NotRequired[int]
    answered: NotRequired[int]
    lost: NotRequired[int]
    delay_mean_ms: NotRequired[float | None]
    rtt_median_ms: NotRequired[float | None]
    rtt_p95_ms: NotRequired[float | None]
    rtt_max_ms: NotRequired[float | None]


# `from` is a word of the language, so this key cannot be an attribute of the class above.
FlowEnds = TypedDict("FlowEnds", {"from": str})


class FlowSummary(Flow, FlowEnds):
    """A flow with both its ends."""


class Queue(TypedDict):
    """One queue of a node: `layer` says which (the discipline, the driver)."""

    layer: str
    mean_packets: NotRequired[float]
    max_packets: NotRequired[float]
    mean_sojourn_ms: NotRequired[float | None]
    drops: int


class Hold(TypedDict):
    """A spell in which an adapter received frames and did not pass them on."""

    start_s: float
    end_s: float


# `in` is a word of the language, so this key cannot be an attribute of the class below.
BusIn = TypedDict("BusIn", {"in": int})


class Bus(BusIn):
    """What a USB bus carried: transactions and packets, and when its adapter held packets back."""

    out: int
    out_refused: int
    out_packets: int
    in_packets: int
    holds: list[Hold]


class Node(TypedDict):
    """One machine; those without a radio have no rates."""

    name: str
    kind: str
    ampdus: NotRequired[int]
    mpdus_per_ampdu: NotRequired[float | None]
    mac_rate_mbps: NotRequired[float | None]
    ampdu_rate_mbps: NotRequired[float | None]
    received_rate_mbps: NotRequired[float | None]
    airtime_share: NotRequired[float]
    mpdu_retries: NotRequired[int]
    frames: NotRequired[dict[str, int]]
    queues: NotRequired[list[Queue]]
    bus: NotRequired[Bus]


class Airtime(TypedDict):
    """Shares of the run's time, from 0 to 1; `by_station` of all exchanges with stations."""

    by_node: dict[str, float]
    by_station: dict[str, float]
    idle: float
    collided: float


class Drop(TypedDict):
    """Packets that ended at one place for one cause."""

    place: str
    cause: str
    count: int


class Trip(TypedDict):
    """One visit to a foreign channel; all values are times from the run's start, in seconds.

    The station announces its sleep at `leaving_s`, is away from `away_s`, tunes back at `returning_s`, and is heard
    again at `home_s`.
    """

    leaving_s: float
    away_s: float
    returning_s: float
    home_s: float


class Scan(TypedDict):
    """One scan of all channels; `end_s` is missing where the run ended first."""

    station: str
    requested_s: float
    start_s: float
    end_s: float | None
    trips: list[Trip]


class ScanRequest(TypedDict):
    """What became of one request to scan: started, skipped, or let through."""

    station: str
    time_s: float
    verdict: str


class Captured(TypedDict):
    """Records in the captures: of the air by kind of frame, and of each host."""

    air: dict[str, int]
    hosts: dict[str, int]


class Summary(TypedDict):
    """`summary.json`."""

    airloom: str
    title: str
    seed: int
    duration_s: float
    flows: list[FlowSummary]
    jain: float | None
    nodes: list[Node]
    airtime: Airtime
    drops: list[Drop]
    scans: list[Scan]
    scan_requests: list[ScanRequest]
    captured: NotRequired[Captured]
