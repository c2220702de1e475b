"""A diagnosis in words, for people."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from airloom.diagnosis.facts import common, flows, joining, narrow, openings, stations, streams
from airloom.diagnosis.facts.lines import stood
from airloom.diagnosis.reading import named, rules
from airloom.support.formatting import capital, count, enumerated
from airloom.support.formatting import number as rounded

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Abstained, Diagnosis, Finding, FlowSeen, LostSeen, StreamSeen

MOST_SPANS = 4
"""Spans of a finding that are named one by one."""

NOTHING = 1e-6
"""Seconds between spans that touch each other."""

CAVEAT = "W0"

"""How the codes of rules begin that judge the captures, and not the network."""

MOVING = ("W301", "W303", "W306")
"""Findings about a connection that moves: none says for how long it stood still."""

FAR_LONGER = 4
"""A standstill so many times as long as what a finding costs is not that finding's: a sender's timer doubles."""

LEAST = 0.1
"""A cost below this is not told by its number."""

MIN_RECORDS = 100
"""With fewer records than this, no rule says anything."""

MOST_BUT = 2
"""Facts of each kind that are said beside that nothing is wrong."""

LARGE = 100_000
"""Only a flow of at least so many octets is said to have been cut off by a reset."""

FEW_CODES = 8
"""Codes of rules that are named one by one, at most."""

FEW_LOOK = 3
"""Rules that could look are named if they are no more than this."""

TWO = 10
"""From here on two digits are enough."""

CONTENTION = "W201"
"""The rule that says what other networks take of the air."""

DEAD = "W406"
"""The rule about connections on which nothing is answered."""

EFFECTS = ("W302", "W306")
"""The rules about frames that were held back for others, and about segments that were lost."""

HEARD = 0.5
"""The longest standstill of RTP, in seconds, from which on it is said first: no buffer plays on over it."""

HEEDED = 2
"""So often a router says to one sender that its packets are too big, as it learns what its way carries."""

GAPS = 0.02
"""The share of a stream's RTP or of a flow's packets from which on it is said first that it is missing or lost."""

CALL_MBPS = 2.0
"""A stream of UDP that takes no more is one as a call's, which does not fill what it loses of itself."""

FEW_SOUGHT = 50
"""Of fewer packets a share that is lost may be chance: it counts as of so many."""

OF_TCP = ("W303", "W306", "W401", "W402", "W403", "W404", "W405", "W407")
"""Findings about connections that say nothing of what a call loses."""

UNCAPTURED = 0.1
"""The share of a flow's octets without which a capture does not show what was sent again."""

LETS_IN = {
    1: "See its log.",
    17: "Raise the most stations that it takes, or spread them over more access points.",
    30: "It takes the station for one that is still associated: see the logs of both ends (802.11w).",
    31: "Set protected management frames (802.11w) alike at both ends: on at one where required at the other.",
    41: "Set the same ciphers at both ends (CCMP).",
    42: "Set the same ciphers at both ends (CCMP).",
    43: "Set the same security (WPA2, WPA3) at both ends.",
    53: "Have the station forget the network and connect anew, so that it uses no old key.",
}
"""What helps a station that is refused, by the status (IEEE 802.11-2020 table 9-50)."""

NAMED_RADIOS = 2
"""More radios in whose name stations are thrown out are counted."""

CUT = 0.05
"""The share of a capture's records from which on it is said first that they were cut before their headers end."""

UNREADABLE = 0.9
"""The share of all records of which so much was cut that nothing is said of what was found in the rest."""

RECOVERED = 0.1
"""The share of its time in which a sender recovered from losses, however few, from which on that is said first."""

SECONDS = {"ms": 1e-3, "s": 1.0}
"""Seconds in the units of what a finding costs each time."""

FEWEST_LOST = 5
"""Fewer segments that were lost may be chance."""


def cost(finding: Finding) -> str:
    """What a finding costs; nothing if it costs nothing, or that is not known."""
    found = finding["cost"]
    if found["value"] <= 0:
        return ""
    # Of what is lost at least no bound from above is known, however little that is.
    is_told = found["value"] >= LEAST or found["at_least"]
    about = "at least" if found["at_least"] else "up to" if found["at_most"] else "about"
    some = f"{about} {number(found['value'])}" if is_told else f"less than {LEAST}"
    return f"{some} {found['unit']} {'more ' if found['of_the_air'] else ''}{found['of']}"


