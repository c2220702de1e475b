"""Worlds whose causes are known: every one of them a scenario and what rules have to find in its captures."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

from airloom.scenario.toml_text import document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from airloom.scenario.toml_text import Value

DURATION = "12 s"

SERVER: dict[str, Value] = {"host": "linux-6.18", "link": {"rate": "1 Gbit/s", "delay": "5 ms"}}


@dataclass(frozen=True)
class PlantedWorld:
    """A scenario and its causes.

    Attributes:
        name: What it is.
        air: Its table `air`.
        ap: What its access point has beside a name.
        stations: Its stations by name.
        flows: Its flows.
        interferers: What sends beside it, and is in no capture.
        server: What its server has beside a name.
        causes: The codes of the rules that have to find something.
        tolerated: Codes that may be found or not, since the cause is there by half.
        count: How many causes were put into it.
        roams: Whether its capture is made one of a station that roams.
        without: The same world without its only cause: what that costs is what goes better here.
    """

    name: str
    air: dict[str, Value]
    ap: dict[str, Value]
    stations: dict[str, dict[str, Value]]
    flows: tuple[dict[str, Value], ...]
    interferers: tuple[dict[str, Value], ...] = ()
    server: dict[str, Value] = field(default_factory=lambda: dict(SERVER))
    causes: frozenset[str] = frozenset()
    tolerated: frozenset[str] = frozenset()
    count: int = 0
    roams: bool = False
    without: PlantedWorld | None = None

    def toml(self) -> str:
        """The scenario file."""
        return document(
            {
                "title": self.name,
                "duration": DURATION,
                "air": self.air,
                "ap": [{"name": "ap", **self.ap}],
                "station": [{"name": name, **station} for name, station in self.stations.items()],
                "server": [{"name": "server", **self.server}],
                "flow": list(self.flows),
                **({"interferer": list(self.interferers)} if self.interferers else {}),
            }
        ).text

    def with_station(self, name: str, **changes: Value) -> PlantedWorld:
        """The same with changes of a station."""
        return replace(self, stations={**self.stations, name: {**self.stations[name], **changes}})

    def planted(self, name: str, *codes: str, tolerated: tuple[str, ...] = ()) -> PlantedWorld:
        """Notes a cause that was put in, under this name: what rules are to find, and what they may find besides."""
        return replace(
            self,
            name=f"{self.name}, {name}",
            count=self.count + 1,
            causes=self.causes | set(codes),
            tolerated=self.tolerated | set(tolerated),
        )


N40: dict[str, Value] = {"standard": "802.11n", "band": "5 GHz", "width": "40 MHz"}
N20: dict[str, Value] = {"standard": "802.11n", "band": "2.4 GHz", "width": "20 MHz"}
AC: dict[str, Value] = {"standard": "802.11ac", "band": "5 GHz"}
G: dict[str, Value] = {"standard": "802.11g", "band": "2.4 GHz", "width": "20 MHz"}


HOST = "linux-6.18"
"""What stations run: mac80211's queues lie above their drivers."""


def near(world: PlantedWorld, **more: Value) -> dict[str, Value]:
    """Another station near the access point, as any is."""
    adapter = "ath9k" if is_n(world) else "dcf"
    return {"host": HOST, "adapter": {"profile": adapter}, "distance": "6 m", "rate": "minstrel", **more}


def is_n(world: PlantedWorld) -> bool:
    """Whether frames can be aggregated."""
    return world.air["standard"] == "802.11n"


def sound(name: str, air: dict[str, Value], adapter: str, *flows: dict[str, Value]) -> PlantedWorld:
    """A laptop near its access point."""
    laptop: dict[str, Value] = {
        "host": HOST,
        "adapter": {"profile": adapter},
        "distance": "4 m",
        "rate": "minstrel",
    }
    queue: Value = {"discipline": "mac80211" if adapter == "ath9k" else "fq_codel"}
    return PlantedWorld(name, air, {"adapter": {"profile": adapter}, "queue": queue}, {"laptop": laptop}, flows)


