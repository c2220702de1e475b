"""The plan of a scenario whose radios have places: walls, access points, stations and where they walk."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from airloom.analysis.sharing import sharing
from airloom.report.associations import associations
from airloom.report.colours import NODE, Colours
from airloom.report.labels import BESIDE, HIGH, Label, Labels
from airloom.scenario.quantities import seconds
from airloom.support.formatting import count, enumerated, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from airloom.analysis.run_view import RunView
    from airloom.results.summary import Node as NodeSummary

WIDTH, HEIGHT = 640.0, 360.0
"""Pixels of the picture at most, without its margin."""

MARGIN = 46.0
"""Pixels around the plan, which names at its edge need."""

LEAST = 4.0
"""Metres that a plan shows at least, so that radios at one place do not fill it."""

SCALES = (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Metres that the scale may show."""

MOST_NAMES = 40
"""Stations beyond which they have no names in the picture."""

RING = 17
"""Pixels from an access point to its outer ring."""

MOST_TOLD = 8
"""The most stations whose signal the caption has."""

MATERIALS = ("glass", "light", "wood", "heavy", "coated glass", "concrete")
"""What walls are made of, those with the thinnest lines first."""

Place = tuple[float, float]


@dataclass(frozen=True)
class Frame:
    """Where metres are in the picture.

    Attributes:
        left: The left edge of the plan, in metres.
        top: Its upper edge, in metres.
        pixels: How many pixels a metre has.
        width: The picture's width in pixels.
        height: Its height in pixels.
    """

    left: float
    top: float
    pixels: float
    width: float
    height: float

    @classmethod
    def around(cls, places: Sequence[Place]) -> Frame:
        """The frame that shows all of these places."""
        (left, right), (bottom, top) = (spread([place[axis] for place in places]) for axis in (0, 1))
        pixels = min(WIDTH / (right - left), HEIGHT / (top - bottom))
        size = (2 * MARGIN + pixels * (right - left), 2 * MARGIN + pixels * (top - bottom))
        return cls(left, top, pixels, *size)

    def at(self, place: Place) -> Place:
        """A place in pixels."""
        return (
            round(MARGIN + (place[0] - self.left) * self.pixels, 1),
            round(MARGIN + (self.top - place[1]) * self.pixels, 1),
        )


def spread(values: Sequence[float]) -> Place:
    """The least and the greatest of these, at least so far apart."""
    lack = max(0.0, LEAST - (max(values) - min(values))) / 2
    return min(values) - lack, max(values) + lack


def metres(value: str) -> float:
    """A distance as a scenario has it."""
    return float(value.split(maxsplit=1)[0])


def place(values: Sequence[str]) -> Place:
    """A place on the plan, without its height."""
    return metres(values[0]), metres(values[1])


def read(view: RunView) -> dict[str, Any]:
    """A run's scenario as tables; empty if it cannot be read."""
    try:
        return tomllib.loads(view.run.scenario)
    except tomllib.TOMLDecodeError:
        return {}


def drawn(view: RunView) -> Markup | None:
    """The picture of a run's plan; none if its radios have no places."""
    scenario = read(view)
    points = scenario.get("ap", [])
    stations = [walked(station, view.run.summary["duration_s"]) for station in scenario.get("station", [])]
    if not points or any("position" not in point for point in points):
        return None
    walls = [(place(wall["from"]), place(wall["to"]), wall["material"]) for wall in scenario.get("wall", [])]
    ways = [(station, way(station)) for station in stations]
    ends = [end for wall in walls for end in wall[:2]]
    frame = Frame.around(
        [*ends, *(place(point["position"]) for point in points), *(at for _, own in ways for at in own)]
    )
    hues = Colours.of(view).nodes
    walking = [(station, own) for station, own in ways if len(own) > 1]
    steps = [step for _, own in walking for step in pairwise(own)]
    labels = Labels([(frame.at(start), frame.at(end)) for start, end in [*(wall[:2] for wall in walls), *steps]])
    parts = [
        *(wall_drawn(frame, *wall) for wall in walls),
        *(path_drawn(frame, station, hues) for station, _ in walking),
        *(served_drawn(frame, station, view, hues) for station, _ in walking),
        *(
            point_drawn(frame, point, hues, labels, numbered=len(points) > 1, others=beside(point, points[:number]))
            for number, point in enumerate(points)
        ),
        *(station_drawn(frame, station, hues, labels, named=len(ways) <= MOST_NAMES) for station, _ in grouped(ways)),
        *(times_drawn(frame, station, labels) for station, _ in walking),
        scale_drawn(frame),
    ]
    counts = (count(len(points), "access point"), count(len(stations), "station"), count(len(walls), "wall"))
    label = f"Plan: {', '.join(counts)}"
    size = Markup('<svg viewBox="0 0 {:.0f} {:.0f}" style="max-width: {:.0f}px" role="img" aria-label="{}">')
    return size.format(frame.width, frame.height, frame.width, label) + Markup().join(parts) + Markup("</svg>")


