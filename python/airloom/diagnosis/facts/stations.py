"""Lines about stations: their part of the air time, their signal, and each of their directions."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from airloom.diagnosis.facts import joining
from airloom.diagnosis.facts.common import MATTERS, MOST, long, own_stations, rest
from airloom.support.formatting import count, number, share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.diagnosis.shapes import Diagnosis, FailedKeys, LinkSeen, StationSeen, UnansweredSeen

DOZES_SHARE = 0.05
"""The share of a capture's time from which on a station's spells with PM=1 are shown."""

WEAK = "W105"
"""The rule that finds signals too weak."""

ABOVE = "dB above the noise"
"""How strong a station is heard."""

LOWER_DB = 3.0
"""A signal that falls by so many dB below what it mostly is where it is weak has that said."""

EDGE_S = 1.5
"""What is weak so near to the beginning or the end of a capture was so from there or until there, in seconds."""

NEIGHBOUR = 0.05
"""The share of its data's air time from which on other networks matter to one."""

HALF = 0.5
"""The share of the air time that a monitor has to hear for shares of stations; the share that is most of anything."""

LOST = 100
"""Requests for a BlockAck in a row, without a sign of their receiver, that are said first where it was dismissed."""

LOST_SHARE = 0.2
"""The share of the air that they took at least."""

BEHIND_S = 5.0
"""What turns a station away so many seconds later is of the same loss."""

ASKED = 20
"""Requests for a BlockAck in a row, without a sign of their receiver, that make a fact."""

TRIED = 100
"""Tries of data in a row, without a sign of their receiver, that make a fact."""

DIRECT = 10
"""Fewer MPDUs from a radio to another that no access point passes on are none that matters."""

THIRD = 3
"""The message of the handshake of keys that an access point sends where message 2 was right."""

MIN_TO_GROUPS = 100
MIN_TO_GROUPS_A_SECOND = 20
"""So many MPDUs to groups, and so many a second, are much: a network has a few for each of its stations."""

MISSES = "W001"
"""The rule that says that a monitor misses frames."""

ANSWERS = 10
"""Acknowledged MPDUs from which on those that radios without a line sent unheard are counted."""

MIN_HEARD_SHARE = 0.01
"""A share of frames below which it has no number."""

WHOLE_SHARE = 0.95
"""The share of a link's frames that the monitor has to hear for its counts to need no "at least" (W001)."""


def stations(found: Diagnosis) -> list[str]:
    """A line for each station that takes a part of the air time or that a finding names, and one for the rest."""
    known = {one["mac"]: one for one in found["stations"] if one["kind"] == "station"}
    air = next((one for one in found["captures"] if one["place"] == "air" and one["span_s"]), None)
    whole_s = air["span_s"][1] - air["span_s"][0] if air and air["span_s"] else 0.0
    end_s = air["span_s"][1] if air and air["span_s"] else 0.0
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
    names = {one["mac"]: network(one) for one in found["stations"] if one["kind"] == "ap"}
    at = {mac: by_network(mac, links[mac], names) for mac in every}
    several = len({name for mac in every if mac in known for name in at[mac]}) > 1
    deaf = {
        one for one in whole if hears_little([link for mac in every if channels[mac] == one for link in links[mac]])
    }
    misses = any(finding["code"] == MISSES for finding in found["findings"])
    shared = [(channels[mac], at[mac]) for mac in every if mac in known and channels[mac] not in deaf]
    lines = networks(shared, whole, misses=misses) if several else []
    to_all = {one["from"]: one["to_all"] for one in found["leaves"]}
    for mac in told:
        taken = part_of_air(airtime[mac], whole[channels[mac]], misses=misses, deaf=channels[mac] in deaf)
        taken = [f"{one} at {channels[mac]} MHz" if len(whole) > 1 and channels[mac] else one for one in taken]
        said = [*taken, *station(mac, links[mac], end_s, misses=misses), *not_heard(mac, found)]
        said += presence(known.get(mac), whole_s, to_all) + keys(known.get(mac))
        said += unanswered(known.get(mac)) + void(known.get(mac))
        of = sorted(at[mac], key=lambda name: -at[mac][name])
        said[:0] = [f"of network{'s' if len(of) > 1 else ''} {' and '.join(of)}"] if several and mac in known else []
        lines.append(f"station {mac}: {'; '.join(said)}")
    lines += unlisted(found, told)
    floor = next((link["assumed_noise_dbm"] for both in links.values() for link in both), None)
    if floor is not None and any(ABOVE in line for line in lines):
        lines.append(f"the monitor does not record its noise level: {floor:.0f} dBm is assumed")
    if deaf and len(every) > len(told):
        return [*lines, f"{count(len(every) - len(told), 'other station')}, of which less was heard"]
    return lines + rest("station", len(every) - len(told), sum(whole.values()), sum(airtime[mac] for mac in told))