def charge(finding: Finding, whose: str = "") -> str:
    """That a finding costs so much, or that the air would carry as much more; nothing if it costs nothing."""
    price = cost(finding)
    if not price:
        return ""
    return f"the air would carry {price}" if finding["cost"]["of_the_air"] else f"{whose}costs {price}"


def priced(finding: Finding) -> str:
    """What a finding costs and how sure it is, in a sentence without its stop; or why the cost cannot be told."""
    unknown = finding["cost"]["unknown"]
    if unknown:
        return f"{sure(finding)}; what it costs cannot be told: {unknown}"
    price = charge(finding)
    return f"{price}; {sure(finding)}" if price else sure(finding)


def sure(finding: Finding) -> str:
    """How sure a finding is."""
    return f"{round(100 * finding['confidence'])} % sure"


def joined(of: list[list[float]], apart: float) -> list[list[float]]:
    """Spans of time in their order, as one where they are no more than some seconds apart."""
    found: list[list[float]] = []
    for start, end in sorted(of):
        if found and start <= found[-1][1] + apart:
            found[-1][1] = max(found[-1][1], end)
        else:
            found.append([start, end])
    return found


def ends_in(found: Diagnosis, place: int) -> set[frozenset[str]]:
    """Both ends of each connection and stream that a capture has."""
    every = [*found["connections"], *found["streams"]]
    return {frozenset((one["from"], one["to"])) for one in every if one["capture"] == place}


def spans(of: list[list[float]]) -> str:
    """Spans of time in words, in seconds from the first record on."""
    every = list(dict.fromkeys(span(start, end) for start, end in joined(of, NOTHING)))
    more = len(every) - MOST_SPANS
    return ", ".join(every[:MOST_SPANS]) + (f" and {more} more" if more > 0 else "")


def span(start: float, end: float) -> str:
    """A span of time in words; a moment where its ends print alike."""
    first, last = f"{start:.1f}", f"{end:.1f}"
    return f"{last} s" if first == last else f"{first} to {last} s"


def number(value: float) -> str:
    """A cost with as many digits as it is sure of."""
    return f"{value:.0f}" if value >= TWO else f"{value:.1f}" if value >= LEAST else f"{value:.1g}"


def relation(finding: Finding) -> str:
    """How a finding goes with the one that it stands below; nothing if it stands by itself."""
    if finding["below"] is None:
        return ""
    return "its reason: " if finding["is_reason"] else "it leads to: "


def causes(found: Diagnosis) -> list[Finding]:
    """What went wrong in the network: what costs most first, what follows from a cause behind it."""
    return [finding for finding in found["findings"] if not finding["code"].startswith(CAVEAT)]


def caveats(found: Diagnosis) -> list[Finding]:
    """What is wrong with the captures themselves."""
    return [finding for finding in found["findings"] if finding["code"].startswith(CAVEAT)]


def headline(found: Diagnosis) -> str:
    """The diagnosis in a few words."""
    flood = thrown_out(found)
    told = causes(found) or ([] if flood else caveats(found))
    names = list(dict.fromkeys(finding["name"] for finding in told if finding["below"] is None))
    if not names:
        signs = {
            "Stations are thrown out": flood,
            "Captures were cut too short": cut_short(found),
            "A station was refused": kept_out(found),
            "Handshakes of keys failed": keyless(found),
            "A station was lost": out_of_reach(found),
            "A flood of SYNs": flooded(found),
            "A scan of ports": scanned(found),
            "A server did not answer": unanswered(found),
            "Data was not acknowledged": unacknowledged(found),
            "Packets are too big": too_big(found),
            "A host or a service is not there": nobody(found),
            "Nothing came back from a host": unheeded(found),
            "RTP is missing": gaps(found),
            "Datagrams were lost": lost_between(found),
            "RTP stood still": stood_still(found),
            "Segments were lost": resent(found),
            "A connection stood still": stalled(found),
            "Data was missing at a receiver": holes(found),
        }
        return next((name for name, said in signs.items() if said), "No cause was found")
    if stands_first(found):
        names.insert(0, "A connection stood still")
    if stands_behind_calls(found):
        names.insert(0, "RTP stood still")
    if lost_first(found):
        names.insert(0, "Datagrams were lost" if lost_between(found) else "RTP is missing")
    more = len(names) - 1
    return capital(names[0]) + (f", and {count(more, 'more cause')}" if more else "")