UP: dict[str, Value] = {"from": "laptop", "to": "server", "tcp": {"congestion": "cubic"}}
DOWN: dict[str, Value] = {"from": "server", "to": "laptop", "tcp": {"congestion": "cubic"}}
CALL: tuple[dict[str, Value], ...] = (
    {"kind": "udp", "from": "laptop", "to": "server", "rate": "64 kbit/s", "payload": "160 B"},
    {"kind": "udp", "from": "server", "to": "laptop", "rate": "64 kbit/s", "payload": "160 B"},
)
VIDEO: dict[str, Value] = {"kind": "udp", "from": "server", "to": "laptop", "rate": "8 Mbit/s", "payload": "1200 B"}

BULK = (
    sound("upload, 802.11n at 40 MHz", N40, "ath9k", UP),
    sound("download, 802.11n at 40 MHz", N40, "ath9k", DOWN),
    sound("both ways, 802.11n at 20 MHz", N20, "ath9k", UP, DOWN),
    sound("upload, 802.11g", G, "dcf", UP),
)
"""Worlds that use all of the air."""

LIGHT = (
    sound("a call, 802.11n at 20 MHz", N20, "ath9k", *CALL),
    sound("a video, 802.11n at 40 MHz", N40, "ath9k", VIDEO),
    sound("a video, 802.11g", G, "dcf", VIDEO),
    sound("listening to a call, 802.11n at 20 MHz", N20, "ath9k", CALL[1]),
)
"""Worlds that do not."""

PINGS: dict[str, Value] = {"kind": "ping", "from": "server", "to": "laptop", "interval": "330 ms"}
PAGES: tuple[dict[str, Value], ...] = tuple(
    {"from": "server", "to": "laptop", "bytes": "60 kB", "start": f"{500 * page} ms", "name": f"page-{page}"}
    for page in range(22)
)

SPARSE = (
    sound("pings, 802.11n at 20 MHz", N20, "ath9k", PINGS),
    sound("pages, 802.11n at 40 MHz", N40, "ath9k", *PAGES),
    sound("pages, 802.11g", G, "dcf", *PAGES),
)
"""Worlds in which there is nothing to send for most of the time."""


def trickle(world: PlantedWorld) -> PlantedWorld:
    """A station beside gets a little UDP, all of which arrives: nothing is wrong by that."""
    flow: dict[str, Value] = {"kind": "udp", "from": "server", "to": "desk", "rate": "2 Mbit/s"}
    stations = {**world.stations, "desk": near(world)}
    return replace(world, name=f"{world.name}, a trickle", stations=stations, flows=(*world.flows, flow))


TRICKLES = tuple(
    trickle(world)
    for world in (
        *BULK,
        sound("download, 802.11g", G, "dcf", DOWN),
        sound("download, 802.11n at 20 MHz, frames alone", N20, "dcf", DOWN),
    )
)
"""Worlds of which one station uses all of the air, and another what little it needs."""


def scans(world: PlantedWorld) -> PlantedWorld:
    """The laptop scans, which its own capture shows too, if TCP goes all the time."""
    scan: Value = {"by": "networkmanager-0.9.8", "channels": 20, "first": "3 s"}
    bulk = ("W108",) if UP in world.flows or DOWN in world.flows else ()
    return world.with_station("laptop", scan=scan).planted("scans", "W101", *bulk, tolerated=("W108",))


def slow_rate(world: PlantedWorld) -> PlantedWorld:
    """The rate is fixed at a low one."""
    rate = "MCS 0" if world.air["standard"] == "802.11n" else "6 Mbit/s"
    return world.with_station("laptop", rate=rate).planted("slow rate", "W104")


def weak(world: PlantedWorld) -> PlantedWorld:
    """The laptop is far away."""
    stations = {name: dict(station) for name, station in world.stations.items()}
    stations["laptop"].pop("distance", None)
    stations["laptop"]["snr"] = "9 dB"
    return replace(world, stations=stations).planted("weak signal", "W105", tolerated=("W302",))


