"""Lines about UDP: how fast a stream came, how long nothing came, and what of its RTP is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.common import MATTERS, MOST, ends, has_time, host, moved, rest, telling
from airloom.diagnosis.questions import MOST_DATAGRAMS, questions
from airloom.diagnosis.reading import named as name_of
from airloom.support.formatting import count, number

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Diagnosis, LostSeen, RtpSeen, StreamSeen

STREAM_PACKETS = 32
"""Fewer packets of UDP than this, such as questions for names, are none that matters."""

PACE = 10.0
"""Packets a second from which on what goes for a while is a call or a game, and matters whatever its octets."""

SECONDS = 10.0
"""A time between packets is in seconds from so many on."""

RUN = 1.0
"""Shorter runs of a stream, in seconds, have no rate."""

SOURCES = 3
"""Sources of RTP whose losses are said."""

PAUSE = 1.0
"""A sender that pauses for so many seconds is one that fell silent."""


def streams(found: Diagnosis) -> list[str]:
    """A line for each stream of UDP that matters or that a finding names, and one for the rest."""
    every = telling(found["streams"], found)
    named = {finding["subject"] for finding in found["findings"]}
    whole = sum(one["bytes"] for one in every)
    alike = [of for of in unheeded_by_sender(every) if not any(ends(one) in named for one in of)][:MOST]
    together = [one for of in alike for one in of]
    known = {id(one) for one in together}
    told = [
        one
        for one in every
        if id(one) not in known
        and (
            (one["bytes"] >= MATTERS * whole and one["packets"] >= STREAM_PACKETS) or goes_on(one) or ends(one) in named
        )
    ][:MOST]
    asked = questions(found)
    if not told and not together:
        return [f"{count(len(every), 'stream')} of UDP", *asked] if asked else []
    lines = [*(stream(one, found) for one in told), *map(probes, alike), *asked]
    told += together
    return lines + rest("stream", len(every) - len(told), whole, sum(one["bytes"] for one in told))


def goes_on(one: StreamSeen) -> bool:
    """Whether a stream goes as a call does, by how many packets went: only those that fare well come evenly."""
    return one["packets"] >= STREAM_PACKETS and one["lasted_s"] >= RUN and one["packets"] >= PACE * one["lasted_s"]


def unheeded_by_sender(every: list[StreamSeen]) -> list[list[StreamSeen]]:
    """Several streams of a host each, such as probes for a way, to which nothing came back; questions are none."""
    senders: dict[str, list[StreamSeen]] = {}
    for one in every:
        if one["nothing_back"] and one["packets"] > MOST_DATAGRAMS:
            senders.setdefault(host(one["from"]), []).append(one)
    many = [of for of in senders.values() if len(of) > 1 and sum(one["packets"] for one in of) >= STREAM_PACKETS]
    return sorted(many, key=lambda of: -sum(one["packets"] for one in of))


def probes(of: list[StreamSeen]) -> str:
    """How much a host sent in several streams to which nothing came back, where to, when, and of which length."""
    hosts = list(dict.fromkeys(host(one["to"]) for one in of))
    where = hosts[0] if len(hosts) == 1 else count(len(hosts), "host")
    packets = sum(one["packets"] for one in of)
    lengths = {one["bytes"] / one["packets"] for one in of}
    first, last = min(one["span_s"][0] for one in of), max(one["span_s"][1] for one in of)
    each = f" of {number(min(lengths))} octets each" if len(lengths) == 1 and min(lengths).is_integer() else ""
    sent = f"{count(packets, 'packet')}{each} in {count(len(of), 'stream')} of UDP"
    lasted = max(one["lasted_s"] for one in of)
    # Apart from each other they are no one stretch of time.
    each_lasted = f", none longer than {number(lasted)} s" if 2 * lasted < last - first else ""
    when = f"from {first:,.1f} to {last:,.1f} s{each_lasted}"
    return f"{host(of[0]['from'])} to {where}: {sent}, {when}; nothing came back"


def stream(one: StreamSeen, found: Diagnosis) -> str:
    """How fast a stream came to where the capture was made, how long nothing came, and what is missing of it."""
    if not has_time(found, one["capture"]):
        said = ["UDP", count(one["packets"], "packet"), count(one["bytes"], "octet")]
        return f"{ends(one)}: {', '.join(said)}{'; nothing came back' if one['nothing_back'] else ''}"
    said = [
        f"UDP, {went(one)}",
        count(one["packets"], "packet") + (f", at most {apart(one['silence_s'])} apart" if one["silence_s"] else ""),
    ]
    if one["nothing_back"]:
        said.append("nothing came back")
    if one["marked"]:
        said.append(f"{number(100 * one['marked'] / one['packets'])} % of its packets with a congestion mark")
    rtp = one["rtp"]
    if rtp:
        said.append(lost_of(rtp) + (f", jitter {number(rtp['jitter_ms'])} ms" if rtp["jitter_ms"] is not None else ""))
        said += stood(rtp)
    if one["lost"]:
        said.append(between(one["lost"], found))
    return f"{ends(one)}: {'; '.join(said)}"


def unheeded(found: Diagnosis) -> list[tuple[str, str, list[StreamSeen]]]:
    """Hosts to which many packets of UDP went and of which nothing is there: the sender, the host, its streams."""
    pairs: dict[tuple[str, str], list[StreamSeen]] = {}
    for one in telling(found["streams"], found):
        if one["nothing_back"]:
            pairs.setdefault((host(one["from"]), host(one["to"])), []).append(one)
    every = [(*pair, of) for pair, of in pairs.items() if sum(one["packets"] for one in of) >= STREAM_PACKETS]
    return sorted(every, key=lambda pair: -sum(one["packets"] for one in pair[2]))


def went(one: StreamSeen) -> str:
    """How fast a stream went and for how long; of several short runs how much it was, and when."""
    lasted, runs = one["lasted_s"], one["runs"]
    if runs == 1:
        return moved(one["bytes"], one["mbps"], one["span_s"])
    first, last = one["span_s"]
    fast = moved(one["bytes"], one["mbps"], [0.0, lasted]) if lasted >= RUN * runs else count(one["bytes"], "octet")
    return f"{fast} in {runs:,} runs from {first:,.0f} to {last:,.0f} s"


def apart(seconds: float) -> str:
    """A time between packets, in ms as far as these can be read."""
    return f"{number(seconds)} s" if seconds >= SECONDS else f"{number(1000 * seconds)} ms"


def stood(rtp: RtpSeen) -> list[str]:
    """How often RTP stood still on its way, and for how long its sender paused."""
    said = [f"stood still {stalls(rtp)}"] if rtp["stalls"] else []
    said += [f"came {late(rtp)}"] if is_late(rtp) else []
    return said + ([f"its sender paused for {number(rtp['paused_s'])} s at most"] if rtp["paused_s"] >= PAUSE else [])


def stalls(rtp: RtpSeen) -> str:
    """How often RTP stood still, and for how long."""
    longest = f"for {number(rtp['stalled_s'])} s"
    return f"once, {longest}" if rtp["stalls"] == 1 else f"{rtp['stalls']:,} times, {longest} at most"


def is_late(rtp: RtpSeen) -> bool:
    """Whether RTP came later than what waited in its longest standstill and then came at once."""
    return rtp["late_s"] > (rtp["stalled_s"] if rtp["at_once"] else 0)


def late(rtp: RtpSeen) -> str:
    """How late RTP came by its stamps, and when."""
    first, last = rtp["late_span_s"]
    return f"up to {number(rtp['late_s'])} s late by its stamps, from {first:,.1f} to {last:,.1f} s by 1 s or more"


def lost_of(rtp: RtpSeen) -> str:
    """What is missing of RTP, apart from a hole in which all of it is."""
    if not rtp["missing"]:
        return "none of its RTP is missing"
    if not is_hole(rtp):
        return f"{number(100 * missing(rtp))} % of its RTP is missing{by_source(rtp)}"
    return f"{count(rtp['hole'], 'packet')} of its RTP are missing at a stretch, in {hole(rtp)}, and {beside_hole(rtp)}"


def by_source(rtp: RtpSeen) -> str:
    """What is missing of each source, with the most packets in a row: an average hides what comes in bursts."""
    lossy = [one for one in rtp["sources"] if one["missing"]]
    if len(rtp["sources"]) == 1:
        return f" (at most {lossy[0]['in_a_row']:,} in a row)" if lossy and lossy[0]["in_a_row"] > 1 else ""
    told = [
        f"{number(100 * one['missing'] / one['sent'])} % of source 0x{one['source']:08x}, "
        f"at most {count(one['in_a_row'], 'packet')} in a row"
        for one in lossy[:SOURCES]
    ]
    whole = len(rtp["sources"]) - len(lossy)
    left = [f"some of {count(len(lossy) - SOURCES, 'other')}"] if len(lossy) > SOURCES else []
    sound = [f"none of {count(whole, 'other')}"] if whole else []
    return f" ({'; '.join([*told, *left, *sound])})"


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
