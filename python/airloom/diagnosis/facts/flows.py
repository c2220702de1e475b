"""Lines about TCP: how fast a flow went, what was sent again, and what limited it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.common import MATTERS, MOST, ends, has_time, host, moved, rate, rest, telling
from airloom.diagnosis.reading import named as name_of
from airloom.support.formatting import count, number, share

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import BeforeAirSeen, Diagnosis, FlowSeen, ResetSeen

LIMITS = {
    "congestion": "waited for acknowledgments",
    "receiver": "was held by the receiver's window",
    "application": "had nothing to send",
    "recovery": "recovered from losses",
    "unclear": "paused for its program or for what waited below its TCP",
}
"""What a sender did for a part of its time, by what limited it."""

UNHURT = "recovered from what it took for losses"
"""What a sender did that recovered, though nothing had been lost."""

AGAIN = {
    "fast": "after duplicate ACKs",
    "timeout": "by the timer",
    "after_timeout": "behind a timeout",
    "too_big": "since they had been too big",
    "probe": "as tail loss probes",
    "needless": "needlessly",
}
"""How segments were sent again."""

BY_TIMER = ("timeout", "after_timeout")
"""Those that a timer makes a sender send."""

SURE = ("probe", "needless")
"""Those of which it shows for sure that they were sent again so."""

LATE = "late, by the timer or by a wait below its sender"
"""What stands for these away from the sender, where duplicate ACKs ask for segments too."""

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

UNACKNOWLEDGED = 3
"""Fewer connections to an end whose data is never acknowledged are chance, or the end of the capture."""

FIN = 1
"""What a FIN alone counts for among octets."""

HOLE_S = 0.1
"""A hole that SACKs show for so many seconds is no packet that another one overtook."""

OVERRAN = 3
"""Fewer segments that were sent again since they had gone beyond the receiver's window are chance."""

LONGER = 3.0
"""How many times the 95th percentile the longest round trip is that is said."""

LONGEST_MS = 500.0
"""A shorter one may be an acknowledgment that was held back (RFC 1122 section 4.2.3.2)."""

SLOWS = 0.2
"""The share of all octets of a flow of which it is said first that it became slower."""

STILL_S = 1.0
"""A flow that stands still for so many seconds has it said: somebody waits."""

STOOD = 0.2
"""The share of a flow's time for which it stands still, or finds the receiver's window closed, that is said first."""

STILL_OF_ACTIVE_S = 3.0
"""So long a flow stands still at least whose time is counted without that in which its sender had nothing to send."""

TIMED_SHARE = 0.1
"""The share of its time in which a flow recovers, behind its sender's timer, from which on it has a line of its own."""

TIMED_S = 1.0
"""The same in seconds."""

WAITED_S = 0.2
"""Packets that wait for so many seconds in their own host have it said: its radio was away, or a queue stands."""

CUT_OFF_S = 5.0
"""A shorter time in which nothing came through to a sender, in seconds, is a few timers' (as W408's)."""

CLOSED_S = 0.1
"""A window that is closed for so many seconds is said, however long its sender had nothing to send."""

OWN_MS = 1.0
"""A host answers sooner at its own interface, in ms, unless it holds the acknowledgment back, or is busy."""

FARTHER_MS = 1.0
"""A way to the sender and back that is shorter, in ms, sets no speed."""

SHORT_QUEUE = "a queue of the access point that is short or full, or the wire before it, loses them"
"""What may lose segments between a wire and the air."""

OWN_QUEUE = "the sender's own queue loses them"
"""What may lose those of a station that sends."""

UNHEARD = (
    "were not heard on the air, where frames are missing by their numbers: whether the air took them, out of the "
    "monitor's hearing, or a queue before it, the captures do not show"
)
"""What is said where the monitor did not hear frames that were numbered."""

SLOW_SPELLS = 4
"""The most spells that are listed."""

HELD = 3
"""Fewer waits of pieces for acknowledgments that were held back, of one host for another, are chance."""

HELD_BACK = "W404"
"""The rule about acknowledgments that are held back for much of a flow's time."""

KILO = 1000
"""From so many octets on a line gives kB."""