def lead(found: Diagnosis) -> list[str]:
    """Which captures do not belong to the others, and what went wrong."""
    return [*strange(found), *went_wrong(found)]


def strange(found: Diagnosis) -> list[str]:
    """A sentence on hosts' captures that have no connection of any other, beside some that have the same ones."""
    own = {place: ends for place in range(len(found["captures"])) if (ends := ends_in(found, place))}
    alone = [
        place
        for place, ends in own.items()
        if found["captures"][place]["place"] == "host"
        and not found["captures"][place]["clock"]
        and not any(ends & its for other, its in own.items() if other != place)
    ]
    rest = [ends for place, ends in own.items() if place not in alone]
    if not alone or not any(one & other for one, other in combinations(rest, 2)):
        return []
    names = enumerated([named(found["captures"][place]) for place in alone])
    return [f"{names}: no connection of the other captures is in it; what it shows may be of another network or run."]


def went_wrong(found: Diagnosis) -> list[str]:
    """What went wrong and what that means, how sure it is, what it cost and what helps: first in plain words.

    A flood of frames that throw stations out comes before all else: a monitor has heard so many, whatever it misses.
    """
    flood, seen, known = thrown_out(found), evident(found), causes(found)
    doubts = list(dict.fromkeys(finding["means"] for finding in caveats(found)))
    if doubts and not known:
        return [*flood, *doubts, *seen, *amiss(found), looked(found, "else")]
    if not known:
        return uncaused(found, [*flood, *seen, *amiss(found), *in_batches(found)])
    before = stood_still(found) if stands_behind_calls(found) else []
    before += stalled(found) if stands_first(found) else []
    before += [*gaps(found), *lost_between(found)] if lost_first(found) else []
    rest = [sign for sign in seen if sign not in before]
    return [*flood, *doubts, *before, *amiss(found), *foremost(found, known[0]), *beside(found, known), *rest]


def evident(found: Diagnosis) -> list[str]:
    """What can be said without a rule of what went wrong, the most important first."""
    return [
        *cut_short(found),
        *misread(found),
        *kept_out(found),
        *keyless(found),
        *flooded(found),
        *scanned(found),
        *unanswered(found),
        *unacknowledged(found),
        *cut_off(found),
        *gaps(found),
        *lost_between(found),
        *out_of_reach(found),
        *too_big(found),
        *nobody(found),
        *unheeded(found),
        *stood_still(found),
        *resent(found),
        *recovered(found),
        *stalled(found),
        *holes(found),
    ]


def uncaused(found: Diagnosis, seen: list[str]) -> list[str]:
    """What is said where no rule found a cause: what was seen, and how much the rules could look at."""
    if is_unreadable(found):
        return seen
    records = sum(capture["records"] for capture in found["captures"])
    if records < MIN_RECORDS:
        more = " more" if seen else ""
        return [*seen, f"There is too little in this to tell anything{more}: {count(records, 'record')}."]
    if len(found["abstained"]) == len(rules()):
        what = "nothing else" if seen else "nothing"
        return [*seen, f"No rule could look, for the reasons below: {what} can be told from this."]
    return [" ".join([*seen, looked(found, "else" if seen else ""), *unheard(found)])]


def foremost(found: Diagnosis, first: Finding) -> list[str]:
    """The finding that comes first: what it means, what it is and costs, and what helps."""
    price = charge(first, "it ")
    whose = ", of another device than the captured one" if of_another(found, first) else ""
    where = f"{first['name']} ({first['code']}, {first['subject']}{whose})"
    return [
        first["means"],
        f"Found: {where}, {sure(first)}{f'; {price}' if price else ''}.",
        f"What helps: {sentences(reason(found, first)['remedy'])[0]}",
    ]


def reason(found: Diagnosis, finding: Finding) -> Finding:
    """The finding that is the reason of another one, or that itself: its remedy is the one to give."""
    return next((one for one in below(found, finding) if one["is_reason"]), finding)