def walked(station: Mapping[str, Any], duration: float) -> Mapping[str, Any]:
    """A station with what it walked of its path within a run of so many seconds."""
    stops = [(seconds(stop["at"]), place(stop["position"])) for stop in station.get("path", [])]
    done = [stop for stop, (at, _) in zip(station.get("path", []), stops, strict=True) if at <= duration]
    if len(done) == len(stops):
        return station
    end = {"at": f"{duration:g} s", "position": [f"{metres} m" for metres in where(stops, duration)]}
    return {**station, "path": [*done, end] if done else [end]}


def way(station: Mapping[str, Any]) -> list[Place]:
    """The places where a station is: one, or those of its path."""
    return [place(stop["position"]) for stop in station.get("path", [station])]


def grouped(ways: Sequence[tuple[Mapping[str, Any], list[Place]]]) -> Iterator[tuple[Mapping[str, Any], list[Place]]]:
    """Of several stations that begin at one place, the first."""
    seen = set()
    for station, own in ways:
        if own[0] not in seen:
            seen.add(own[0])
            yield station, own


def wall_drawn(frame: Frame, start: Place, end: Place, material: str) -> Markup:
    """A wall: one that takes more of a signal has a thicker line."""
    (x1, y1), (x2, y2) = frame.at(start), frame.at(end)
    of = Markup('<line class="wall {}" x1="{}" y1="{}" x2="{}" y2="{}"><title>{} wall</title></line>')
    return of.format(material.replace(" ", "-"), x1, y1, x2, y2, material)


def path_drawn(frame: Frame, station: Mapping[str, Any], hues: Mapping[str, str]) -> Markup:
    """Where a station walks, with its stops."""
    stops = [frame.at(place(stop["position"])) for stop in station["path"]]
    hue = hues.get(station["name"], NODE)
    line = Markup('<polyline class="way" style="stroke: {}" points="{}"/>').format(
        hue, " ".join(f"{x},{y}" for x, y in stops)
    )
    stop = Markup('<circle class="stop" cx="{}" cy="{}" r="2.5" style="fill: {}"/>')
    return line + Markup().join(stop.format(x, y, hue) for x, y in dict.fromkeys(stops))


def times_drawn(frame: Frame, station: Mapping[str, Any], labels: Labels) -> Markup:
    """When a station that walks is at each of its stops."""
    told: dict[Place, list[str]] = {}
    for stop in station["path"]:
        told.setdefault(frame.at(place(stop["position"])), []).append(stop["at"])
    times = Markup()
    for (x, y), those in told.items():
        words = (", ".join(those),)
        below = [Label(x, foot, "middle", words) for foot in (y + 17, y + 36)]
        sides = [Label(side, y + 4, anchor, words) for side, anchor in ((x + BESIDE, "start"), (x - BESIDE, "end"))]
        times += labels.place([below[0], Label(x, y - 8, "middle", words), below[1], *sides]).drawn("time")
    return times


def served_drawn(frame: Frame, station: Mapping[str, Any], view: RunView, hues: Mapping[str, str]) -> Markup:
    """The parts of a way on which a station that roams was at an access point, in the hue of that one."""
    parts = []
    for one in associations(view.run.summary):
        if one.station == station["name"]:
            stops = [(seconds(stop["at"]), place(stop["position"])) for stop in station["path"]]
            inside = [time for time, _ in stops if one.start < time < one.end]
            points = [frame.at(where(stops, time)) for time in (one.start, *inside, one.end)]
            of = Markup(
                '<polyline class="served" style="stroke: {}" points="{}"><title>at {}, {} s to {} s</title></polyline>'
            )
            told = " ".join(f"{x},{y}" for x, y in points)
            parts.append(of.format(hues.get(one.point, NODE), told, one.point, f"{one.start:.1f}", f"{one.end:.1f}"))
    return Markup().join(parts)


def where(stops: Sequence[tuple[float, Place]], time: float) -> Place:
    """Where a station is at a time, which goes in a line from each stop to the next."""
    for (start, (x, y)), (end, (there, above)) in pairwise(stops):
        if start <= time < end:
            part = (time - start) / (end - start)
            return x + part * (there - x), y + part * (above - y)
    return stops[0][1] if time < stops[0][0] else stops[-1][1]


