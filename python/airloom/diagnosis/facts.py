"""What captures show whether or not anything is wrong: a line for each flow and each station that matters."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from airloom.diagnosis.questions import questions
from airloom.diagnosis.reading import named as name_of
from airloom.support.formatting import count, number, share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.diagnosis.shapes import (
        AttemptSeen,
        Diagnosis,
        FlowSeen,
        LinkSeen,
        LostSeen,
        PassageSeen,
        PingsSeen,
        RtpSeen,
        StationSeen,
        StreamSeen,
    )

MOST = 8
"""Lines of flows, and of stations."""

MATTERS = 0.02
"""The share of all octets, or of all air time, from which on one has a line."""

LIMITS = {
    "congestion": "waited for acknowledgments",
    "receiver": "was held by the receiver's window",
    "application": "had nothing to send",
    "recovery": "recovered from losses",
    "unclear": "paused for its program or for what waited below its TCP",
}
"""What a sender did for a part of its time, by what limited it."""

AGAIN = {
    "fast": "after duplicate ACKs",
    "timeout": "by the timer",
    "after_timeout": "behind a timeout",
    "probe": "as tail loss probes",
    "needless": "needlessly",
}
"""How segments were sent again."""

MIN_PACKETS = 20
"""Packets of a flow from which on what was sent again is a share of them."""

UNSEEN_SHARE = 0.02
"""The share of a flow's octets from which on it is said that the capture does not have them."""

DOZES_SHARE = 0.05
"""The share of a capture's time from which on a station's spells with PM=1 are shown."""

MIN_LIMIT_SHARE = 0.05
"""The share of a sender's time from which on a limit is shown."""


SHORTER = "shorter than a tick of the capture's clock"
"""What stands for a round trip that is shorter than a tick."""

TICK_MS = 0.005
"""A round trip in ms that rounds to nothing: no way is so short, and a clock may tick that seldom."""

ABOVE = "dB above the noise"
"""How strong a station is heard."""

FLOOD_FRAMES = 10
"""Deauthentications of one transmitter that make a line: a station that leaves sends one, or a few."""

HALF = 0.5
"""The share of the air time that a monitor has to hear for shares of stations."""

MISSES = "W001"
"""The rule that says that a monitor misses frames."""

ANSWERS = 10
"""Answers to what was not heard from which on stations without a line are counted."""

MIN_HEARD_SHARE = 0.01
"""A share of frames below which it has no number."""

WHOLE_SHARE = 0.95
"""The share of a link's frames that the monitor has to hear for its counts to need no "at least" (W001)."""

STREAM_PACKETS = 32
"""Fewer packets of UDP than this, such as questions for names, are none that matters."""

MOMENT_S = 0.005
"""What goes for fewer seconds has no rate."""

BRIEF_S = 0.1
"""A time is in ms below so many seconds."""

SECONDS = 10.0
"""A time between packets is in seconds from so many on."""

ECHOES = 10
"""Fewer packets of ICMP echo between two hosts than this are none that matters."""

ECHOED = 72
"""Octets of data in an echo beyond which they are said: `ping` sends 56, Windows 32, Cisco's routers 72."""

BATCH = 5000
"""What is sent at a time, in octets: fewer are one segment or two, and wait for nothing else in any program."""

BATCHES = 10
"""Fewer of one size are chance."""

FIN = 1
"""What a FIN alone counts for among octets."""

KILO = 1000
"""From so many octets on a line gives kB."""

WAITS = 3.0
"""By how many ms half of the packets need longer between two captures than the shortest, if they wait there: turns of
the air and retries take less."""

PAUSE = 1.0
"""A sender that pauses for so many seconds is one that fell silent."""


def facts(found: Diagnosis) -> list[str]:
    """The flows, streams and stations that matter, a line each, and a line for what is left out of each kind."""
    hosts = [*flows(found), *attempts(found), *streams(found), *pings(found)]
    return [*hosts, *passages(found), *stations(found), *group(found), *leaves(found)]