def contention(world: PlantedWorld) -> PlantedWorld:
    """Five others upload at the same time."""
    other = near(world, count=5)
    slow = ("W202",) if world.causes & {"W104", "W105"} else ()
    flow: dict[str, Value] = {"kind": "udp", "from": "other", "to": "server", "rate": "saturated"}
    return replace(world, stations={**world.stations, "other": other}, flows=(*world.flows, flow)).planted(
        "five others", "W201", tolerated=("W301", "W303", "W304", *slow)
    )


def hidden(world: PlantedWorld) -> PlantedWorld:
    """Adds a station that uploads and that the laptop does not hear."""
    return in_sight(world).with_station("other", hidden_from=["laptop"])


def in_sight(world: PlantedWorld) -> PlantedWorld:
    """Adds a station that uploads and that the laptop hears."""
    rate = "40 Mbit/s" if is_n(world) else "3 Mbit/s"
    flow: dict[str, Value] = {
        "kind": "udp",
        "from": "other",
        "to": "server",
        "rate": rate,
        "spacing": "poisson",
    }
    return replace(world, stations={**world.stations, "other": near(world)}, flows=(*world.flows, flow)).planted(
        "hidden station", "W106", tolerated=("W201", "W301", "W302")
    )


def anomaly(world: PlantedWorld) -> PlantedWorld:
    """A slow station takes part, with a queue that does not share air time.

    Its rate is fixed: at 12 dB there are faster ones, and nearer it would be as slow.
    """
    rate = "MCS 0" if world.air["standard"] == "802.11n" else "6 Mbit/s"
    slow = near(world, rate=rate, snr="12 dB")
    del slow["distance"]
    stations = {**world.stations, "slow": slow}
    flow: dict[str, Value] = {"from": "slow", "to": "server", "tcp": {"congestion": "cubic"}}
    return replace(world, stations=stations, flows=(*world.flows, flow)).planted(
        "a slow station", "W202", "W104", tolerated=("W201", "W301")
    )


def as_fast(world: PlantedWorld) -> PlantedWorld:
    """Adds the station of `anomaly` as near as the laptop, so that it is not slow."""
    beside = anomaly(world)
    return replace(beside, stations={**beside.stations, "slow": near(world)})


def behind_walls(world: PlantedWorld) -> PlantedWorld:
    """The laptop is so far away that its rate control has to step down, and a station that is near does the same."""
    stations = {name: dict(station) for name, station in as_near(world).stations.items()}
    del stations["laptop"]["distance"]
    stations["laptop"]["snr"] = "18 dB"
    return replace(as_near(world), stations=stations).planted(
        "behind walls", "W105", tolerated=("W201", "W202", "W301", "W302", "W303")
    )


def as_near(world: PlantedWorld) -> PlantedWorld:
    """Adds a station beside the laptop that does the same."""
    ends = {"laptop": "other"}
    flows = [{**flow, **{end: ends.get(str(flow[end]), flow[end]) for end in ("from", "to")}} for flow in world.flows]
    return replace(world, stations={**world.stations, "other": near(world)}, flows=(*world.flows, *flows))


def next_door(world: PlantedWorld) -> PlantedWorld:
    """A network next door takes the air now and then, and is in no capture."""
    other: dict[str, Value] = {
        "name": "next-door",
        "kind": "neighbour",
        "channel": 36,
        "level": "-58 dBm",
        "occupancy": 0.45,
    }
    there = replace(world, ap={**world.ap, "channel": 36}, interferers=(other,))
    return there.planted("a neighbour unheard", "W201", tolerated=("W301", "W304", "W403"))


def overhead(world: PlantedWorld) -> PlantedWorld:
    """A request to send at 1 Mbit/s goes before every frame."""
    air: dict[str, Value] = {**world.air, "basic_rates": ["1 Mbit/s"], "protection": "rts-cts"}
    return replace(world, air=air).planted("protected", "W203", tolerated=("W304",))