def hears_little(links: list[LinkSeen]) -> bool:
    """Whether less than half of the air time of some links was heard, as far as shows: no share is one then."""
    heard = sum(link["airtime_s"] for link in links)
    return heard < HALF * sum(link["airtime_s"] / max(share_heard(link), MIN_HEARD_SHARE) for link in links)


def share_heard(link: LinkSeen) -> float:
    """The share of a link's frames that was heard: by the answers to them, and by the gaps in their numbers."""
    numbered = link["mpdus"] / max(link["mpdus"] + link["left_out"], 1)
    return min(numbered, 1.0 if link["heard"] is None else link["heard"])


def part_of_air(airtime: float, every: float, *, misses: bool, deaf: bool) -> list[str]:
    """The part of the air time that a station's data takes; of a monitor that hears little how much was heard."""
    if not every:
        return []
    if deaf:
        return [f"{long(airtime)} of air time of its unicast data was heard"]
    return [f"{share(airtime, every)} of unicast data's air time{' that was heard' if misses else ''}"]


def not_heard(mac: str, found: Diagnosis) -> list[str]:
    """The directions of a station of which no data was heard though MPDUs were acknowledged."""
    does = [
        (one, "sends" if one["from"] == mac else "gets") for one in found["unheard"] if mac in {one["from"], one["to"]}
    ]
    return [
        f"of what it {way} no data was heard, but acknowledgments of {count(one['answers'], 'MPDU')}"
        for one, way in does
    ]


def unlisted(found: Diagnosis, told: list[str]) -> list[str]:
    """A line for all radios without one of which no data was heard, though many MPDUs were acknowledged together."""
    silent = [one for one in found["unheard"] if not {one["from"], one["to"]} & set(told)]
    answers = sum(one["answers"] for one in silent)
    if answers < ANSWERS:
        return []
    senders = count(len({one["from"] for one in silent}), "other radio")
    return [f"no data was heard from {senders}, but acknowledgments of {count(answers, 'MPDU')} of theirs"]


def by_network(mac: str, links: list[LinkSeen], names: Mapping[str, str]) -> dict[str, float]:
    """The air time of a station's data by the name of the network in which it went."""
    parts: defaultdict[str, float] = defaultdict(float)
    for link in links:
        ap = link["to"] if link["from"] == mac else link["from"]
        parts[names.get(ap, ap)] += link["airtime_s"]
    return dict(parts)