def point_drawn(
    frame: Frame,
    point: Mapping[str, Any],
    hues: Mapping[str, str],
    labels: Labels,
    *,
    numbered: bool,
    others: int,
) -> Markup:
    """An access point: a square amid rings, with its name.

    The names of `others` stand between, which are in the same place.
    """
    x, y = frame.at(place(point["position"]))
    of = Markup(
        '<g class="ap" style="color: {}"><circle cx="{}" cy="{}" r="11"/><circle cx="{}" cy="{}" r="{}"/>'
        '<rect x="{}" y="{}" width="10" height="10" rx="2"/>{}</g>'
    )
    words = [point["name"], *([f"channel {point['channel']}"] if numbered else [])]
    name = labels.place(names_around(frame, (x, y), words, others))
    labels.taken.append(((x - RING, y - RING), (x + RING, y + RING)))
    return of.format(hues.get(point["name"], "var(--ink)"), x, y, x, y, RING, x - 5, y - 5, name.drawn())


def names_around(frame: Frame, at: Place, words: Sequence[str], others: int) -> list[Label]:
    """Where the name of an access point may stand, best first: above, below, and beside one alone in its place."""
    (x, y), whole = at, (", ".join(words),)
    names = [Label(x, y - 22 - others * HIGH, "middle", whole), Label(x, y + 32 + others * HIGH, "middle", whole)]
    if others == 0:
        sides = ((x + BESIDE, "start"), (x - BESIDE, "end"))
        names += [Label(side, y + 4, anchor, whole) for side, anchor in sides]
        names += [Label(side, y - 2, anchor, tuple(words)) for side, anchor in sides]
    return [names[0], *(name for name in names[1:] if name.box()[0][0] >= 0 and name.box()[1][0] <= frame.width)]


def beside(point: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> int:
    """How many of others are in the place of an access point."""
    return sum(place(other["position"]) == place(point["position"]) for other in others)


def station_drawn(
    frame: Frame, station: Mapping[str, Any], hues: Mapping[str, str], labels: Labels, *, named: bool
) -> Markup:
    """A station where it begins."""
    x, y = frame.at(way(station)[0])
    many = f" ({station['count']})" if station.get("count", 1) > 1 else ""
    words = (f"{station['name']}{many}",)
    places = [Label(x, foot, "middle", words) for foot in (y - 10, y + 18)]
    name = labels.place(places).drawn() if named else Markup()
    first = f"{station['name']}1" if many else station["name"]
    hue = hues.get(first, NODE)
    dot = Markup('<circle cx="{}" cy="{}" r="5" style="fill: {}"><title>{}</title></circle>')
    return Markup('<g class="station">') + dot.format(x, y, hue, station["name"]) + name + Markup("</g>")


def scale_drawn(frame: Frame) -> Markup:
    """How long some metres are."""
    fitting = [one for one in SCALES if one * frame.pixels <= (frame.width - 2 * MARGIN) / 3 + 1]
    length = fitting[-1] if fitting else SCALES[0]
    x, y = MARGIN / 2, frame.height - 12
    of = Markup('<g class="scale"><path d="M{} {}v4h{}v-4"/><text x="{}" y="{}">{} m</text></g>')
    pixels = round(length * frame.pixels, 1)
    return of.format(x, y, pixels, x + pixels + 8, y + 5, number(length))


def described(view: RunView) -> str:
    """What the picture shows, for the sentences above it: how to read it, and the signal of the stations."""
    nodes = [node for node in view.run.summary["nodes"] if "signal_min_db" in node]
    told = [f"{node['name']} {number(node['signal_median_db'])} dB{at_least(node)}" for node in nodes[:MOST_TOLD]]
    more = f" and {len(nodes) - MOST_TOLD} more" if len(nodes) > MOST_TOLD else ""
    scenario = read(view)
    walks = any(len(station.get("path", ())) > 1 for station in scenario.get("station", ()))
    said = ["A dashed line is where a station walks, with the time at each stop."] if walks else []
    said += ["Its hue is that of the access point at which a station was."] if view.run.summary.get("roams") else []
    said += [walls_told(scenario["wall"])] if scenario.get("wall") else []
    said += [shared] if (shared := sharing(view.run.scenario)) else []
    said += [f"Signal over noise, the median of the run: {', '.join(told)}{more}."] if told else []
    return " ".join(said)


def walls_told(walls: Sequence[Mapping[str, Any]]) -> str:
    """What the walls of a plan are made of, as the thickness of their lines tells."""
    there = {wall["material"] for wall in walls}
    named = [material for material in MATERIALS if material in there]
    if len(named) == 1:
        return f"All walls are of one material: {named[0]}."
    return f"Walls that take more of a signal have thicker lines: {enumerated(named)}."


def at_least(node: NodeSummary) -> str:
    """The least signal of a station, if it had others."""
    least = node["signal_min_db"]
    return f" (at least {number(least)} dB)" if least < node["signal_median_db"] else ""
