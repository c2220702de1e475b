"""Lines about TCP: how fast a flow went, what was sent again, what limited it, and what never connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.common import MATTERS, MOST, ends, moved, own_ends, rest
from airloom.support.formatting import count, number, share

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import AttemptSeen, Diagnosis, FlowSeen

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

MIN_LIMIT_SHARE = 0.05
"""The share of a sender's time from which on a limit is shown."""

SHORTER = "shorter than a tick of the capture's clock"
"""What stands for a round trip that is shorter than a tick."""

TICK_MS = 0.005
"""A round trip in ms that rounds to nothing: no way is so short, and a clock may tick that seldom."""

BATCH = 5000
"""What is sent at a time, in octets: fewer are one segment or two, and wait for nothing else in any program."""

BATCHES = 10
"""Fewer of one size are chance."""

FIN = 1
"""What a FIN alone counts for among octets."""

KILO = 1000
"""From so many octets on a line gives kB."""


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