def networks(
    taken: list[tuple[int | None, dict[str, float]]], whole: Mapping[int | None, float], *, misses: bool
) -> list[str]:
    """A line for each channel with several networks that take a part of its data's air time: whose that is."""
    shares: defaultdict[int | None, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for channel, parts in taken:
        for name, part in parts.items():
            shares[channel][name] += part
    lines = []
    for channel, parts in shares.items():
        order = sorted(parts.items(), key=lambda item: -item[1])
        told = [f"{name} {share(part, whole[channel])}" for name, part in order if part >= MATTERS * whole[channel]]
        if len(told) > 1:
            where = f" at {channel} MHz" if channel else ""
            heard = " that was heard" if misses else ""
            lines.append(f"unicast data's air time{heard}{where} by network: {', '.join(told[:MOST])}")
    return lines


def others_networks(found: Diagnosis) -> list[str]:
    """What other networks take of the air beside the captured hosts', or beside that with most data; or nothing."""
    own = own_stations(found)
    names = {one["mac"]: network(one) for one in found["stations"] if one["kind"] == "ap"}
    channels = {one["mac"]: one["channel_mhz"] for one in found["stations"]}
    by_channel: defaultdict[int | None, list[LinkSeen]] = defaultdict(list)
    for link in found["links"]:
        ap = link["to"] if link["to"] in names else link["from"]
        if ap in names:
            by_channel[channels[ap]].append(link)
    said = (beside(links, names, own) for links in by_channel.values() if not hears_little(links))
    return [one for one in said if one]


def beside(links: list[LinkSeen], names: Mapping[str, str], own: set[str]) -> str:
    """What other networks of one channel take of its data's air time, from a twentieth on; else nothing."""
    every: defaultdict[str, float] = defaultdict(float)
    ours: defaultdict[str, float] = defaultdict(float)
    for link in links:
        ends = (link["from"], link["to"])
        ap = ends[1] if ends[1] in names else ends[0]
        every[names[ap]] += link["airtime_s"]
        if not own or own & set(ends):
            ours[names[ap]] += link["airtime_s"]
    if not ours:
        return ""
    home = max(ours, key=lambda name: ours[name])
    whole = sum(every.values())
    others = sorted(every.keys() - {home}, key=lambda name: -every[name])
    if not others or whole - every[home] < NEIGHBOUR * whole:
        return ""
    take = f"and {count(len(others) - 1, 'other')} take" if len(others) > 1 else "takes"
    of = "" if own else f", beside {home}"
    part = share(whole - every[home], whole)
    return f"another network, {others[0]}, {take} {part} of unicast data's air time{of}"


def station(mac: str, links: list[LinkSeen], end_s: float, *, misses: bool) -> list[str]:
    """How strong a station is heard, and each of its directions."""
    said = []
    heard = next((link for link in links if link["snr_db"] is not None), None)
    if heard:
        said.append(signal(heard, end_s))
    said += [f"which {one}" for link in links if (one := lets(mac, link))]
    whole = sum(link["mpdus"] for link in links)
    return said + [direction(mac, one, misses=misses) for one in links if one["mpdus"] >= MATTERS * whole]


def network(one: StationSeen) -> str:
    """The network of an access point, by its name, as far as that is known, and its address."""
    return f'"{one["ssid"]}" ({one["mac"]})' if one["ssid"] else one["mac"]


def presence(one: StationSeen | None, whole_s: float, to_all: Mapping[str, int]) -> list[str]:
    """For how much of the time of a capture a station had said that it sleeps; how often it left.

    Its access point may have sent all stations away as well, so often (`to_all`).
    """
    if not one:
        return []
    asleep_s = sum(end - start for start, end in one["dozes"])
    listed, spells = len(one["dozes"]), one["dozes_total"]
    said = []
    if listed < spells:
        said.append(f"PM=1 for {asleep_s:,.1f} s in the first {listed:,} of {spells:,} spells")
    elif spells and asleep_s >= DOZES_SHARE * whole_s:
        goes_on = ", the last up to the end of the capture" if one["asleep"] else ""
        said.append(f"PM=1 for {share(asleep_s, whole_s)} of the time in {count(spells, 'spell')}{goes_on}")
    with_all = to_all.get(one["bssid"] or "", 0)
    if one["leaves"] or with_all:
        alone = [count(one["leaves"], "time") + (" by itself" if with_all else "")] if one["leaves"] else []
        all_at_once = [f"with all stations by {count(with_all, 'frame')}"] if with_all else []
        why = f" ({'; '.join(one['why_left'])})" if one["why_left"] else ""
        said.append(f"deauthenticated or disassociated {', and '.join(alone + all_at_once)}{why}")
    if (away := one["turned_away"]) and away["frames"] < joining.FLOOD_FRAMES:
        known = "authenticated" if away["reason"] == joining.NOT_AUTHENTICATED else "associated"
        said.append(f"turned away {count(away['frames'], 'time')} as it was not {known} (reason {away['reason']})")
    if one["joins"]:
        said.append(f"associated {count(one['joins'], 'time')}")
    if one["anew"]:
        last, then = one["anew"]
        said.append(f"joined anew at {then:,.1f} s, {long(then - last)} after it was last heard in its network")
    if one["rejoins"]:
        again = count(one["rejoins"], "more time")
        said.append(f"reassociated {again} with the same access point, without authentication: requests said again")
    if told := one["let_in"]:
        waited = long(told["span_s"][1] - told["span_s"][0])
        said.append(f"refused {count(told['times'], 'time')} ({told['why']}), and let in {waited} later")
    return said


def keys(one: StationSeen | None) -> list[str]:
    """Its handshakes of keys that failed: which message came again and again."""
    if not one or not one["failed_keys"]:
        return []
    said = f"{count(one['failed_keys_total'], 'handshake')} of keys failed"
    third = [failed for failed in one["failed_keys"] if failed["message"] == THIRD]
    first = [failed for failed in one["failed_keys"] if failed["message"] != THIRD]
    parts = [tried(some) for some in (third, first) if some]
    if any(failed["timed_out"] for failed in one["failed_keys"]):
        parts.append("the access point says that it timed out")
    return [f"{said} ({'; '.join(parts)})"]


def tried(failed: list[FailedKeys]) -> str:
    """What an access point sent again and again, and what that shows of the answer."""
    most = max(one["tries"] for one in failed)
    up_to = "up to " if len({one["tries"] for one in failed}) > 1 else ""
    number = failed[0]["message"]
    said = f"message {number} sent {up_to}{count(most, 'time')}{', each under a new number' if most > 1 else ''}"
    if answered := sum(one["answered"] for one in failed):
        known = sum(one["acknowledged"] for one in failed)
        heard = f", {known:,} of them acknowledged," if known else ""
        return f"{said}, {answered:,} times after a message 2{heard} that it did not take"
    return f"{said}, as where no message {number + 1} arrives"


def wrong_key(one: StationSeen) -> bool:
    """Whether an access point did not take several messages 2 of a station: its passphrase may be wrong."""
    return sum(failed["answered"] for failed in one["failed_keys"]) > 1


def unanswered(one: StationSeen | None) -> list[str]:
    """How often an access point went on to ask a station of which there was no sign any more, if that was often."""
    asked = one and one["unanswered"]
    if not asked or asked["frames"] < ASKED:
        return []
    times = f"{count(asked['frames'], 'time')}{meanwhile(asked)}"
    return [f"asked for a BlockAck {times}, and neither a frame of it nor an acknowledgment to it was heard meanwhile"]


def lost(one: StationSeen) -> UnansweredSeen | None:
    """The requests that a station left unanswered, for much of the air, before it was told to leave; or nothing."""
    asked, away = one["unanswered"], one["turned_away"]
    if not asked or asked["frames"] < LOST or not (one["leaves"] or away):
        return None
    [start, end] = asked["span_s"]
    behind = not away or end <= away["span_s"][0] < end + BEHIND_S
    return asked if behind and asked["airtime_s"] >= LOST_SHARE * (end - start) else None


def void(one: StationSeen | None) -> list[str]:
    """How often data was sent to a station of which there was no sign any more, if that was often."""
    tried = one and one["void"]
    if not tried or tried["frames"] < TRIED:
        return []
    tries = f"{tried['frames']:,} tries of {count(tried['mpdus'], 'MPDU')} for it{meanwhile(tried)}"
    return [f"{tries}, and neither an answer nor a frame of it was heard meanwhile"]


def meanwhile(of: UnansweredSeen) -> str:
    """When frames without an answer went, and how much of the air they took then."""
    [start, end] = of["span_s"]
    taken = f", {share(of['airtime_s'], end - start)} of the air" if end > start else ""
    return f" from {start:,.1f} to {end:,.1f} s{taken}"


def signal(link: LinkSeen, end_s: float) -> str:
    """How strong a station is heard, and when it is weak if that changes; "about" without a noise of the monitor's."""
    about = "" if link["assumed_noise_dbm"] is None else "about "
    change = link["change"]
    if not change:
        return f"{about}{link['snr_db']:.0f} {ABOVE}"
    weak = f"{about}{change['strong_db']:.0f} {ABOVE}, {change['weak_db']:.0f} {spells(change['weak_s'], end_s)}"
    if change["lowest_db"] > change["weak_db"] - LOWER_DB:
        return weak
    start, end = change["lowest_s"]
    return f"{weak}, down to {change['lowest_db']:.0f} from {start:.0f} to {end:.0f} s"


def lets(mac: str, link: LinkSeen) -> str:
    """What a station's signal lets it send or get, of what a strong one would; nothing where it costs nothing."""
    seen = link["lets"]
    if not seen:
        return ""
    does = "send" if link["from"] == mac else "get"
    part = f"about {about(seen['mbps'])} of the {about(seen['strong_mbps'])} Mbit/s or more"
    return f"lets it {does} {part} that it would beside the access point"


def about(value: float) -> str:
    """A number with two digits."""
    return number(float(f"{value:.2g}"))


def weakened(found: Diagnosis) -> list[str]:
    """What their signal costs stations about which no rule says so, those that lose most first."""
    told = {one["subject"] for one in found["findings"] if one["code"] == WEAK}
    known = {one["mac"] for one in found["stations"] if one["kind"] == "station"}
    lost = [
        (seen["strong_mbps"] - seen["mbps"], mac, lets(mac, link))
        for link in found["links"]
        if (seen := link["lets"]) and f"{link['from']} to {link['to']}" not in told
        for mac in [link["from"] if link["from"] in known else link["to"]]
    ]
    return [f"the signal of {mac} {said}" for _, mac, said in sorted(lost, reverse=True)]


def spells(weak: list[list[float]], end_s: float) -> str:
    """When a signal is weak."""
    if len(weak) > 1:
        return f"for {long(sum(end - start for start, end in weak))} in {count(len(weak), 'spell')}"
    [start, end] = weak[0]
    if start < EDGE_S:
        return f"until {end:.0f} s"
    return f"from {start:.0f} s on" if end > end_s - EDGE_S else f"from {start:.0f} to {end:.0f} s"


def direction(mac: str, link: LinkSeen, *, misses: bool) -> str:
    """What a station sends, gets or is sent, as far as the monitor heard it, which may miss frames (`misses`)."""
    rate = f" at {number(link['mbps'])} Mbit/s" if link["mbps"] is not None else ""
    size = f", {number(link['mpdus'] / link['ppdus'])} in a PPDU" if link["ppdus"] and link["together"] else ""
    heard = link["heard"]
    missing = link["left_out"]
    others = link["perhaps_left_out"]
    lacks, may_lack = (lost > (1 - WHOLE_SHARE) * (link["mpdus"] + lost) for lost in (missing, others))
    least = "at least " if lacks or may_lack or (misses if heard is None else heard < WHOLE_SHARE) else ""
    little = heard is not None and heard < WHOLE_SHARE
    of = f" (the monitor heard {heard_share(heard)} of these frames)" if heard is not None and little else ""
    if lacks and not little:
        of = f" ({missing:,} more by their sequence numbers)"
    elif may_lack and not little:
        of = f" (by their sequence numbers {count(others, 'more frame')} of its sender, data or other)"
    # Of what was heard of a link in part, first transmissions are missing: no share of the link's.
    only = least and link["retried"] == link["mpdus"]
    most = is_heard_mostly(link) and not (least and not of)
    part = f", {number(100 * link['retried'] / max(link['mpdus'], 1))} % retries" if most else ""
    retries = ", only retries" if only else part
    does = "sends" if link["from"] == mac else "is sent" if is_unheeded(link) else "gets"
    answers = f", answers to {link['answered']:,} of {count(link['ppdus'], 'PPDU')} heard" if does == "is sent" else ""
    return f"{does} {least}{count(link['mpdus'], 'MPDU')}{rate}{size}{retries}{answers}{of}"


def is_heard_mostly(link: LinkSeen) -> bool:
    """Whether the monitor heard half of a link's frames at least, by answers to them and by their numbers."""
    numbered = link["mpdus"] >= link["left_out"]
    return numbered and (link["heard"] is None or link["heard"] >= HALF)


def is_unheeded(link: LinkSeen) -> bool:
    """Whether most of what goes to a receiver is sent again and not answered: it may be gone, and does not get it."""
    return link["retried"] > HALF * link["mpdus"] and link["answered"] < HALF * link["ppdus"]


def heard_share(heard: float) -> str:
    """The share of a link's frames that the monitor heard."""
    return f"{100 * heard:.0f} %" if heard >= MIN_HEARD_SHARE else f"less than {100 * MIN_HEARD_SHARE:.0f} %"


def group(found: Diagnosis) -> list[str]:
    """A line for data to groups that takes a part of the time, or of which there is much where no rate is known."""
    seen = found["group"]
    if seen and not seen["airtime_s"] and seen["mpdus"] >= max(MIN_TO_GROUPS, MIN_TO_GROUPS_A_SECOND * seen["of_s"]):
        often = f"{number(seen['mpdus'] / seen['of_s'])} a second" if seen["of_s"] else "at once"
        return [f"broadcast and multicast: {count(seen['mpdus'], 'MPDU')}, {often}"]
    if not seen or seen["airtime_s"] < MATTERS * seen["of_s"]:
        return []
    rate = f" at {number(seen['mbps'])} Mbit/s" if seen["mbps"] is not None else ""
    part = f"{share(seen['airtime_s'], seen['of_s'])} of the time"
    return [f"broadcast and multicast: {count(seen['mpdus'], 'MPDU')}{rate}, {part}"]


def direct(found: Diagnosis) -> list[str]:
    """A line for each direction of data that no access point passes on, those with most first, and one for the rest."""
    every = sorted(found["direct"], key=lambda one: -one["mpdus"])
    told = [one for one in every if one["mpdus"] >= DIRECT][:MOST]
    lines = []
    for one in told:
        rate = f" at {number(one['mbps'])} Mbit/s" if one["mbps"] is not None else ""
        retries = f"{number(100 * one['retried'] / one['mpdus'])} % retries"
        sent = f"{count(one['mpdus'], 'MPDU')}{rate}, {retries}"
        lines.append(f"{one['from']} to {one['to']}, not through an access point (ad hoc, direct, a bridge): {sent}")
    left = every[len(told) :]
    if told and left:
        more = count(sum(one["mpdus"] for one in left), "MPDU")
        lines.append(f"{count(len(left), 'other direction')} not through an access point: {more}")
    return lines