def flows(found: Diagnosis) -> list[str]:
    """A line for each flow that moves a part of the octets, that a finding names or that stood for its sender's timer.

    One more is for the rest.
    """
    every = telling(found["connections"], found)
    named = {finding["subject"] for finding in found["findings"]}
    whole = sum(one["bytes"] for one in every)
    large = [one for one in every if one["bytes"] >= MATTERS * whole or ends(one) in named]
    timed = [one for one in every if one not in large and stood_for_timer(one)]
    told = [*large, *timed][:MOST]
    others = [one for one in every if one not in told]
    left = rest("flow", len(others), whole, sum(one["bytes"] for one in told))
    lines = [flow(one) if has_time(found, one["capture"]) else timeless(one) for one in told] + [
        line + of_others(others) for line in left
    ]
    unsaid = [one for one in every if one["missing"] > FIN and not (one in told and is_unseen(one))]
    return lines + unacknowledged(found)[:MOST] + uncaptured(unsaid) + held(every, found)


def unacknowledged(found: Diagnosis) -> list[str]:
    """What is said of each end that acknowledged no data on most of several connections, worst first."""
    told = {finding["subject"] for finding in found["findings"]}
    to: dict[str, list[FlowSeen]] = {}
    for one in telling(found["connections"], found):
        if found["captures"][one["capture"]]["place"] != "air":
            to.setdefault(one["to"], []).append(one)
    silent = {end: sum(is_unacknowledged(one) and ends(one) not in told for one in of) for end, of in to.items()}
    worst = [end for end, many in silent.items() if many >= UNACKNOWLEDGED and 2 * many >= len(to[end])]
    return [
        f"{silent[end]:,} of {count(len(to[end]), 'connection')} to {end}: data sent, none of it acknowledged in the "
        "capture"
        for end in sorted(worst, key=lambda end: -silent[end])
    ]


def is_unacknowledged(one: FlowSeen) -> bool:
    """Whether an end took up a connection and never acknowledged any of the data that came, nor was it reset."""
    return one["handshake"] and one["both_ways"] and not one["acknowledged"] and not one["reset"]


def uncaptured(of: list[FlowSeen]) -> list[str]:
    """A line for what of some flows was acknowledged and is not in the capture, where theirs do not say so."""
    if not of:
        return []
    octets, whose = count(sum(one["missing"] for one in of), "octet"), count(len(of), "flow")
    return [
        f"{octets} of {whose} were acknowledged and are not in the capture: whether they were sent again is unknown"
    ]


def stood_for_timer(one: FlowSeen) -> bool:
    """Whether a flow stood for its sender's retransmission timer for long, or for much of its time."""
    span = one["span_s"]
    share = one["limits"]["recovery"] if one["retransmissions"]["timeout"] else 0.0
    return share >= TIMED_SHARE or (share * (span[1] - span[0]) if span else 0.0) >= TIMED_S


def of_others(others: list[FlowSeen]) -> str:
    """How many segments of flows without a line of their own were sent again; nothing without any."""
    segments, fins = (sum(of(one) for one in others) for of in (resent, fins_again))
    if not segments + fins:
        return ""
    what = " and ".join(count(many, name) for many, name in ((segments, "segment"), (fins, "FIN")) if many)
    needless = sum(one["retransmissions"]["needless"] for one in others)
    part = "all" if needless == segments and not fins else f"{needless:,} of these"
    which = f", {part} needlessly" if needless else ""
    return f"; {what} sent again in {sum(resent(one) + fins_again(one) > 0 for one in others):,} of them{which}"


def resent(one: FlowSeen) -> int:
    """How many segments of a flow were sent again, without those of its handshake."""
    return one["retransmissions"]["all"] - one["retransmissions"]["handshake"]


def fins_again(one: FlowSeen) -> int:
    """How many FINs of a flow without data were sent again."""
    return one["retransmissions"]["fins"]