def flows(found: Diagnosis) -> list[str]:
    """A line for each flow that moves a part of the octets or that a finding names, and one for the rest."""
    own = own_ends(found)
    every = sorted(
        (one for one in found["connections"] if one["tells_most"]),
        key=lambda one: (ends(one) not in own, -one["bytes"]),
    )
    named = {finding["subject"] for finding in found["findings"]}
    whole = sum(one["bytes"] for one in every)
    told = [one for one in every if one["bytes"] >= MATTERS * whole or ends(one) in named][:MOST]
    return [flow(one) for one in told] + rest("flow", len(every) - len(told), whole, sum(one["bytes"] for one in told))


def own_stations(found: Diagnosis) -> set[str]:
    """The stations whose hosts were captured: of captures of one station each, if there are any."""
    every = [capture["stations"] for capture in found["captures"]]
    single = [stations for stations in every if len(stations) == 1]
    return {mac for stations in single or every for mac in stations}


def own_ends(found: Diagnosis) -> set[str]:
    """The flows and streams that a capture of one station has, where there is one of the air or of others too."""
    single = {place for place, capture in enumerate(found["captures"]) if len(capture["stations"]) == 1}
    flows = {ends(one) for one in found["connections"] if one["capture"] in single}
    return flows | {ends(one) for one in found["streams"] if one["capture"] in single}


def ends(one: FlowSeen | StreamSeen) -> str:
    """A flow or a stream as findings name it."""
    return f"{one['from']} to {one['to']}"


def flow(one: FlowSeen) -> str:
    """How fast a flow went, how long its packets took, what was sent again and how, and what limited it."""
    span = one["span_s"]
    unseen = one["missing"] / max(one["new_bytes"] + one["missing"], 1)
    said = [f"{least(unseen)}{moved(one['new_bytes'], one['mbps'], span)}"]
    if unseen >= UNSEEN_SHARE:
        said.append(f"{share(unseen, 1)} of what was acknowledged is not in the capture")
    if not one["both_ways"]:
        said.append("nothing of the other direction is in the capture")
    said += [*trips(one), again(one), *marks(one)]
    if one["reset"]:
        closed = "closed and " if one["reset"]["closed"] else ""
        said.append(f"{closed}reset by the {one['reset']['by']} at {one['reset']['at_s']:,.1f} s{cut_off(one)}")
    parts = [
        f"{did} {share(one['limits'][limit], 1)} of the time"
        for limit, did in LIMITS.items()
        if one["limits"][limit] >= MIN_LIMIT_SHARE and (one["near_sender"] or limit == "receiver")
    ]
    if parts:
        said.append(f"the sender {', '.join(parts)}")
    return f"{ends(one)}: {'; '.join([*said, *batches(one)])}"


def batches(one: FlowSeen) -> list[str]:
    """How much a sender sends at a time, if most often as much and then nothing until all of it is acknowledged."""
    sent = one["batches"]
    if not sent or sent["octets"] < BATCH or sent["times"] < BATCHES or 2 * sent["times"] < sent["all"]:
        return []
    each = count(sent["octets"], "octet")
    return [f"{sent['times']:,} of {sent['all']:,} times it sent {each}, and nothing more until all were acknowledged"]


def trips(one: FlowSeen) -> list[str]:
    """How long packets of a flow and their acknowledgments take; nothing without any such time."""
    times = one["rtt_ms"]
    if "p50" not in times:
        return []
    half, most = (f"{number(times[part])} ms" if times[part] >= TICK_MS else SHORTER for part in ("p50", "p95"))
    if not one["bare_acks"] and one["packets"] >= MIN_PACKETS:
        return [f"round trips {half} or less: no acknowledgment without data is in the capture"]
    where = "" if one["near_sender"] else " from the capture to the receiver and back"
    if one["missing"] >= UNSEEN_SHARE * (one["new_bytes"] + one["missing"]):
        where += " or less, since acknowledgments may be missing too"
    if one["proxied_ms"] is not None:
        far = number(one["proxied_ms"])
        where = f" to what acknowledges for the receiver, whose answer to the SYN took {far} ms"
    return [f"round trips {half}" + (f", 95th percentile {most}" if most != SHORTER else "") + where]


def moved(octets: int, mbps: float, span: list[float] | None) -> str:
    """How fast data went and for how long; of a moment, how much it was."""
    lasted = span[1] - span[0] if span else 0.0
    if span and lasted < MOMENT_S:
        return count(octets, "octet")
    return rate(mbps) + (f" for {long(lasted)}" if span else "")


