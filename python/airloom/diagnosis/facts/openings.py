"""Lines about how TCP connections were opened: which never were, and which late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.common import MOST, long
from airloom.support.formatting import count, number

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import AttemptSeen, Diagnosis, FloodSeen, OpeningSeen, ScanSeen


APART = 0.9
"""From so many addresses for each SYN on they are made up."""


def attempts(found: Diagnosis) -> list[str]:
    """A line for each end to which no connection was opened, those with most attempts first, and lines for the rest."""
    tried: dict[tuple[str, bool], list[AttemptSeen]] = {}
    for one in found["attempts"]:
        tried.setdefault((one["to"], one["refused"]), []).append(one)
    order = sorted(tried.items(), key=lambda item: -len(item[1]))
    left_out = found["attempts_left_out"]
    # The first attempts alone are listed with their ends.
    at_least = "at least " if left_out else ""
    shown = order[:MOST]
    lines = [f"{to}: {'refused' if refused else 'did not answer'} {at_least}{tries(of)}" for (to, refused), of in shown]
    more = len(order) - len(lines)
    return [
        *lines,
        *([f"{at_least}{count(more, 'other end')} to which no connection was opened"] if more else []),
        *([f"{count(left_out, 'other attempt')} to connect that failed"] if left_out else []),
    ]


def floods(found: Diagnosis) -> list[str]:
    """A line for the SYNs in each capture of a host that are a flood."""
    return [
        f"{flood(one)}, as in a flood of SYNs{' with made-up addresses' if made_up(one) else ''} (RFC 4987)"
        for one in found["floods"]
    ]


def scans(found: Diagnosis) -> list[str]:
    """A line for each host that scans another one's ports."""
    return [scan(one, found) for one in found["scans"]]


def scan(one: ScanSeen, found: Diagnosis) -> str:
    """How many ports of a host another one tried, and what became of them."""
    at_least = "at least " if found["captures"][one["capture"]]["left_out"]["connections"] else ""
    named = ", ".join(f"{port}" for port in one["open_ports"])
    more = one["open"] - len(one["open_ports"])
    ports = f" ({named}{f' and {more} more' if more else ''})" if named else ""
    whose = "none" if one["unacknowledged"] == one["open"] else f"{one['open'] - one['unacknowledged']:,}"
    answers = f", {whose} of whose SYN-ACKs was acknowledged" if one["unacknowledged"] else ""
    return (
        f"{one['from']} tries {at_least}{one['ports']:,} ports of {one['to']} (a scan of ports): "
        f"{one['silent']:,} silent, {one['refused']:,} refused, {one['open']:,} open{ports}{answers}"
    )


def made_up(one: FloodSeen) -> bool:
    """Whether nearly every SYN comes from an address of its own."""
    return one["sources"] >= APART * one["syns"]


def flood(one: FloodSeen) -> str:
    """How many SYNs came from how many addresses, and to which ends."""
    ends = one["to"] or count(one["ends"], "end")
    took = long(one["span_s"][1] - one["span_s"][0])
    sources = f"{one['sources']:,} address{'' if one['sources'] == 1 else 'es'}"
    return f"{one['syns']:,} SYNs within {took} from {sources} to {ends}, none of them answered"


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


def openings(found: Diagnosis) -> list[str]:
    """A line for the connections of each host that opened late, and one for those that have no entry."""
    late: dict[str, list[OpeningSeen]] = {}
    for one in found["openings"]:
        late.setdefault(host(one["from"]), []).append(one)
    order = sorted(late.items(), key=lambda item: -len(item[1]))
    lines = [f"{opened_late(of)} from {where} {how_late(of)}" for where, of in order[:MOST]]
    more = len(order) - len(lines)
    left_out = found["openings_left_out"]
    return [
        *lines,
        *([f"{count(more, 'other host')} whose connections opened late"] if more else []),
        *([f"{count(left_out, 'other connection')} that opened late"] if left_out else []),
    ]


def opened_late(of: list[OpeningSeen]) -> str:
    """How many connections opened late, and to which ends."""
    ends: dict[str, int] = {}
    for one in of:
        ends[one["to"]] = ends.get(one["to"], 0) + 1
    first = max(ends, key=lambda end: ends[end])
    others = f" and {count(len(ends) - 1, 'other end')}" if len(ends) > 1 else ""
    return f"{count(len(of), 'connection')} to {first}{others}"


def how_late(of: list[OpeningSeen]) -> str:
    """How long connections took to open, what was sent again, and what came first."""
    took = list(dict.fromkeys(number(one["took_s"]) for one in sorted(of, key=lambda one: one["took_s"])))
    span = " to ".join(dict.fromkeys((took[0], took[-1])))
    syns, answers = sum(one["syns"] - 1 for one in of), sum(one["answers"] - 1 for one in of)
    sent = (("SYN", syns), ("SYN-ACK", answers))
    again = " and ".join(f"the {name} was sent again {count(times, 'time')}" for name, times in sent if times)
    known = sum(one["was_known"] for one in of)
    first = (
        f"; {count(known, 'time')} an acknowledgment of something else came first, as if an earlier connection of the "
        "same ports were still open there (RFC 9293 section 3.10.7.4)"
    )
    return f"took {span} s to open: {again}{first if known else ''}{which_came(of)}"


def which_came(of: list[OpeningSeen]) -> str:
    """Which of the SYNs came to the other end, as far as the clock values of its answers show it."""
    told = [one["answered"] for one in of if one["answered"]]
    first, later = sum(which == 1 for which in told), sum(which > 1 for which in told)
    said = (
        (first, "the first SYN had come, and the answer to it was lost or late, by the time stamp in it (RFC 7323)"),
        (later, "the SYN-ACK answers a SYN that was sent again, by its time stamp (RFC 7323)"),
    )
    return "".join(f"; {count(times, 'time')} {words}" for times, words in said if times)