def held(every: list[FlowSeen], found: Diagnosis) -> list[str]:
    """A line for each two hosts of which one waited again and again for acknowledgments that the other held back."""
    told = {finding["subject"] for finding in found["findings"] if finding["code"] == HELD_BACK}
    waits: dict[tuple[str, str], list[FlowSeen]] = {}
    for one in every:
        if one["held"] and ends(one) not in told:
            waits.setdefault((host(one["from"]), host(one["to"])), []).append(one)
    lines = []
    for (sender, receiver), of in waits.items():
        times = sum(one["held"] for one in of)
        # Programs that write whenever they like do so some time after an acknowledgment more often than just then.
        if times >= HELD and 2 * times >= sum(one["stalls"]["delayed_ack"] for one in of):
            often = f"{times:,} times" if all(one["handshake"] for one in of) else f"at least {times:,} times"
            each = number(1000 * sum(one["held_s"] for one in of) / times)
            lines.append(
                f"{sender} to {receiver}: {often} in {count(len(of), 'flow')} a part of a segment went just as "
                f"an acknowledgment came, which the receiver had held back for {each} ms on average: Nagle's algorithm "
                "does so (TCP_NODELAY ends that)"
            )
    return lines[:MOST]


def flow(one: FlowSeen) -> str:
    """How fast a flow went, how long its packets took, what was sent again and how, and what limited it."""
    span = one["span_s"]
    unseen = one["missing"] / max(one["new_bytes"] + one["missing"], 1)
    said = [f"{least(unseen)}{moved(one['new_bytes'], one['mbps'], span)}"]
    if unseen >= UNSEEN_SHARE:
        said.append(f"{share(one['missing_share'], 1)} of what was acknowledged is not in the capture")
    if not one["both_ways"]:
        said.append("nothing of the other direction is in the capture")
    said += [
        *trips(one),
        *farther(one),
        *behind(one),
        again(one),
        *before_air(one),
        *holes(one),
        *sacks(one),
        *overran(one),
        *marks(one),
        *still(one),
        *waited(one),
        *not_through(one),
        *shut(one),
        *slow(one),
        *slows_down(one),
    ]
    if one["reset"]:
        closed = "closed and " if one["reset"]["closed"] else ""
        by, why = resetter(one["reset"])
        said.append(f"{closed}reset {by} at {one['reset']['at_s']:,.1f} s{cut_off(one)}" + (f", {why}" if why else ""))
    parts = [
        f"{UNHURT if limit == 'recovery' and lost_nothing(one) else did} {share(one['limits'][limit], 1)} of the time"
        for limit, did in LIMITS.items()
        if one["near_sender"] and one["limits"][limit] >= MIN_LIMIT_SHARE
    ]
    if parts:
        said.append(f"the sender {', '.join(parts)}")
    return f"{ends(one)}: {'; '.join([*said, *batches(one)])}"


def timeless(one: FlowSeen) -> str:
    """What passed of a flow and what of it was sent again, where the stamps say nothing of time."""
    again = count(resent(one), "segment") if resent(one) else "nothing"
    moved_all = f"{count(one['new_bytes'], 'octet')} in {count(one['packets'], 'packet')}"
    said = [moved_all, f"{again} sent again", *overran(one), *marks(one), *batches(one)]
    return f"{ends(one)}: {'; '.join(said)}"


def batches(one: FlowSeen) -> list[str]:
    """How much a sender sends at a time, if most often as much and then nothing until all of it is acknowledged."""
    sent = one["batches"]
    if not sent or sent["octets"] < BATCH or sent["times"] < BATCHES or 2 * sent["times"] < sent["all"]:
        return []
    each = count(sent["octets"], "octet")
    moves, waits = (
        " in a round trip, which acknowledgments moved on: a window",
        ", and nothing more until all were acknowledged",
    )
    return [f"{sent['times']:,} of {sent['all']:,} times it sent {each}{moves if sent['moves'] else waits}"]