def rate(mbps: float) -> str:
    """A rate in the unit in which it has two digits."""
    bits = round(1e6 * mbps)
    units = {100_000: (1e6, "Mbit/s"), 1_000: (1e3, "kbit/s"), 0: (1.0, "bit/s")}
    unit, name = next(unit for least, unit in units.items() if bits >= least)
    return f"{number(bits / unit)} {name}"


def long(seconds: float) -> str:
    """How long something goes on."""
    return f"{seconds:,.1f} s" if seconds >= BRIEF_S else f"{1000 * seconds:.0f} ms"


def least(unseen: float) -> str:
    """What stands before a rate of which so much is not in the capture."""
    return "at least " if unseen >= UNSEEN_SHARE else ""


def again(one: FlowSeen) -> str:
    """What data was sent again and how."""
    counts = one["retransmissions"]
    segments = counts["all"] - counts["handshake"]
    if not segments:
        others = {"SYN": counts["handshake"], "FIN": counts["fins"]}
        return "nothing sent again" + "".join(f" but {count(times, name)}" for name, times in others.items() if times)
    how = [f"{counts[kind]:,} {words}" for kind, words in AGAIN.items() if counts[kind]]
    if one["packets"] < MIN_PACKETS:
        times = f"{count(segments, 'segment')} sent again"
        return times + (f" ({', '.join(how)})" if how else "")
    ratio = segments / one["packets"]
    part = f"{number(100 * ratio)} % sent again" if ratio <= 1 else f"sent again {number(ratio)} times on average"
    return part + (f" ({', '.join(how)})" if how else "")


def lost(one: FlowSeen) -> int:
    """Segments that were sent again after losses, as far as the packets tell."""
    counts = one["retransmissions"]
    return max(counts["fast"] + counts["timeout"] + counts["after_timeout"] - counts["needless"], 0)


def marks(one: FlowSeen) -> list[str]:
    """How much of a flow came with congestion marks, by which a queue tells its sender to slow down."""
    marked = min(one["marked"] / max(one["packets"], 1), 1)
    part = f"at least {number(100 * marked)} % of its packets with a congestion mark"
    slowed = f"the sender reduced its window for congestion marks {count(one['reduced'], 'time')}"
    return [part] * (one["marked"] > 0) + [slowed] * (one["reduced"] > 0)


def cut_off(one: FlowSeen) -> str:
    """What of a flow a reset found underway; nothing if all was acknowledged, or if no acknowledgment was captured."""
    octets = one["reset"]["outstanding"] if one["reset"] else 0
    some = f"{number(octets / 1e3)} kB" if octets >= KILO else count(octets, "octet")
    return f", {some} unacknowledged" if FIN < octets < one["new_bytes"] else ""


def attempts(found: Diagnosis) -> list[str]:
    """A line for each end to which no connection was opened, those with most attempts first, and lines for the rest."""
    tried: dict[tuple[str, bool], list[AttemptSeen]] = {}
    for one in found["attempts"]:
        tried.setdefault((one["to"], one["refused"]), []).append(one)
    order = sorted(tried.items(), key=lambda item: -len(item[1]))
    lines = [f"{to}: {'refused' if refused else 'did not answer'} {tries(of)}" for (to, refused), of in order[:MOST]]
    more, left_out = len(order) - len(lines), found["attempts_left_out"]
    # The first attempts alone are listed with their ends.
    at_least = "at least " if left_out else ""
    return [
        *lines,
        *([f"{at_least}{count(more, 'other end')} to which no connection was opened"] if more else []),
        *([f"{count(left_out, 'other attempt')} to connect that failed"] if left_out else []),
    ]


def tries(of: list[AttemptSeen]) -> str:
    """How many attempts there were to connect to an end, from where, and how many go on at the end of the capture."""
    hosts = list(dict.fromkeys(host(one["from"]) for one in of))
    where = hosts[0] if len(hosts) == 1 else count(len(hosts), "host")
    syns, later = sum(one["syns"] for one in of), sum(one["goes_on"] for one in of)
    still = f"; at the end of the capture {later:,} still {'tries' if later == 1 else 'try'}" if later else ""
    return f"{count(len(of), 'attempt')} to connect from {where} ({count(syns, 'SYN')}{still})"