def below(found: Diagnosis, finding: Finding) -> list[Finding]:
    """The findings that stand below another one."""
    place = found["findings"].index(finding)
    return [one for one in found["findings"] if one["below"] == place]


def beside(found: Diagnosis, known: list[Finding]) -> list[str]:
    """The names of all findings but the first, by how they belong to it."""
    first, said = known[0], []
    others = [one for one in known[1:] if one["name"] != first["name"]]
    under = below(found, first)
    for said_of, goes in (
        ("It leads to", [one for one in others if one in under and not one["is_reason"]]),
        ("Its reason", [one for one in others if one in under and one["is_reason"]]),
        ("Also found", [one for one in others if one not in under]),
    ):
        names = list(dict.fromkeys(one["name"] for one in goes))
        if names:
            said.append(f"{said_of}: {', '.join(names)}.")
    return said


def stands_behind_calls(found: Diagnosis) -> bool:
    """Whether what comes first is a dead connection that carried next to nothing, while a call stood still."""
    first = next(iter(causes(found)), None)
    if not first or first["code"] != DEAD or not stood_still(found):
        return False
    told = [one for one in [*found["connections"], *found["streams"]] if one["tells_most"]]
    carried = sum(one["bytes"] for one in found["connections"] if common.ends(one) == first["subject"])
    return carried < common.MATTERS * sum(one["bytes"] for one in told)


def cut_off(found: Diagnosis) -> list[str]:
    """A sentence on the large flows that a reset ended while data was underway; nothing without any."""
    cut = [one for one in found["connections"] if one["tells_most"] and one["bytes"] >= LARGE and flows.cut_off(one)]
    if not cut:
        return []
    first, *others = sorted(cut, key=lambda one: -one["bytes"])
    which = f"{first['from']} to {first['to']}" + (f" and {count(len(others), 'other flow')}" if others else "")
    reset = first["reset"]
    by, why = flows.resetter(reset) if reset else ("", "")
    if reset and reset["closed"] and not why:
        return [f"{which} ended as the {reset['by']} closed the connection, and reset what still came."]
    of = by if why else f"of the {reset['by'] if reset else ''}"
    return [f"{which} ended by a reset {of}, with data underway{f': {why}' if why else ''}."]


def out_of_reach(found: Diagnosis) -> list[str]:
    """A sentence on the stations that an access point asked until it told them to leave; nothing without any."""
    gone = [(one["mac"], asked) for one in found["stations"] if (asked := stations.lost(one))]
    if not gone:
        return []
    (mac, asked), *others = sorted(gone, key=lambda one: -one[1]["frames"])
    more = f"; so it was with {count(len(others), 'other station')}" if others else ""
    times = f"{count(asked['frames'], 'request')} for a BlockAck{stations.meanwhile(asked)}"
    return [f"Nothing was heard of {mac} during {times}, and it was told to leave: it was lost to its network{more}."]


def too_big(found: Diagnosis) -> list[str]:
    """A sentence on packets that were too big for their way, as routers say again and again; nothing without any."""
    # A sender that then sends smaller packets causes one message or two: so it learns what its way carries (RFC 1191).
    told = sorted((one for one in found["too_big"] if one["times"] > HEEDED), key=lambda one: -one["times"])
    if not told:
        return []
    first, *others = told
    more = f"; likewise on {count(len(others), 'other way')}" if others else ""
    return [f"On the way from {first['from']} to {first['to']} {narrow.told(first)}{more}."]


def unheeded(found: Diagnosis) -> list[str]:
    """A sentence on the host to which most packets of UDP went without anything that came back; or nothing."""
    every = streams.unheeded(found)
    if not every:
        return []
    sender, receiver, of = every[0]
    sent = f"{count(sum(one['packets'] for one in of), 'packet')} of UDP in {count(len(of), 'stream')}"
    more = f"; {count(len(every) - 1, 'other host')} likewise" if len(every) > 1 else ""
    return [f"{sender} sent {sent} to {receiver}, and nothing came back{more}."]


def nobody(found: Diagnosis) -> list[str]:
    """A sentence on hosts and services of which ICMP says often that they are not there; nothing without any."""
    if not (told := narrow.absent(found)):
        return []
    more = f"; {count(len(told) - 1, 'other')} likewise" if len(told) > 1 else ""
    return [f"{narrow.nobody(told[0], found)}{more}."]