def trips(one: FlowSeen) -> list[str]:
    """How long packets of a flow and their acknowledgments take; nothing without any such time."""
    times = one["rtt_ms"]
    if "p50" not in times:
        return []
    half, most = (f"{number(times[part])} ms" if times[part] >= TICK_MS else SHORTER for part in ("p50", "p95"))
    if not one["bare_acks"] and one["packets"] >= MIN_PACKETS:
        return [f"round trips {half} or less: no acknowledgment without data is in the capture"]
    # A queue between the sender and a capture in the middle is not in them, however near it is.
    near = one["seen_from"] == "sender" or half == SHORTER
    where = "" if near else " from the capture to the receiver and back"
    if is_unseen(one):
        where += " or less, since acknowledgments may be missing too"
    if one["proxied_ms"] is not None:
        far = number(one["proxied_ms"])
        where = f" to what acknowledges for the receiver, whose answer to the SYN took {far} ms"
    longest = times["max"]
    at_most = f", at most {number(longest)} ms" if longest >= max(LONGER * times["p95"], LONGEST_MS) else ""
    if one["seen_from"] == "receiver" and one["in_order"] and times["p50"] >= OWN_MS:
        less = ", or sooner, since acknowledgments may be missing too" if is_unseen(one) else ""
        late = f"{half}, 95th percentile {most}{at_most}{less}"
        if one["receiver_routed"]:
            return [
                f"the receiver, near which the capture was made, acknowledges after {late}: hardly any way is in that"
            ]
        return [f"the receiver, where the capture was made, acknowledges after {late}: no way is in that"]
    return [f"round trips {half}" + (f", 95th percentile {most}" if most != SHORTER else "") + at_most + where]


def farther(one: FlowSeen) -> list[str]:
    """How far the sender is, where that is the longer half of the way: it sets how fast a window goes round."""
    way = one["to_sender_ms"]
    if way is None or one["seen_from"] == "sender" or one["behind_ms"] is not None or "p50" not in one["rtt_ms"]:
        return []
    if way < max(FARTHER_MS, one["rtt_ms"]["p50"]):
        return []
    return [f"{number(way)} ms at best to the sender and back"]


def behind(one: FlowSeen) -> list[str]:
    """How far the sender is, if something near acknowledges for it: whether it or the way was slow does not show."""
    if one["behind_ms"] is None:
        return []
    far = number(one["behind_ms"])
    near = f"what acknowledges for {one['from']} is near, though its answer to the SYN took {far} ms"
    return [f"{near}: whether it had nothing to send, or waited for acknowledgments behind that, does not show"]


def least(unseen: float) -> str:
    """What stands before a rate of which so much is not in the capture."""
    return "at least " if unseen >= UNSEEN_SHARE else ""


def again(one: FlowSeen) -> str:
    """What data was sent again and how."""
    counts = one["retransmissions"]
    segments = resent(one)
    if not segments:
        if one["twice"] or one["missing"] > FIN:
            return "nothing sent again in the capture"
        others = {"SYN": counts["handshake"], "FIN": counts["fins"]}
        return "nothing sent again" + "".join(f" but {count(times, name)}" for name, times in others.items() if times)
    how = [f"{times:,} {words}" for times, words in kinds(one) if times]
    fins = f" and {count(fins_again(one), 'FIN')}" if fins_again(one) else ""
    at_least = "at least " if one["twice"] or is_unseen(one) else ""
    if one["packets"] < MIN_PACKETS:
        times = f"{at_least}{count(segments, 'segment')} sent again"
        return times + (f" ({', '.join(how)})" if how else "") + fins
    ratio = segments / max(one["segments"], 1)
    part = f"{number(100 * ratio)} % sent again" if ratio <= 1 else f"sent again {number(ratio)} times on average"
    return at_least + part + (f" ({', '.join(how)})" if how else "") + fins


def kinds(one: FlowSeen) -> list[tuple[int, str]]:
    """How often segments were sent again for each reason; away from the sender, as far as one shows there.

    A segment that waited below its sender for as long as a timer lasts comes by as one that the timer sent.
    """
    counts = one["retransmissions"]
    if one["seen_from"] == "sender" or not counts["fast"]:
        return [(counts[kind], words) for kind, words in AGAIN.items()]
    late = sum(counts[kind] for kind in BY_TIMER)
    return [
        (late if kind == "timeout" else counts[kind], LATE if kind == "timeout" else words)
        for kind, words in AGAIN.items()
        if kind != "after_timeout"
    ]


def sacks(one: FlowSeen) -> list[str]:
    """What the receiver's SACKs prove of what the capture does not have: that something came twice, or was missing."""
    said = []
    if one["twice"]:
        times = count(one["twice"], "time")
        said.append(f"{times} something came to the receiver twice (D-SACK), which the capture does not have")
    if is_unseen(one) and one["hole_s"] >= HOLE_S:
        said.append(f"the receiver's SACKs show data behind holes for up to {number(one['hole_s'])} s")
    return said