def host(end: str) -> str:
    """The address of an end, without its port."""
    return end.rpartition(":")[0]


def streams(found: Diagnosis) -> list[str]:
    """A line for each stream of UDP that matters or that a finding names, and one for the rest."""
    own = own_ends(found)
    every = sorted(
        (one for one in found["streams"] if one["tells_most"]), key=lambda one: (ends(one) not in own, -one["bytes"])
    )
    named = {finding["subject"] for finding in found["findings"]}
    whole = sum(one["bytes"] for one in every)
    told = [
        one
        for one in every
        if (one["bytes"] >= MATTERS * whole and one["packets"] >= STREAM_PACKETS) or one["steady"] or ends(one) in named
    ][:MOST]
    asked = questions(found)
    if not told:
        return [f"{count(len(every), 'stream')} of UDP", *asked] if asked else []
    lines = [*(stream(one, found) for one in told), *asked]
    return lines + rest("stream", len(every) - len(told), whole, sum(one["bytes"] for one in told))


def stream(one: StreamSeen, found: Diagnosis) -> str:
    """How fast a stream came to where the capture was made, how long nothing came, and what is missing of it."""
    said = [
        f"UDP, {moved(one['bytes'], one['mbps'], one['span_s'])}",
        f"{count(one['packets'], 'packet')}, at most {apart(one['silence_s'])} apart",
    ]
    rtp = one["rtp"]
    if rtp:
        said.append(lost_of(rtp) + (f", jitter {number(rtp['jitter_ms'])} ms" if rtp["jitter_ms"] is not None else ""))
        said += stood(rtp)
    if one["lost"]:
        said.append(between(one["lost"], found))
    return f"{ends(one)}: {'; '.join(said)}"


def apart(seconds: float) -> str:
    """A time between packets, in ms as far as these can be read."""
    return f"{number(seconds)} s" if seconds >= SECONDS else f"{number(1000 * seconds)} ms"


def stood(rtp: RtpSeen) -> list[str]:
    """How often RTP stood still on its way, and for how long its sender paused."""
    said = [f"stood still {stalls(rtp)}"] if rtp["stalls"] else []
    return said + ([f"its sender paused for {number(rtp['paused_s'])} s at most"] if rtp["paused_s"] >= PAUSE else [])


def stalls(rtp: RtpSeen) -> str:
    """How often RTP stood still, and for how long."""
    longest = f"for {number(rtp['stalled_s'])} s"
    return f"once, {longest}" if rtp["stalls"] == 1 else f"{rtp['stalls']:,} times, {longest} at most"


def lost_of(rtp: RtpSeen) -> str:
    """What is missing of RTP, apart from a hole in which all of it is."""
    if not rtp["missing"]:
        return "none of its RTP is missing"
    if not is_hole(rtp):
        return f"{number(100 * missing(rtp))} % of its RTP is missing"
    return f"{count(rtp['hole'], 'packet')} of its RTP are missing at a stretch, in {hole(rtp)}, and {beside_hole(rtp)}"


def is_hole(rtp: RtpSeen) -> bool:
    """Whether most of what is missing of RTP is missing at a stretch, for a second or longer."""
    return 2 * rtp["hole"] >= rtp["missing"] > 0 and rtp["hole_s"][1] - rtp["hole_s"][0] >= PAUSE


def hole(rtp: RtpSeen) -> str:
    """The stretch in which most packets in a row are missing."""
    first, last = rtp["hole_s"]
    return f"{first:,.1f} to {last:,.1f} s"


def beside_hole(rtp: RtpSeen) -> str:
    """What is missing of RTP beside its hole."""
    left = rtp["missing"] - rtp["hole"]
    if not left:
        return "none of the rest"
    return f"{number(100 * left / max(rtp['sent'] - rtp['hole'], 1))} % of the rest"


def missing(rtp: RtpSeen) -> float:
    """The share of RTP's packets that is missing."""
    return rtp["missing"] / max(rtp["sent"], 1)