def alone(world: PlantedWorld) -> PlantedWorld:
    """Frames travel one by one."""
    adapter: Value = {**dict(world.stations["laptop"]["adapter"]), "ampdu_frames": 1}  # type: ignore[arg-type]
    return replace(
        world.with_station("laptop", adapter=adapter),
        ap={**world.ap, "adapter": {"profile": "ath9k", "ampdu_frames": 1}},
    ).planted("no aggregation", "W304")


def bloat(world: PlantedWorld) -> PlantedWorld:
    """The access point's queue is long, and one for all."""
    ap = {**world.ap, "queue": {"discipline": "fifo", "limit": "4000 packets"}}
    return replace(world, ap=ap).planted("a long queue")


def small_window(world: PlantedWorld) -> PlantedWorld:
    """The receivers' buffers are small."""
    host: Value = {"profile": "linux-6.18", "receive_buffer_initial": "24 kB", "receive_buffer_max": "24 kB"}
    server = {**world.server, "host": host}
    return replace(world.with_station("laptop", host=host), server=server).planted("a small window", "W401")


def reordering(world: PlantedWorld) -> PlantedWorld:
    """Packets overtake each other on the wire, which slows down senders without RACK: the air has time to spare."""
    link: Value = {"rate": "1 Gbit/s", "delay": "5 ms", "late": {"share": 0.02, "by": "3 ms"}}
    server = {"host": "linux-3.13", "link": link}
    world = replace(world.with_station("laptop", host="linux-3.13"), server=server)
    return world.planted("reordering", "W303", tolerated=("W304", "W403"))


def power_save(world: PlantedWorld) -> PlantedWorld:
    """The laptop dozes while it has no data."""
    return world.with_station("laptop", power_save={"timeout": "100 ms"}).planted("power save", "W102")


def hasty_power_save(world: PlantedWorld) -> PlantedWorld:
    """The laptop dozes as soon as it has had no data for 10 ms, as some firmware does."""
    return world.with_station("laptop", power_save={"timeout": "10 ms"}).planted("hasty power save", "W102")


def interference(world: PlantedWorld) -> PlantedWorld:
    """Something that is not Wi-Fi disturbs the laptop now and then."""
    outages: Value = {"between": "700 ms", "lasting": "40 ms", "depth": "50 dB"}
    return replace(world, air={**world.air, "outages": outages}).planted(
        "interference", "W107", tolerated=("W302", "W303")
    )


def too_fast(world: PlantedWorld) -> PlantedWorld:
    """The rate is fixed at one for which the signal is hardly enough."""
    stations = {name: dict(station) for name, station in world.stations.items()}
    del stations["laptop"]["distance"]
    stations["laptop"] |= {"snr": "24 dB", "rate": "MCS 7"}
    return replace(world, stations=stations).planted("a rate too fast", "W302", "W105", tolerated=("W301", "W303"))


def strong(world: PlantedWorld) -> PlantedWorld:
    """The rate is fixed at the same one, and the signal is enough."""
    return world.with_station("laptop", rate="MCS 7")


def lossy_wire(world: PlantedWorld) -> PlantedWorld:
    """The way between access point and server loses packets."""
    link: Value = {"rate": "1 Gbit/s", "delay": "20 ms", "loss": 0.01}
    # Beside interruptions, which explain losses, these are not told by themselves.
    lost = () if "W108" in world.causes else ("W306",)
    return replace(world, server={**world.server, "link": link}).planted("a lossy wire", "W403", *lost)


def slow_wire(world: PlantedWorld) -> PlantedWorld:
    """The way between access point and server is slow."""
    link: Value = {"rate": "4 Mbit/s", "delay": "10 ms", "queue": {"discipline": "fifo", "limit": "40 packets"}}
    server = {**world.server, "link": link}
    return replace(world, server=server).planted("a slow wire", "W403", tolerated=("W301",))