def holes(one: FlowSeen) -> list[str]:
    """For how long what came to the receiver waited for what had been lost, where its capture shows that."""
    seen = one["holes"]
    if not seen:
        return []
    if seen["times"] == 1:
        return [f"what came behind a loss waited once for {number(1e3 * seen['all_s'])} ms"]
    each = f"{number(1e3 * seen['median_s'])} ms mostly and {number(1e3 * seen['longest_s'])} ms at most"
    return [f"what came behind losses waited {seen['times']:,} times, {each}, {number(seen['all_s'])} s in all"]


def is_unseen(one: FlowSeen) -> bool:
    """Whether so much of a flow is not in the capture that this is said."""
    return one["missing"] >= UNSEEN_SHARE * max(one["new_bytes"] + one["missing"], 1)


def overran(one: FlowSeen) -> list[str]:
    """Segments that the receiver had no room for, and how many it threw away."""
    if one["overran"] < OVERRAN:
        return []
    sent = f"{count(one['overran'], 'segment')} sent beyond the receiver's window"
    if one["thrown_away"] < OVERRAN:
        return [sent]
    return [f"{sent}, {one['thrown_away']:,} of them again since it threw them away: no loss on the way"]


def still(one: FlowSeen) -> list[str]:
    """For how long a flow stood still at most, if that is long and not for what is missing."""
    if one["still_s"] < STILL_S or is_unseen(one):
        return []
    if not one["both_ways"]:
        return [f"stood still for {number(one['still_s'])} s or longer: so long its sender repeated data"]
    return [f"stood still for up to {number(one['still_s'])} s with data underway"]


def waited(one: FlowSeen) -> list[str]:
    """For how long its packets waited in their sender's own host at most, if that is long."""
    if one["waited_s"] < WAITED_S:
        return []
    return [f"packets waited in its sender's host for up to {number(one['waited_s'])} s before they were captured"]


def not_through(one: FlowSeen) -> list[str]:
    """For how long nothing came through to the sender, if that is long: it sent again what had been acknowledged."""
    if one["cut_off_s"] < CUT_OFF_S:
        return []
    return [f"for {number(one['cut_off_s'])} s nothing came through to {one['from']}"]


def shut(one: FlowSeen) -> list[str]:
    """For how long its receiver's window was closed, where the share of its time does not say so."""
    said = one["near_sender"] and one["limits"]["receiver"] >= MIN_LIMIT_SHARE
    if one["closed_s"] < CLOSED_S or said:
        return []
    return [f"the receiver's window was closed for {number(one['closed_s'])} s"]


def stands(one: FlowSeen) -> str:
    """For how long a flow stood still or found its receiver's window closed, if for much of its time; or nothing.

    Its time is that from its first data to its last, or as much of it as its sender had something to send.
    """
    span = one["span_s"]
    if not span:
        return ""
    whole_s = span[1] - span[0]
    waited = max(STILL_S, STOOD * whole_s)
    whole = f" of {whole_s:,.1f} s"
    if one["closed_s"] >= waited:
        return f"found the receiver's window closed for {number(one['closed_s'])} s{whole}: its program read nothing"
    # It may end with an acknowledgment, a round trip after the flow's last data.
    stood_s = min(one["still_s"], whole_s)
    longer = "" if one["both_ways"] else " or longer"
    if one["still_s"] >= waited and still(one):
        return f"stood still for {number(stood_s)} s{longer}{whole}, with data underway"
    active_s = max(whole_s * (1 - one["limits"]["application"]), stood_s)
    if stood_s >= max(STILL_OF_ACTIVE_S, STOOD * active_s) and still(one):
        return (
            f"stood still for {number(stood_s)} s{longer} of the {active_s:,.1f} s in which it had anything to send, "
            "with data underway"
        )
    return ""


def slow(one: FlowSeen) -> list[str]:
    """When it went much slower than it mostly did."""
    spells = one["slow"]
    if not spells:
        return []
    spans = spells["spans_s"]
    when = ", ".join(f"{start:,.0f} to {end:,.0f} s" for start, end in spans[:SLOW_SPELLS])
    more = f" and in {count(len(spans) - SLOW_SPELLS, 'more spell')}" if len(spans) > SLOW_SPELLS else ""
    return [f"in {when}{more} it went at {rate(spells['mbps'])} instead of {rate(spells['usual_mbps'])}"]