def between(lost: LostSeen, found: Diagnosis) -> str:
    """How much of a stream is lost between two hosts' captures."""
    first, second = (name_of(found["captures"][place]) for place in lost["captures"])
    part = f"{number(100 * lost['missing'] / lost['sought'])} %" if lost["missing"] else "none"
    return f"{part} of what {first} has is missing in {second}"


def pings(found: Diagnosis) -> list[str]:
    """A line for each pair of hosts with ICMP echo that matters, those with most first, and one for the rest."""
    every = sorted((one for one in found["pings"] if one["tells_most"]), key=lambda one: -echoes(one))
    told = [one for one in every if echoes(one) >= ECHOES][:MOST]
    more = sum(echoes(one) for one in every[len(told) :])
    left = count(len(every) - len(told), "other pair")
    rest_of = [f"{left} with ICMP echo: {count(more, 'packet')}"] if told and more else []
    return [ping(one) for one in told] + rest_of


def passages(found: Diagnosis) -> list[str]:
    """A line for each two captures between which packets wait, those that wait longest first."""

    def wait(one: PassageSeen) -> float:
        return one["delay_ms"]["p50"] - one["delay_ms"]["min"]

    lines = []
    for one in sorted(found["passages"], key=lambda one: -wait(one))[:MOST]:
        if wait(one) >= WAITS:
            first, second = (name_of(found["captures"][place]) for place in one["captures"])
            lines.append(
                f"{one['ends'][0]} to {one['ends'][1]}: half of the packets need more than "
                f"{number(one['delay_ms']['p50'])} ms from {first} to {second}, the quickest "
                f"{number(one['delay_ms']['min'])} ms: they wait in between"
            )
    return lines


def echoes(one: PingsSeen) -> int:
    """Requests and answers between two hosts."""
    return one["requests"] + one["answered"] + one["unasked"]


def ping(one: PingsSeen) -> str:
    """How often one host asked another by ICMP echo, what came back and when, and how much went that asks nothing."""
    silent = one["requests"] - one["answered"] - one["open"]
    said = [f"ICMP echo, {count(one['requests'], 'request')} in {long(one['span_s'][1] - one['span_s'][0])}"]
    if one["requests"]:
        some = f"{silent:,} without an answer" if one["answered"] else "none answered"
        every = "all others answered" if one["open"] else "all answered"
        said[0] += f", {some if silent or not one['answered'] else every}"
        said[0] += f", {one['open']:,} asked just before the capture ends" if one["open"] else ""
    if one["unasked"]:
        said.append(f"{count(one['unasked'], 'answer')} to no request in the capture")
    trips = one["rtt_ms"]
    if "p50" in trips:
        said.append(f"round trips {number(trips['p50'])} ms, 95th percentile {number(trips['p95'])} ms")
    if one["longest"] > ECHOED:
        said.append(f"up to {count(one['longest'], 'octet')} of data in each, {number(one['bytes'] / 1e3)} kB in all")
    return f"{one['from']} to {one['to']}: {'; '.join(said)}"


