"""Lines about ICMP echo: how often a host asked, what came back and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.common import MOST, long
from airloom.support.formatting import count, number

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Diagnosis, PingsSeen

ECHOES = 10
"""Fewer packets of ICMP echo between two hosts than this are none that matters."""

UNANSWERED = 3
"""So many requests between two hosts, of which none was answered, matter however few they are."""

ECHOED = 72
"""Octets of data in an echo beyond which they are said: `ping` sends 56, Windows 32, Cisco's routers 72."""


def pings(found: Diagnosis) -> list[str]:
    """A line for each pair of hosts with ICMP echo that matters, those with most first, and one for the rest."""
    every = sorted((one for one in found["pings"] if one["tells_most"]), key=lambda one: -echoes(one))
    told = [one for one in every if echoes(one) >= ECHOES or (is_unheeded(one) and not is_heard(one, found))][:MOST]
    shown = {id(one) for one in told}
    left = [one for one in every if id(one) not in shown]
    return [ping(one, found) for one in told] + (rest(left) if told else [])


def rest(left: list[PingsSeen]) -> list[str]:
    """A line for pairs without one, with how many of their requests were answered if some were not."""
    packets, asked = sum(map(echoes, left)), sum(one["requests"] for one in left)
    answered = sum(one["answered"] for one in left)
    if not packets:
        return []
    short = f", {answered:,} of {count(asked, 'request')} answered" if answered < asked else ""
    return [f"{count(len(left), 'other pair')} with ICMP echo: {count(packets, 'packet')}{short}"]


def is_unheeded(one: PingsSeen) -> bool:
    """Whether a host asked several times and got no answer, nor an error."""
    return one["requests"] - one["open"] >= UNANSWERED and not one["answered"] + one["returned"]


def is_heard(one: PingsSeen, found: Diagnosis) -> bool:
    """Whether a monitor heard it on the air: it may have missed an answer."""
    return found["captures"][one["capture"]]["place"] == "air"


def echoes(one: PingsSeen) -> int:
    """Requests and answers between two hosts."""
    return one["requests"] + one["answered"] + one["unasked"]


def ping(one: PingsSeen, found: Diagnosis) -> str:
    """How often one host asked another by ICMP echo, what came back and when, and how much went that asks nothing."""
    silent = one["requests"] - one["answered"] - one["open"] - one["returned"]
    said = [f"ICMP echo, {count(one['requests'], 'request')} in {long(one['span_s'][1] - one['span_s'][0])}"]
    if one["requests"]:
        some = f"{silent:,} without an answer" if one["answered"] else "none answered"
        if is_heard(one, found):
            some = f"of {silent:,} no answer was heard"
        every = "all others answered" if one["open"] or one["returned"] else "all answered"
        said[0] += f", {some if silent or not one['answered'] else every}"
        said[0] += f", {one['open']:,} asked just before the capture ends or pauses" if one["open"] else ""
        too_big = any([of["from"], of["to"]] == [one["from"], one["to"]] for of in found["too_big"])
        errors = "an ICMP error came" + ("" if too_big else ", as to a traceroute whose hops run out")
        said[0] += f", to {one['returned']:,} {errors}" if one["returned"] else ""
    if one["unasked"]:
        said.append(f"{count(one['unasked'], 'answer')} to no request in the capture")
    trips = one["rtt_ms"]
    if one["at_answerer"]:
        said.append(f"the capture is of the host that answers, {one['to']}, where no round trip shows")
    elif "p50" in trips:
        place = f" from the air to {one['to']} and back" if is_heard(one, found) else ""
        said.append(f"round trips {number(trips['p50'])} ms, 95th percentile {number(trips['p95'])} ms{place}")
    if one["longest"] > ECHOED:
        said.append(f"up to {count(one['longest'], 'octet')} of data in each, {number(one['bytes'] / 1e3)} kB in all")
    return f"{one['from']} to {one['to']}: {'; '.join(said)}"