def slows_down(one: FlowSeen) -> list[str]:
    """From when on it went slower, to its end."""
    seen = one["slows_down"]
    if not seen:
        return []
    rates = f"{rate(seen['behind_mbps'])} instead of {rate(seen['before_mbps'])}"
    return [f"from {seen['at_s']:,.1f} s on it went at {rates}"]


def slower(found: Diagnosis) -> list[str]:
    """The same in a few words of each flow that moves a part of the octets, those with most first."""
    every = telling(found["connections"], found)
    whole = sum(one["bytes"] for one in every)
    large = [one for one in every if one["bytes"] >= SLOWS * whole and has_time(found, one["capture"])]
    return [f"{ends(one)} slowed down: {said}" for one in large for said in slows_down(one)]


def before_air(one: FlowSeen) -> list[str]:
    """How much of a flow was lost on its way to the air, where a host's capture and a monitor's show that."""
    seen = one["before_air"]
    where = "in the air or before it" if seen and seen["perhaps_in_air"] else "before the air"
    return [f"at least {number(100 * seen['share'])} % lost {where}"] if seen else []


def dropped(found: Diagnosis) -> list[str]:
    """The same in more words of each flow about which nothing is found, those with most first: what may drop it."""
    told = {finding["subject"] for finding in found["findings"]}
    seen = {
        ends(one): one["before_air"]
        for one in telling(found["connections"], found)
        if one["before_air"] and ends(one) not in told
    }
    passed = {way: name_of(found["captures"][lost["captures"][0]]) for way, lost in seen.items()}
    return [
        f"at least {number(100 * lost['share'])} % of the segments of {way} passed {passed[way]} and {took(lost)}"
        for way, lost in sorted(seen.items(), key=lambda item: -item[1]["segments"])
    ]


def took(lost: BeforeAirSeen) -> str:
    """What may have taken segments that passed a host and were not heard on the air."""
    if lost["perhaps_in_air"]:
        return UNHEARD
    return f"never came into the air: {OWN_QUEUE if lost['up'] else SHORT_QUEUE}"


def lost(one: FlowSeen) -> int:
    """Segments that were sent again after losses, as far as the packets tell."""
    counts = one["retransmissions"]
    again = counts["fast"] + counts["timeout"] + counts["after_timeout"]
    return max(again - counts["needless"] - one["thrown_away"], 0)


def lost_nothing(one: FlowSeen) -> bool:
    """Whether all that was sent again had arrived before."""
    return one["retransmissions"]["needless"] >= resent(one)


def marks(one: FlowSeen) -> list[str]:
    """How much of a flow came with congestion marks, by which a queue tells its sender to slow down."""
    marked = min(one["marked"] / max(one["packets"], 1), 1)
    part = f"at least {number(100 * marked)} % of its packets with a congestion mark"
    slowed = f"the sender reduced its window for congestion marks {count(one['reduced'], 'time')}"
    return [part] * (one["marked"] > 0) + [slowed] * (one["reduced"] > 0)


def resetter(reset: ResetSeen) -> tuple[str, str]:
    """By which end a reset was sent; or in whose name, and what shows that another device may have sent it."""
    end = reset["by"]
    if reset["went_on"]:
        return f"in the name of the {end}", f"perhaps by a device on the way, since the {end} goes on after it"
    if reset["hops"]:
        own, others = reset["hops"]
        ttl = f"since it came with TTL {own}, and all other packets of the {end} with {others}"
        return f"in the name of the {end}", f"perhaps by a device on the way, {ttl}"
    return f"by the {end}", ""


def cut_off(one: FlowSeen) -> str:
    """What of a flow a reset found underway; nothing if all was acknowledged, or if no acknowledgment was captured."""
    octets = one["reset"]["outstanding"] if one["reset"] else 0
    some = f"{number(octets / 1e3)} kB" if octets >= KILO else count(octets, "octet")
    return f", {some} unacknowledged" if FIN < octets < one["new_bytes"] else ""