def standing(found: Diagnosis) -> list[FlowSeen]:
    """The flows that stood still for much of their time and about which no finding says so, the longest first."""
    told = {one["subject"] for one in found["findings"] if one["code"] not in MOVING}
    still = [
        one
        for one in found["connections"]
        if one["tells_most"]
        and common.has_time(found, one["capture"])
        and common.ends(one) not in told
        and flows.stands(one)
    ]
    return sorted(still, key=lambda one: -max(one["still_s"], one["closed_s"]))


def stalled(found: Diagnosis) -> list[str]:
    """A sentence on flows that stood still for much of their time and about which no finding says so; or nothing."""
    if not (still := standing(found)):
        return []
    first, *others = still
    back = [one for one in found["connections"] if one["from"] == first["to"] and one["to"] == first["from"]]
    why = next((f": {said[0]}" for one in back if (said := flows.not_through(one))), "")
    more = f"; {count(len(others), 'other flow')} did likewise" if others else ""
    return [f"{common.ends(first)} {flows.stands(first)}{why}{more}."]


def stands_first(found: Diagnosis) -> bool:
    """Whether connections that matter together stood still for far longer than the first finding costs each time.

    The cost of losses on a connection that moves may be unknown; a standstill counts for more.
    """
    first, still = next(iter(causes(found)), None), standing(found)
    if not first or not still:
        return False
    price = first["cost"]
    if first["code"] not in MOVING if price["unknown"] else price["unit"] not in SECONDS:
        return False
    longest = still[0]
    pairs = {frozenset((one["from"], one["to"])) for one in still}
    telling = [one for one in found["connections"] if one["tells_most"]]
    own = sum(one["bytes"] for one in telling if {one["from"], one["to"]} in pairs)
    matters = own >= common.MATTERS * sum(one["bytes"] for one in telling)
    lost_s = 0.0 if price["unknown"] else price["value"] * SECONDS[price["unit"]]
    return matters and max(longest["still_s"], longest["closed_s"]) > FAR_LONGER * lost_s


def flooded(found: Diagnosis) -> list[str]:
    """A sentence on SYNs that nothing answers, from made-up addresses; nothing without any."""
    return [f"{openings.flood(one)}." for one in found["floods"][:1]]


def scanned(found: Diagnosis) -> list[str]:
    """A sentence on a scan of ports; nothing without any."""
    return [f"{said}." for said in openings.scans(found)[:1]]


def unanswered(found: Diagnosis) -> list[str]:
    """A sentence on the ends that answered none of several SYNs, and with which no data went; nothing without any."""
    known = {end for one in found["connections"] for end in (one["from"], one["to"])}
    silent = [one for one in found["attempts"] if not one["refused"] and one["syns"] > 1 and one["to"] not in known]
    if not silent:
        return []
    first, *others = dict.fromkeys(one["to"] for one in silent)
    ends = f"{first} and {count(len(others), 'other end')}" if others else first
    # Those that have no entry may be of these ends or of others.
    at_least = "at least " if found["attempts_left_out"] else ""
    return [f"{ends} did not answer {at_least}{openings.tries(silent)}."]


def unacknowledged(found: Diagnosis) -> list[str]:
    """A sentence on the end that acknowledged no data of most of its connections; nothing without any."""
    return [f"{said}." for said in flows.unacknowledged(found)[:1]]


def gaps(found: Diagnosis) -> list[str]:
    """A sentence on streams of RTP of which more than a small share is missing; nothing without any."""
    shares = {
        common.ends(one): (streams.missing(one["rtp"]), one["lost"], one["rtp"])
        for one in found["streams"]
        if one["tells_most"] and one["rtp"] and streams.missing(one["rtp"]) >= GAPS
    }
    if not shares:
        return []
    (way, (part, lost, rtp)), *others = sorted(shares.items(), key=lambda item: -item[1][0])
    more = f", and some of {count(len(others), 'other stream')}" if others else ""
    if streams.is_hole(rtp):
        many, rest = count(rtp["hole"], "packet"), streams.beside_hole(rtp)
        hole = f"From {streams.hole(rtp)} nothing of the RTP from {way} is in the capture, {many} by its numbers"
        return [f"{hole}; {rest} is missing{more}. {where(found, lost, went='went elsewhere, ')}."]
    return [f"{rounded(100 * part)} % of the RTP from {way} is missing{more}. {where(found, lost)}."]