def stations(found: Diagnosis) -> list[str]:
    """A line for each station that takes a part of the air time or that a finding names, and one for the rest."""
    known = {one["mac"]: one for one in found["stations"] if one["kind"] == "station"}
    air = next((one for one in found["captures"] if one["place"] == "air" and one["span_s"]), None)
    whole_s = air["span_s"][1] - air["span_s"][0] if air and air["span_s"] else 0.0
    links: dict[str, list[LinkSeen]] = {}
    for link in found["links"]:
        links.setdefault(link["from"] if link["from"] in known else link["to"], []).append(link)
    airtime = {mac: sum(link["airtime_s"] for link in both) for mac, both in links.items()}
    named = " ".join(finding["subject"] for finding in found["findings"])
    own = own_stations(found)
    every = sorted(links, key=lambda mac: (mac not in own, -airtime[mac]))
    heard = {one["mac"]: one["channel_mhz"] for one in found["stations"]}
    # Of a station that was never heard its access point was.
    near = {mac: both[0]["to"] if both[0]["from"] == mac else both[0]["from"] for mac, both in links.items()}
    channels = {mac: heard.get(mac, heard.get(near[mac])) for mac in every}
    whole: defaultdict[int | None, float] = defaultdict(float)
    for mac in every:
        whole[channels[mac]] += airtime[mac]
    told = [mac for mac in every if airtime[mac] >= MATTERS * whole[channels[mac]] or mac in named][:MOST]
    several = len({known[mac]["bssid"] for mac in every if mac in known}) > 1
    deaf = {
        one for one in whole if hears_little([link for mac in every if channels[mac] == one for link in links[mac]])
    }
    misses = any(finding["code"] == MISSES for finding in found["findings"])
    shared = {mac: time for mac, time in airtime.items() if channels[mac] not in deaf}
    lines = networks(known, shared, whole) if several else []
    for mac in told:
        taken = part_of_air(airtime[mac], whole[channels[mac]], misses=misses, deaf=channels[mac] in deaf)
        taken = [f"{one} at {channels[mac]} MHz" if len(whole) > 1 and channels[mac] else one for one in taken]
        said = [*taken, *station(mac, links[mac], misses=misses), *not_heard(mac, found)]
        said += presence(known.get(mac), whole_s)
        said[:0] = [f"of network {network(known[mac])}"] if several and mac in known else []
        lines.append(f"station {mac}: {'; '.join(said)}")
    lines += unlisted(found, told)
    floor = next((link["assumed_noise_dbm"] for both in links.values() for link in both), None)
    if floor is not None and any(ABOVE in line for line in lines):
        lines.append(f"the monitor does not record its noise level: {floor:.0f} dBm is assumed")
    if deaf and len(every) > len(told):
        return [*lines, f"{count(len(every) - len(told), 'other station')}, of which less was heard"]
    return lines + rest("station", len(every) - len(told), sum(whole.values()), sum(airtime[mac] for mac in told))


def hears_little(links: list[LinkSeen]) -> bool:
    """Whether less than half of the air time of some links was heard, as far as answers tell: no share is one then."""
    heard = sum(link["airtime_s"] for link in links)
    return heard < HALF * sum(link["airtime_s"] / max(link["heard"] or 1.0, MIN_HEARD_SHARE) for link in links)


def part_of_air(airtime: float, every: float, *, misses: bool, deaf: bool) -> list[str]:
    """The part of the air time that a station's data takes; of a monitor that hears little how much was heard."""
    if not every:
        return []
    if deaf:
        return [f"{long(airtime)} of air time of its unicast data was heard"]
    return [f"{share(airtime, every)} of unicast data's air time{' that was heard' if misses else ''}"]


def not_heard(mac: str, found: Diagnosis) -> list[str]:
    """The directions of a station of which nothing was heard but answers."""
    does = [
        (one, "sends" if one["from"] == mac else "gets") for one in found["unheard"] if mac in {one["from"], one["to"]}
    ]
    return [f"of what it {way} no data was heard, but {count(one['answers'], 'answer')} to it" for one, way in does]


def unlisted(found: Diagnosis, told: list[str]) -> list[str]:
    """A line for stations without one of which nothing but answers was heard; nothing without any."""
    silent = [one for one in found["unheard"] if one["answers"] >= ANSWERS and not {one["from"], one["to"]} & set(told)]
    if not silent:
        return []
    answers = count(sum(one["answers"] for one in silent), "answer")
    senders = count(len({one["from"] for one in silent}), "other station")
    return [f"nothing was heard of what {senders} sent but {answers} to it"]


