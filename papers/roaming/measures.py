"""What our runs say about the time that it takes to go from one access point to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.papers.measure import Measures, Ours
from airloom.support.formatting import listed
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airloom.analysis.run_view import RunView
    from airloom.papers.grid_runs import GridRuns
    from airloom.results.summary import Roam

MEASURES = Measures()


def roams(runs: Iterable[RunView]) -> list[Roam]:
    """All ways from one access point to another in these runs."""
    return [roam for view in runs for roam in view.run.summary.get("roams", [])]


def gaps(runs: Iterable[RunView]) -> list[float]:
    """The time without data of each roam, in ms."""
    return [roam["gap_ms"] for roam in roams(runs) if roam["gap_ms"] is not None]


def joined(roam: Roam) -> float:
    """From the moment that the radio leaves the old channel until the station is associated, in ms."""
    left, associated = roam["left_s"], roam["associated_s"]
    return 1e3 * (associated - left) if left is not None and associated is not None else 0.0


def together(values: list[float], digits: int = 0) -> Ours:
    """The mean of values, with all of them as a note."""
    return Ours(mean(values), listed(values, digits))


@MEASURES.claim("roaming.mishra.probe", "campus")
def probe(campus: GridRuns) -> Ours:
    """The share of the gap that is not authentication, association and keys."""
    found = [1 - joined(roam) / roam["gap_ms"] for roam in roams(campus.where(goes="late")) if roam["gap_ms"]]
    return together(found, 3)


@MEASURES.claim("roaming.hostap.driver", "campus")
def driver(campus: GridRuns) -> Ours:
    """The mean gap of a station that goes before it has lost its access point."""
    return together(gaps(campus.where(goes="early")))


@MEASURES.claim("roaming.hostap.supplicant", "campus")
def supplicant(campus: GridRuns) -> Ours:
    """The mean gap of a station that goes once it has lost its access point."""
    return together(gaps(campus.where(goes="late")))


@MEASURES.claim("roaming.mac80211.gap", "sender")
def after_a_scan(sender: GridRuns) -> Ours:
    """The mean gap of a sender whose host keeps the addresses of its neighbours."""
    return together(gaps(sender.where(addresses="kept")))


@MEASURES.claim("roaming.practice.roam", "house")
def roam_of_practice(house: GridRuns) -> Ours:
    """The mean time from leaving the channel to being associated."""
    return together([joined(roam) for roam in roams(house)])


@MEASURES.claim("roaming.practice.voice", "house")
def voice(house: GridRuns) -> Ours:
    """The mean gap in a call."""
    return together(gaps(house))


@MEASURES.claim("roaming.madwifi.lost", "sender")
def lost(sender: GridRuns) -> Ours:
    """Pings that are lost in a run, which has one roam."""
    return together([view.total("ping", "lost") for view in sender.where(addresses="forgotten")])


@MEASURES.claim("roaming.madwifi.dead", "sender")
def dead(sender: GridRuns) -> Ours:
    """The mean gap of a sender whose host forgets the addresses of its neighbours."""
    return together(gaps(sender.where(addresses="forgotten")))


def tails(hall: GridRuns) -> dict[str, float]:
    """The 99th percentile of the round trip, in ms, by what is improved."""
    runs = hall.by("improved")
    return {improved: of.mean(lambda view: view.total("ping", "rtt_p99_ms")) for improved, of in runs.items()}


@MEASURES.claim("roaming.hall.scan", "hall")
def scan_before_fast(hall: GridRuns) -> Ours:
    """Whether fewer channels shorten the tail by more than a fast transition."""
    found = tails(hall)
    return Ours(found["none"] - found["scan"] > found["none"] - found["fast"], listed(found.values(), 1))


@MEASURES.claim("roaming.hall.tail", "hall")
def tail(hall: GridRuns) -> Ours:
    """Whether fewer channels halve the tail."""
    found = tails(hall)
    return Ours(found["scan"] <= found["none"] / 2, listed(found.values(), 1))


@MEASURES.claim("roaming.agv.roam", "racks")
def vehicle(racks: GridRuns) -> Ours:
    """The mean gap of all roams, in s."""
    return together([gap / 1e3 for gap in gaps(racks)], 1)


def at_six(runs: GridRuns) -> list[int]:
    """How often a station goes to 6 GHz in each run."""
    return [sum(roam["to"] == "ap-6" for roam in roams([view])) for view in runs]


@MEASURES.claim("roaming.omarchy.iwd", "bands")
def never(bands: GridRuns) -> Ours:
    """Whether iwd stays at 5 GHz."""
    found = at_six(bands.where(manager="iwd"))
    return Ours(not any(found), listed(found, 0))


@MEASURES.claim("roaming.omarchy.goes", "bands")
def goes(bands: GridRuns) -> Ours:
    """Whether wpa_supplicant goes to 6 GHz."""
    found = at_six(bands.where(manager="wpa_supplicant"))
    return Ours(all(found), listed(found, 0))


@MEASURES.claim("roaming.omarchy.thrashes", "bands")
def thrashes(bands: GridRuns) -> Ours:
    """How often wpa_supplicant goes to 6 GHz in an hour."""
    return together([float(times) for times in at_six(bands.where(manager="wpa_supplicant"))])


@MEASURES.claim("roaming.pulse.away", "kiosk")
def away(kiosk: GridRuns) -> Ours:
    """The time off the channel in a scan, in s."""
    scans = [scan["trips"] for view in kiosk for scan in view.run.summary["scans"]]
    whole = [[(trip["away_s"], trip["returning_s"]) for trip in trips] for trips in scans]
    return together([sum(to - at for at, to in trips if at and to) for trips in whole], 1)


@MEASURES.claim("roaming.pulse.breaks", "kiosk")
def breaks(kiosk: GridRuns) -> Ours:
    """Whether an answer takes more than 2 s, or none comes."""
    found = [view.total("clock", "rtt_max_ms") for view in kiosk]
    waited = any(view.total("clock", "lost") >= 20 for view in kiosk)
    return Ours(waited or max(found) > 2000, listed(found, 0))


@MEASURES.claim("roaming.mininet.short", "steps")
def by_itself(steps: GridRuns) -> Ours:
    """Whether the station goes to each access point that it is beside, once."""
    ways = [[roam["to"] for roam in roams([view])] for view in steps]
    return Ours(all(way == ["ap2", "ap3"] for way in ways), str(ways[0]))