def lost_between(found: Diagnosis) -> list[str]:
    """A sentence on streams of UDP, as calls, of which more than a small share is lost between captures of both hosts.

    What a stream loses that takes more than it may have is that stream's own doing.
    """
    shares = {
        common.ends(one): one["lost"]
        for one in found["streams"]
        if one["tells_most"] and not one["rtp"] and one["lost"] and one["mbps"] <= CALL_MBPS and lost_share(one) >= GAPS
    }
    if not shares:
        return []
    (way, lost), *others = sorted(shares.items(), key=lambda item: -item[1]["missing"] / item[1]["sought"])
    more = f"; {count(len(others), 'other stream')} likewise" if others else ""
    return [f"Datagrams from {way} are lost on their way: {streams.between(lost, found)}{more}."]


def lost_share(one: StreamSeen) -> float:
    """The share of a stream that is lost between captures of both hosts."""
    return one["lost"]["missing"] / max(one["lost"]["sought"], FEW_SOUGHT) if one["lost"] else 0.0


def lost_first(found: Diagnosis) -> bool:
    """Whether what a call loses comes before what was found, as that concerns connections of TCP alone."""
    return bool([*gaps(found), *lost_between(found)]) and all(one["code"] in OF_TCP for one in causes(found))


def stood_still(found: Diagnosis) -> list[str]:
    """A sentence on streams of RTP that stood still or came late, longer than jitter does; nothing without any."""
    still = {
        common.ends(one): one["rtp"]
        for one in found["streams"]
        if one["tells_most"] and one["rtp"] and max(one["rtp"]["stalled_s"], one["rtp"]["late_s"]) >= HEARD
    }
    if not still:
        return []
    (way, rtp), *others = sorted(still.items(), key=lambda item: -item[1]["stalled_s"])
    said = [f"stood still {streams.stalls(rtp)}"] if rtp["stalls"] else []
    said += ["then came at once"] if rtp["at_once"] else []
    said += [f"came {streams.late(rtp)}"] if streams.is_late(rtp) else []
    more = f"; {count(len(others), 'other stream')} did likewise" if others else ""
    return [f"The RTP from {way} {', and '.join(said)}{more}."]


def resent(found: Diagnosis) -> list[str]:
    """A sentence on flows of which much was lost and about which there is no finding; nothing without any."""
    told = {one["subject"] for one in found["findings"]}
    lost = {
        common.ends(one): (flows.lost(one), one["packets"], one["too_big"])
        for one in found["connections"]
        if one["tells_most"]
        and flows.lost(one) >= max(FEWEST_LOST, GAPS * one["packets"])
        and common.ends(one) not in told
    }
    if not lost:
        return []
    (way, (segments, packets, unfit)), *others = sorted(lost.items(), key=lambda item: -item[1][0])
    more = f", and so were some of {count(len(others), 'other flow')}" if others else ""
    why = "after losses, or since they had been too big" if unfit else "after losses, as far as they tell"
    return [f"Of {packets:,} packets from {way} {segments:,} were sent again {why}{more}."]


def recovered(found: Diagnosis) -> list[str]:
    """A sentence on flows whose senders recovered for long from few losses that nothing is found about; or nothing."""
    told = {one["subject"] for one in found["findings"]}
    long = {
        common.ends(one): one["limits"]["recovery"]
        for one in found["connections"]
        if one["tells_most"]
        and one["near_sender"]
        and one["bytes"] >= LARGE
        and one["limits"]["recovery"] >= RECOVERED
        and not flows.lost_nothing(one)
        and not one["heedless"]
        and flows.lost(one) < max(FEWEST_LOST, GAPS * one["packets"])
        and common.ends(one) not in told
    }
    if not long:
        return []
    (way, part), *others = sorted(long.items(), key=lambda item: -item[1])
    more = f", and those of {count(len(others), 'other flow')} for long too" if others else ""
    return [f"The sender of {way} recovered from losses for {rounded(100 * part)} % of the time{more}."]