def networks(known: dict[str, StationSeen], airtime: dict[str, float], whole: Mapping[int | None, float]) -> list[str]:
    """A line for each channel with several networks that take a part of its data's air time: whose that is."""
    shares: defaultdict[int | None, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for mac, taken in airtime.items():
        if mac in known:
            shares[known[mac]["channel_mhz"]][network(known[mac])] += taken
    lines = []
    for channel, parts in shares.items():
        order = sorted(parts.items(), key=lambda item: -item[1])
        told = [f"{name} {share(part, whole[channel])}" for name, part in order if part >= MATTERS * whole[channel]]
        if len(told) > 1:
            where = f" at {channel} MHz" if channel else ""
            lines.append(f"unicast data's air time{where} by network: {', '.join(told[:MOST])}")
    return lines


def station(mac: str, links: list[LinkSeen], *, misses: bool) -> list[str]:
    """How strong a station is heard, and each of its directions."""
    said = []
    heard = next((link for link in links if link["snr_db"] is not None), None)
    if heard:
        said.append(signal(heard))
    whole = sum(link["mpdus"] for link in links)
    return said + [direction(mac, one, misses=misses) for one in links if one["mpdus"] >= MATTERS * whole]


def network(one: StationSeen) -> str:
    """The network of a station, by its name and its access point's address, as far as these are known."""
    if not one["bssid"]:
        return "that is not known"
    return f'"{one["ssid"]}" ({one["bssid"]})' if one["ssid"] else one["bssid"]


def presence(one: StationSeen | None, whole_s: float) -> list[str]:
    """For how much of a capture's time a station had said that it sleeps, and how often it left and joined."""
    if not one:
        return []
    asleep_s = sum(end - start for start, end in one["dozes"])
    listed, spells = len(one["dozes"]), one["dozes_total"]
    said = []
    if listed < spells:
        said.append(f"PM=1 for {asleep_s:,.1f} s in the first {listed:,} of {spells:,} spells")
    elif spells and asleep_s >= DOZES_SHARE * whole_s:
        said.append(f"PM=1 for {share(asleep_s, whole_s)} of the time in {count(spells, 'spell')}")
    if one["leaves"]:
        said.append(f"deauthenticated or disassociated {count(one['leaves'], 'time')}")
    if one["joins"]:
        said.append(f"associated {count(one['joins'], 'time')}")
    return said


def signal(link: LinkSeen) -> str:
    """How strong a station is heard; about that, where the monitor does not tell its noise."""
    about = "" if link["assumed_noise_dbm"] is None else "about "
    return f"{about}{link['snr_db']:.0f} {ABOVE}"


def direction(mac: str, link: LinkSeen, *, misses: bool) -> str:
    """What a station sends or gets, as far as it was heard by the monitor, which may miss frames (`misses`)."""
    rate = f" at {number(link['mbps'])} Mbit/s" if link["mbps"] is not None else ""
    size = f", {number(link['mpdus'] / link['ppdus'])} in a PPDU" if link["ppdus"] else ""
    retries = f", {number(100 * link['retried'] / max(link['mpdus'], 1))} % retries"
    heard = link["heard"]
    least = "at least " if (misses if heard is None else heard < WHOLE_SHARE) else ""
    of = f" (the monitor heard {heard_share(heard)} of these frames)" if heard is not None and least else ""
    does = "sends" if link["from"] == mac else "gets"
    return f"{does} {least}{count(link['mpdus'], 'MPDU')}{rate}{size}{retries}{of}"


def heard_share(heard: float) -> str:
    """The share of a link's frames that the monitor heard."""
    return f"{100 * heard:.0f} %" if heard >= MIN_HEARD_SHARE else f"less than {100 * MIN_HEARD_SHARE:.0f} %"


def group(found: Diagnosis) -> list[str]:
    """A line for data to groups that takes a part of the time."""
    seen = found["group"]
    if not seen or seen["airtime_s"] < MATTERS * seen["of_s"]:
        return []
    rate = f" at {number(seen['mbps'])} Mbit/s" if seen["mbps"] is not None else ""
    part = f"{share(seen['airtime_s'], seen['of_s'])} of the time"
    return [f"broadcast and multicast: {count(seen['mpdus'], 'MPDU')}{rate}, {part}"]


def leaves(found: Diagnosis) -> list[str]:
    """A line for each transmitter that many deauthentications name, those with most first."""
    many = sorted((one for one in found["leaves"] if one["frames"] >= FLOOD_FRAMES), key=lambda one: -one["frames"])
    return [
        f"{count(one['frames'], 'deauthentication')} or disassociations from {one['from']}, "
        f"in {one['span_s'][0]:,.1f} to {one['span_s'][1]:,.1f} s"
        for one in many[:MOST]
    ]


def rest(what: str, left: int, whole: float, told: float) -> list[str]:
    """A line for what has none of its own."""
    if not left:
        return []
    part = 100 * (whole - told) / whole if whole else 0.0
    of = {"flow": "octets", "stream": "octets of UDP", "station": "unicast data's air time"}[what]
    return [f"{count(left, f'other {what}')} together: {number(part)} % of the {of}"]