def far(world: PlantedWorld) -> PlantedWorld:
    """The server is far from the access point."""
    return replace(world, server={**world.server, "link": {"rate": "1 Gbit/s", "delay": "20 ms"}})


def small_send_buffer(world: PlantedWorld) -> PlantedWorld:
    """The senders' buffers are small, and the server is far from the access point."""
    flows = tuple({**flow, "tcp": {"congestion": "cubic", "send_buffer_max": "64 KiB"}} for flow in world.flows)
    return replace(far(world), flows=flows).planted("a small send buffer", "W405")


def slow_bus(world: PlantedWorld) -> PlantedWorld:
    """The laptop's adapter is behind USB 1.1, whose host controller goes once through its list in a millisecond."""
    bus: Value = {
        "traversal": "depth-first",
        "reclamation": False,
        "queue": "4 packets",
        "descriptor": "68 B",
        "drain": "58.3 us",
    }
    adapter: Value = {**dict(world.stations["laptop"]["adapter"]), "usb": bus}  # type: ignore[arg-type]
    return world.with_station("laptop", adapter=adapter).planted("a slow bus", "W305")


def written(world: PlantedWorld, **write: Value) -> PlantedWorld:
    """The same with programs that write so much at a time."""
    flows = tuple({**flow, "write": dict(write)} if "kind" not in flow else flow for flow in world.flows)
    return replace(world, flows=flows)


def little(world: PlantedWorld) -> PlantedWorld:
    """The program that sends has little to send, so that a scan holds nothing up that is on its way."""
    little = written(world, size="40 kB", every="100 ms").planted("little to send", "W402")
    return replace(little, causes=little.causes - {"W108"})


def roams(world: PlantedWorld) -> PlantedWorld:
    """The laptop goes to another access point halfway."""
    return replace(world, roams=True).planted("roams", "W103")


CAUSES: tuple[tuple[Callable[[PlantedWorld], PlantedWorld], Callable[[PlantedWorld], bool]], ...] = (
    (scans, lambda _: True),
    (slow_rate, lambda world: world is not SPARSE[0]),
    (weak, lambda world: world is not SPARSE[0]),
    (contention, lambda _: True),
    (hidden, lambda world: world in BULK and UP in world.flows),
    (anomaly, lambda world: world in BULK),
    (overhead, lambda world: world in BULK and not is_n(world)),
    (alone, lambda world: world in BULK and is_n(world)),
    (bloat, lambda world: world in BULK and DOWN in world.flows),
    (small_window, lambda world: world in BULK),
    (reordering, lambda world: world in BULK),
    (power_save, lambda world: world in SPARSE),
    (hasty_power_save, lambda world: world in (*SPARSE, LIGHT[3])),
    (interference, lambda world: world in (*BULK, LIGHT[1], LIGHT[2])),
    (too_fast, lambda world: world in BULK and is_n(world)),
    (lossy_wire, lambda world: world in BULK),
    (slow_wire, lambda world: world in BULK),
    (little, lambda world: world in BULK),
    (slow_bus, lambda world: world in (BULK[0], BULK[3])),
    (small_send_buffer, lambda world: world in (BULK[0], BULK[3])),
    (roams, lambda world: world in (BULK[0], BULK[3], *LIGHT)),
)
"""Each cause, and the sound worlds that it can be put into."""

SPARED: dict[Callable[[PlantedWorld], PlantedWorld], Callable[[PlantedWorld], PlantedWorld]] = {
    hidden: in_sight,
    anomaly: as_fast,
    behind_walls: as_near,
    too_fast: strong,
    small_send_buffer: far,
}
"""Causes that are one property of what was put into a world: without them the rest of it is there, and harmless."""

BY_THEMSELVES = (behind_walls, next_door)
"""Causes that are put into uploads and downloads of 802.11n, and never meet another."""

BEYOND = (small_window, small_send_buffer, reordering, lossy_wire, slow_wire, little, slow_bus)
"""Causes beyond the air: where two meet, the narrower one hides the other."""