def holes(found: Diagnosis) -> list[str]:
    """A sentence on flows of which so much is not in the capture that only the receiver's SACKs tell of losses."""
    told = {one["subject"] for one in found["findings"]}
    seen = [
        one
        for one in found["connections"]
        if one["tells_most"]
        and one["missing"] >= UNCAPTURED * (one["new_bytes"] + one["missing"])
        and (one["twice"] or one["hole_s"] >= flows.HOLE_S)
        and common.ends(one) not in told
    ]
    if not seen:
        return []
    longest = max(seen, key=lambda one: one["hole_s"])
    others = f" and {count(len(seen) - 1, 'other flow')}" if len(seen) > 1 else ""
    what = (
        f"show data behind holes for up to {number(longest['hole_s'])} s"
        if longest["hole_s"] >= flows.HOLE_S
        else "report data twice"
    )
    said = f"Of {common.ends(longest)}{others} too much is not in the capture to tell what was lost"
    return [f"{said}, but the receivers' SACKs {what}."]


def cut_short(found: Diagnosis) -> list[str]:
    """A sentence on each capture of which many records were cut before their headers end; nothing without any."""
    return [
        f"{one['cut_unread']:,} of {count(one['records'], 'record')} in {named(one)} cannot be read: they were cut to "
        f"{count(one['kept_unread'], 'octet')}, before their headers end. Capture more of each (`tcpdump -s 160`)."
        for one in found["captures"]
        if one["cut_unread"] > CUT * one["records"]
    ]


def misread(found: Diagnosis) -> list[str]:
    """A sentence on each capture of which hardly a record can be read, though none was cut; nothing without any."""
    return [
        f"{one['unread']:,} of {count(one['records'], 'record')} in {named(one)} cannot be read, though they were not "
        "cut: they are damaged, or of another link type than the file says."
        for one in found["captures"]
        if one["unread"] - one["cut_unread"] > UNREADABLE * one["records"]
    ]


def is_unreadable(found: Diagnosis) -> bool:
    """Whether nearly all records were cut before their headers end: that nothing is found in the rest says nothing."""
    every = sum(one["records"] for one in found["captures"])
    return sum(one["cut_unread"] for one in found["captures"]) > UNREADABLE * every


def keyless(found: Diagnosis) -> list[str]:
    """A sentence on the stations whose handshakes of keys failed, and what helps; nothing without any."""
    failed = [one for one in found["stations"] if one["failed_keys"]]
    if not failed:
        return []
    times = count(sum(one["failed_keys_total"] for one in failed), "handshake")
    first, *others = sorted(failed, key=lambda one: -one["failed_keys_total"])
    whose = first["mac"] + (f" and {count(len(others), 'other station')}" if others else "")
    wrong = any(stations.wrong_key(one) for one in failed)
    looks = (
        "Where a message 2 is not taken, compare the passphrases; else see whether frames get through, and the logs."
        if wrong
        else "See whether frames get through either way, and the logs of both ends."
    )
    again = any(failed["tries"] > 1 for one in failed for failed in one["failed_keys"])
    how = "a message was sent again and again, and no data followed" if again else "the access point says it timed out"
    said = f"{times} of keys of {whose} failed: {how}"
    return [f"{said}. {looks}"]


def kept_out(found: Diagnosis) -> list[str]:
    """A sentence on the stations that were refused again and again and never let in, and what helps; or nothing."""
    every = joining.never_in(found)
    if not every:
        return []
    (first, told), *others = every
    whose = first["mac"] + (f" (and {count(len(others), 'other station')})" if others else "")
    span = f"from {told['span_s'][0]:,.1f} to {told['span_s'][1]:,.1f} s"
    said = f"The access point {told['by']} refused {whose} {count(told['times'], 'time')}, {span}, and never let it in"
    return [f"{said} ({told['why']}). {LETS_IN.get(told['status'], 'See the logs of both ends.')}"]


def thrown_out(found: Diagnosis) -> list[str]:
    """A sentence on deauthentications by which stations are thrown out, and what helps; nothing without any."""
    many = joining.thrown_out(found)
    if not many:
        return []
    frames = sum(one["frames"] for one in many)
    begin, end = min(one["span_s"][0] for one in many), max(one["span_s"][1] for one in many)
    names = " and ".join(one["from"] for one in many)
    whose = names if len(many) <= NAMED_RADIOS else count(len(many), "radio")
    said = f"{frames:,} deauthentications or disassociations in the name of {whose} throw stations out of their network"
    forged = "Anybody can forge such frames unless both ends protect management frames (802.11w, always on in WPA3)"
    return [f"{said}, from {begin:,.1f} to {end:,.1f} s. {forged}: turn that on."]


