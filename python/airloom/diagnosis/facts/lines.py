"""What captures show whether or not anything is wrong: a line for each flow and each station that matters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.common import MOST
from airloom.diagnosis.facts.echoes import pings
from airloom.diagnosis.facts.flows import flows
from airloom.diagnosis.facts.joining import leaves, outages, refused, switches, turned_away
from airloom.diagnosis.facts.narrow import away, narrow
from airloom.diagnosis.facts.openings import attempts, floods, openings, scans
from airloom.diagnosis.facts.order import overtaken
from airloom.diagnosis.facts.stations import direct, group, stations
from airloom.diagnosis.facts.streams import streams
from airloom.diagnosis.reading import named as name_of
from airloom.support.formatting import count, enumerated, number

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import CaptureSeen, Diagnosis, PassageSeen

WAITS = 3.0
"""By how many ms half of the packets need longer between two captures than the shortest, if they wait there: turns of
the air and retries take less."""


SPELLS = 3
"""Spells of time that are named one by one."""


def facts(found: Diagnosis) -> list[str]:
    """The flows, streams and stations that matter, a line each, and a line for what is left out of each kind."""
    hosts = [*flows(found), *scans(found), *attempts(found), *floods(found), *openings(found), *streams(found)]
    asked = [*pings(found), *narrow(found), *away(found)]
    radios = [*stations(found), *direct(found), *group(found)]
    joining = [*switches(found), *outages(found), *refused(found), *turned_away(found), *leaves(found)]
    return [*hosts, *asked, *overtaken(found), *passages(found), *lulls(found), *quiet(found), *radios, *joining]


def lulls(found: Diagnosis) -> list[str]:
    """A line for each host to which nothing came for a while in the midst of much, or to the end: when."""
    paused = [
        f"no TCP came to the host of {name_of(one)} {when(spells)}, {longest(spells)}, in the midst of much"
        for one in found["captures"]
        if (spells := [span for span in one["lulls"] if not is_last(one, span)])
    ]
    return paused + [
        f"no TCP came to the host of {name_of(one)} any more from {span[0]:,.1f} s on, {number(span[1] - span[0])} s, "
        f"to the end of the capture, though more was to follow: {WHO}"
        for one in found["captures"]
        for span in one["lulls"]
        if is_last(one, span)
    ]


FOR_GOOD_S = 3.0
"""What breaks off is told after so many seconds, up to the end of its capture."""

WHO = "whether the air, the access point, the wire or the server stopped does not show"
"""What a host that gets nothing any more cannot tell."""


def is_last(capture: CaptureSeen, span: list[float]) -> bool:
    """Whether a lull goes on to the end of its capture."""
    return capture["span_s"] is not None and span[1] >= max(capture["span_s"][1], span[0] + FOR_GOOD_S)


def stood(found: Diagnosis) -> list[str]:
    """The same in a few words for each such host, which is named where there are several captures."""
    several = len(found["captures"]) > 1
    said = []
    for one in found["captures"]:
        to_host = f" to the host of {name_of(one)}" if several else ""
        if spells := [span for span in one["lulls"] if not is_last(one, span)]:
            said.append(f"{longest_alone(spells)} no TCP came{to_host}")
        said += [
            f"from {span[0]:,.1f} s on, to the end of the capture {number(span[1] - span[0])} s later, no TCP "
            f"came{to_host} any more, though more was to follow: {WHO}"
            for span in one["lulls"]
            if is_last(one, span)
        ]
    return said


def longest(spells: list[list[float]]) -> str:
    """For how long the longest of some spells goes on."""
    at_most = "" if len(spells) == 1 else "at most "
    return f"{at_most}{number(max(end - start for start, end in spells))} s"


def longest_alone(spells: list[list[float]]) -> str:
    """The longest of some spells: for how long it goes on and when it begins, and how many more there are."""
    start, end = max(spells, key=lambda span: span[1] - span[0])
    more = f" and {count(len(spells) - 1, 'more time')}" if len(spells) > 1 else ""
    return f"for {number(end - start)} s at {start:,.1f} s{more}"


def quiet(found: Diagnosis) -> list[str]:
    """A line for each monitor that heard nothing of anybody for a while: when."""
    return [
        f"the monitor of {name_of(one)} heard nothing of anybody {when(one['quiet'])}, not the beacons either that it "
        "hears else: it was deaf, or the access point gone, and what went then does not show"
        for one in found["captures"]
        if one["quiet"]
    ]


def when(spells: list[list[float]]) -> str:
    """The first few of some spells of time."""
    said = enumerated([f"from {start:,.1f} to {end:,.1f} s" for start, end in spells[:SPELLS]])
    return said + (f" and in {count(len(spells) - SPELLS, 'more spell')}" if len(spells) > SPELLS else "")


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