SLOWING = (slow_rate, weak, contention, hidden, anomaly, overhead)
"""Causes that slow the air: a window is not what limits then, and packets are too far apart to overtake each other."""

CONTRARY = (
    {slow_rate, weak},
    {hidden, contention},
    {hidden, weak},
    {hidden, anomaly},
    {hidden, overhead},
    {hidden, alone},
    {anomaly, weak},
    {anomaly, slow_rate},
    {anomaly, contention},
    {anomaly, overhead},
    {anomaly, bloat},
    {slow_rate, overhead},
    {bloat, small_window},
    *({one, other} for one, other in combinations(BEYOND, 2)),
    *({cause, other} for cause in BEYOND for other in (*SLOWING, alone, bloat, too_fast)),
    *({too_fast, other} for other in (*SLOWING, alone, bloat, interference)),
    {interference, weak},
    {interference, hidden},
    {interference, anomaly},
    {interference, contention},
    {interference, slow_rate},
    {interference, little},
    {interference, small_send_buffer},
    {scans, small_send_buffer},
    {scans, power_save},
    {scans, hasty_power_save},
    {power_save, hasty_power_save},
    *({roams, other} for other in (*BEYOND, contention, hidden, anomaly, too_fast, interference)),
)
"""Causes that undo each other, or of which one hides what the other would do."""


def beside(name: str, air: dict[str, Value], adapter: str) -> PlantedWorld:
    """Two stations that upload, with signals for which a rate control chooses rates that lose a little."""
    world = sound(name, air, adapter, UP, {**UP, "from": "other"})
    stations = {name: dict(world.stations["laptop"]) for name in ("laptop", "other")}
    for station, snr in zip(stations.values(), ("27 dB", "24 dB"), strict=True):
        del station["distance"]
        station["snr"] = snr
    tolerated = frozenset({"W105", "W201", "W202", "W301", "W302", "W304"})
    return replace(world, stations=stations, tolerated=tolerated)


PAIRS = (
    beside("two uploads, 802.11n at 20 MHz", N20, "ath9k"),
    beside("two uploads, 802.11n at 40 MHz", N40, "ath9k"),
    beside("two uploads, 802.11ac at 20 MHz", {**AC, "width": "20 MHz"}, "edca-ac"),
    beside("two uploads, 802.11ac at 80 MHz", {**AC, "width": "80 MHz"}, "edca-ac"),
)
"""Worlds of two stations with much to send whose rates change."""


def unheard(world: PlantedWorld) -> PlantedWorld:
    """The two stations do not hear each other: one of them may hardly get through, and its connection die."""
    return world.with_station("other", hidden_from=["laptop"]).planted(
        "hidden from each other", "W106", tolerated=("W303", "W306", "W406")
    )


def disturbed(world: PlantedWorld) -> PlantedWorld:
    """Something that is not Wi-Fi disturbs both now and then: no station is hidden."""
    world = interference(world)
    return replace(world, causes=frozenset(), tolerated=world.tolerated | {"W107"})


def spared(world: PlantedWorld) -> PlantedWorld:
    """The world into which a cause was not put."""
    return world


def worlds() -> Iterator[PlantedWorld]:
    """Sound worlds, each followed by those with one cause and those with two; then those that meet no other cause."""
    for world in (*BULK, *LIGHT, *SPARSE):
        yield world
        fitting = [cause for cause, fits in CAUSES if fits(world)]
        for cause in fitting:
            yield replace(cause(world), without=SPARED.get(cause, spared)(world))
        for first, second in combinations(fitting, 2):
            if {first, second} not in CONTRARY:
                yield second(first(world))
    for world in PAIRS:
        yield world
        yield replace(unheard(world), without=world)
        yield weak(world)
        yield disturbed(world)
    yield from TRICKLES
    for world in BULK[:2]:
        for cause in BY_THEMSELVES:
            yield replace(cause(world), without=SPARED.get(cause, spared)(world))