def where(found: Diagnosis, lost: LostSeen | None, went: str = "") -> str:
    """Where packets are missing, in a sentence without its stop; what else may be (`went`), if captures do not tell."""
    if not lost:
        return f"It {went}was lost before the capture, or not captured: one capture does not tell"
    return capital(streams.between(lost, found))


def amiss(found: Diagnosis) -> list[str]:
    """Sentences on what is amiss by rules that cannot tell what it is, where nothing else is found; or nothing.

    That frames were held back for others is no cause, nor is that segments were lost: something made these fail.
    """
    if any(one["code"] not in EFFECTS for one in causes(found)):
        return []
    return [f"{capital(one['because'])}." for one in found["abstained"] if one["suspects"]]


def in_batches(found: Diagnosis) -> list[str]:
    """A sentence on the largest flow, if it sends as much at a time again and again; nothing if something is amiss."""
    every = common.telling(found["connections"], found)
    largest = max(every, key=lambda one: one["bytes"], default=None)
    said = flows.batches(largest) if largest else []
    if not largest or not said or any(one["suspects"] for one in found["abstained"]):
        return []
    tells = "its program or a window" + ("" if largest["near_sender"] else ", which a capture at the sender would tell")
    return [f"Of {common.ends(largest)} {said[0]}. What it sends at a time limits it: {tells}."]


def looked(found: Diagnosis, besides: str) -> str:
    """How many rules could look and found nothing wrong, or nothing else, and how many cannot tell."""
    silent, every = len(found["abstained"]), len(rules())
    wrong = f"found nothing {besides} wrong" if besides else "found nothing wrong"
    beside = [] if any(one["code"] == CONTENTION for one in found["findings"]) else stations.others_networks(found)
    weakened = stations.weakened(found)[:MOST_BUT]
    flowing = [said for of in (stood, flows.dropped, flows.slower) for said in of(found)[:MOST_BUT]]
    but = "; ".join([*beside, *weakened, *flowing])
    wrong += f", but {but}" if but else ""
    if not silent:
        return f"All {every} rules could look, and {wrong}."
    cannot = {one["code"] for one in found["abstained"]}
    looks = [rule["code"] for rule in rules() if rule["code"] not in cannot]
    which = f" ({' '.join(looks)})" if len(looks) <= FEW_LOOK else ""
    could = f"{every - silent} of {every} rules could look{which}"
    others = (
        "The others cannot tell, for the reasons below." if silent > 1 else "One cannot tell, for the reason below."
    )
    return f"{could}, and {wrong}. {others}"


def unheard(found: Diagnosis) -> list[str]:
    """A sentence on what no host's capture shows, where nothing else is there and much went; nothing otherwise."""
    heard = any(capture["place"] == "air" for capture in found["captures"])
    much = any(one["bytes"] >= LARGE for one in found["connections"])
    return [] if heard or not much else ["Collisions, other stations and rates show to a monitor's capture alone."]


def of_another(found: Diagnosis, finding: Finding) -> bool:
    """Whether a finding names stations, but none of a captured host, although those are known."""
    own = common.own_stations(found)
    stations = {station["mac"] for station in found["stations"] if station["kind"] == "station"}
    named = {mac for mac in stations if mac in finding["subject"]}
    return bool(own and named and not named & own)


def reasons(abstained: list[Abstained]) -> list[tuple[list[str], str]]:
    """Why rules cannot tell, each reason once with the codes of its rules."""
    codes: dict[str, list[str]] = {}
    for one in abstained:
        codes.setdefault(one["because"], []).append(one["code"])
    return [(of, because) for because, of in codes.items()]


def silent(codes: list[str], because: str) -> str:
    """Why rules cannot tell, in a line: of many, how many they are."""
    if len(codes) > FEW_CODES:
        return f"{because}: {count(len(codes), 'rule')} ({codes[0]} ...)"
    return f"{' '.join(codes)}  {because}"


def sentences(text: str) -> list[str]:
    """The sentences of a text, each with its stop."""
    return [f"{part.rstrip('.')}." for part in text.split(". ")]
