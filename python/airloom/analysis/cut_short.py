"""Senders whose PPDUs the probes of their rate control keep short, though much waits below their queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.support.formatting import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from airloom.results.summary import Node, Summary

WAIT = 8
"""So many PPDUs of packets wait for each receiver where PPDUs are cut short; behind full ones it is up to four."""

SHORT = 4
"""MPDUs in a PPDU, on average, that are few where as many wait."""

ROOM = 4
"""PPDUs may have so many times as many MPDUs: no limit of the adapter keeps them short."""

MINSTREL = "minstrel"
"""The control of which packets that probe a rate travel alone, as the driver gets them."""


def cut_short(summary: Summary, settings: Mapping[str, Any]) -> str | None:
    """Which sender's PPDUs are short though many packets wait in its driver, in a sentence; none if those of none are.

    A driver that has got its packets before it forms PPDUs has those that probe a rate among them, and no PPDU reaches
    over one (docs/rates.md, "What probes cost").
    """
    if not any(uses_minstrel(station) for station in settings.get("station", ())):
        return None
    stations = sum(node["kind"] == "station" for node in summary["nodes"])
    found = list(kept_short(summary, settings, stations))
    if not found:
        return None
    node, waits = max(found, key=lambda one: one[1])
    return (
        f"{node['name']} sends {number(node.get('mpdus_per_ampdu', 0.0))} MPDUs in a PPDU though {waits:,.0f} packets "
        "wait in its driver: packets with which Minstrel tries a rate travel alone and cut the others apart; a queue "
        'from which the driver takes packets as it forms a PPDU keeps them together (`discipline = "mac80211"`)'
    )


def kept_short(summary: Summary, settings: Mapping[str, Any], stations: int) -> Iterator[tuple[Node, float]]:
    """Senders with short PPDUs, and how many packets wait in the driver of each on average."""
    for node in summary["nodes"]:
        together = node.get("mpdus_per_ampdu") or 0.0
        waits = sum(queue.get("mean_packets") or 0.0 for queue in node["queues"] if queue["layer"] == "driver")
        receivers = stations if node["kind"] == "ap" else 1
        is_short = 0 < together < SHORT and ROOM * together <= most_together(node, settings)
        if is_short and waits >= WAIT * together * max(receivers, 1):
            yield node, waits


def most_together(node: Node, settings: Mapping[str, Any]) -> float:
    """How many MPDUs the adapters of a node's kind put into a PPDU, the least of them."""
    of = settings.get("ap" if node["kind"] == "ap" else "station", ())
    known = [one["adapter"].get("ampdu_frames", 1) for one in of if isinstance(one.get("adapter"), dict)]
    return min(known, default=1)


def uses_minstrel(station: Mapping[str, Any]) -> bool:
    """Whether the rates of a station, and to it, are Minstrel's."""
    rate = station.get("rate")
    return (rate.get("control") if isinstance(rate, dict) else rate) == MINSTREL
