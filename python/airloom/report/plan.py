"""The plan of a scenario whose radios have places: walls, access points, stations, their ways, and all else."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from airloom.analysis.sharing import sharing
from airloom.report.associations import associations
from airloom.report.colours import NODE, Colours
from airloom.report.labels import BESIDE, HIGH, LETTER, Label, Labels
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

    def at(self, place: Sequence[float]) -> Place:
        """A place in pixels, whatever its height."""
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


def height(values: Sequence[str]) -> float:
    """How high a place is, in metres: on the ground if that is not said."""
    return sum(metres(value) for value in values[2:])


def storey(scenario: Mapping[str, Any], values: Sequence[str]) -> list[str]:
    """The storey in which a place is, counted from the lowest, as a word; none of a house without floors."""
    floors = [metres(floor["height"]) for floor in scenario.get("floor", [])]
    return [f"storey {1 + sum(floor <= height(values) for floor in floors)}"] if floors else []


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
    interferers = [one for one in scenario.get("interferer", []) if "position" in one]
    monitors = scenario.get("monitor", [])
    placed = [place(one["position"]) for one in (*points, *interferers, *monitors)]
    frame = Frame.around([*ends, *placed, *(at for _, own in ways for at in own)])
    hues = Colours.of(view).nodes
    walking = [(station, own) for station, own in ways if len(own) > 1]
    steps = [step for _, own in walking for step in pairwise(own)]
    labels = Labels([(frame.at(start), frame.at(end)) for start, end in [*(wall[:2] for wall in walls), *steps]])
    parts = [
        *(wall_drawn(frame, *wall) for wall in walls),
        *(path_drawn(frame, station, hues) for station, _ in walking),
        *(served_drawn(frame, station, view, hues) for station, _ in walking),
        *(
            point_drawn(
                frame,
                point,
                hues,
                labels,
                told=[*numbered(point, points), *storey(scenario, point["position"])],
                others=beside(point, points[:number]),
            )
            for number, point in enumerate(points)
        ),
        *(
            station_drawn(frame, station, hues, labels, told=storey(scenario, stops(station)[0]["position"]))
            if len(ways) <= MOST_NAMES
            else station_drawn(frame, station, hues, None, told=[])
            for station, _ in grouped(ways)
        ),
        *(
            draw(frame, one, labels, told=storey(scenario, one["position"]))
            for draw, those in ((interferer_drawn, interferers), (monitor_drawn, monitors))
            for one in those
        ),
        *(times_drawn(frame, station, labels, scenario) for station, _ in walking),
        scale_drawn(frame),
    ]
    counts = (count(len(points), "access point"), count(len(stations), "station"), count(len(walls), "wall"))
    label = f"Plan: {', '.join(counts)}"
    size = Markup('<svg viewBox="0 0 {:.0f} {:.0f}" style="max-width: {:.0f}px" role="img" aria-label="{}">')
    return size.format(frame.width, frame.height, frame.width, label) + Markup().join(parts) + Markup("</svg>")


def walked(station: Mapping[str, Any], duration: float) -> Mapping[str, Any]:
    """A station with what it walked of its path within a run of so many seconds."""
    path = timed(station.get("path", []))
    done = [stop for stop, (at, _) in zip(station.get("path", []), path, strict=True) if at <= duration]
    if len(done) == len(path):
        return station
    end = {"at": f"{duration:g} s", "position": [f"{metres} m" for metres in where(path, duration)]}
    return {**station, "path": [*done, end] if done else [end]}


def timed(path: Sequence[Mapping[str, Any]]) -> list[tuple[float, tuple[float, ...]]]:
    """The stops of a path: when, in seconds, and where, with the height."""
    return [(seconds(stop["at"]), (*place(stop["position"]), height(stop["position"]))) for stop in path]


def stops(station: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """What has the places where a station is: itself, or the stops of its path."""
    return station.get("path", [station])  # type: ignore[no-any-return]


def way(station: Mapping[str, Any]) -> list[Place]:
    """The places where a station is: one, or those of its path."""
    return [place(stop["position"]) for stop in stops(station)]


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
    corners = [frame.at(at) for at in way(station)]
    hue = hues.get(station["name"], NODE)
    line = Markup('<polyline class="way" style="stroke: {}" points="{}"/>').format(
        hue, " ".join(f"{x},{y}" for x, y in corners)
    )
    stop = Markup('<circle class="stop" cx="{}" cy="{}" r="2.5" style="fill: {}"/>')
    return line + Markup().join(stop.format(x, y, hue) for x, y in dict.fromkeys(corners))


def times_drawn(frame: Frame, station: Mapping[str, Any], labels: Labels, scenario: Mapping[str, Any]) -> Markup:
    """When a station that walks is at each of its stops, and in which storey if that is not its first."""
    told: dict[Place, list[str]] = {}
    first = storey(scenario, station["path"][0]["position"])
    for stop in station["path"]:
        here = storey(scenario, stop["position"])
        told.setdefault(frame.at(place(stop["position"])), []).append(
            " ".join([clock(stop["at"]), *(here if here != first else [])])
        )
    times = Markup()
    for (x, y), those in told.items():
        words = (", ".join(those),)
        below = [Label(x, foot, "middle", words) for foot in (y + 17, y + 36)]
        sides = [Label(side, y + 4, anchor, words) for side, anchor in ((x + BESIDE, "start"), (x - BESIDE, "end"))]
        times += labels.place([below[0], Label(x, y - 8, "middle", words), below[1], *sides]).drawn("time")
    return times


LONGEST = 8
"""A time of at most so many characters stands as the scenario has it."""


def clock(time: str) -> str:
    """A time of a scenario as a label has room for it: one that followed from a speed has nanoseconds."""
    return time if len(time) <= LONGEST else f"{seconds(time):.1f} s"


def served_drawn(frame: Frame, station: Mapping[str, Any], view: RunView, hues: Mapping[str, str]) -> Markup:
    """The parts of a way on which a station that roams was at an access point, in the hue of that one."""
    parts = []
    for one in associations(view.run.summary):
        if one.station == station["name"]:
            path = timed(station["path"])
            inside = [time for time, _ in path if one.start < time < one.end]
            points = [frame.at(where(path, time)) for time in (one.start, *inside, one.end)]
            of = Markup(
                '<polyline class="served" style="stroke: {}" points="{}"><title>at {}, {} s to {} s</title></polyline>'
            )
            told = " ".join(f"{x},{y}" for x, y in points)
            parts.append(of.format(hues.get(one.point, NODE), told, one.point, f"{one.start:.1f}", f"{one.end:.1f}"))
    return Markup().join(parts)


def where(path: Sequence[tuple[float, tuple[float, ...]]], time: float) -> tuple[float, ...]:
    """Where a station is at a time, which goes in a line from each stop to the next."""
    for (start, here), (end, there) in pairwise(path):
        if start <= time < end:
            part = (time - start) / (end - start)
            return tuple(one + part * (other - one) for one, other in zip(here, there, strict=True))
    return path[0][1] if time < path[0][0] else path[-1][1]


def numbered(point: Mapping[str, Any], points: Sequence[Mapping[str, Any]]) -> list[str]:
    """The channel of an access point that is not alone, or goes to another one."""
    ever = [point["channel"], *(switch["channel"] for switch in point.get("switch", []))]
    return [f"channel {', then '.join(map(str, ever))}"] if len(points) > 1 or ever[1:] else []


def point_drawn(
    frame: Frame,
    point: Mapping[str, Any],
    hues: Mapping[str, str],
    labels: Labels,
    *,
    told: Sequence[str],
    others: int,
) -> Markup:
    """An access point: a square amid rings, with its name, channel and storey.

    The names of `others` stand between, which are in the same place.
    """
    x, y = frame.at(place(point["position"]))
    of = Markup(
        '<g class="ap" style="color: {}"><circle cx="{}" cy="{}" r="11"/><circle cx="{}" cy="{}" r="{}"/>'
        '<rect x="{}" y="{}" width="10" height="10" rx="2"/>{}</g>'
    )
    words = [point["name"], *told]
    name = labels.place(names_around(frame, (x, y), words, others))
    labels.taken.append(((x - RING, y - RING), (x + RING, y + RING)))
    return of.format(hues.get(point["name"], "var(--ink)"), x, y, x, y, RING, x - 5, y - 5, name.drawn())


def names_around(frame: Frame, at: Place, words: Sequence[str], others: int) -> list[Label]:
    """Where the name of an access point may stand, best first: above, below, and beside one alone in its place."""
    (x, y), whole = at, (", ".join(words),)
    middle = within(frame, x, whole[0])
    feet = (y - 22 - others * HIGH, y + 32 + others * HIGH)
    names = [Label(middle, foot, "middle", whole) for foot in feet]
    if others == 0:
        sides = ((x + BESIDE, "start"), (x - BESIDE, "end"))
        names += [Label(side, y + 4, anchor, whole) for side, anchor in sides]
        names += [Label(side, y - 2, anchor, tuple(words)) for side, anchor in sides]
    return [names[0], *(name for name in names[1:] if name.box()[0][0] >= 0 and name.box()[1][0] <= frame.width)]


def within(frame: Frame, x: float, words: str) -> float:
    """Where words have their middle that stand above a place: so far from there that they lie within the picture."""
    half = LETTER * len(words) / 2
    return round(min(max(x, half), frame.width - half), 1)


def beside(point: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> int:
    """How many of others are in the place of an access point."""
    return sum(place(other["position"]) == place(point["position"]) for other in others)


def station_drawn(
    frame: Frame, station: Mapping[str, Any], hues: Mapping[str, str], labels: Labels | None, *, told: Sequence[str]
) -> Markup:
    """A station where it begins; with its name and storey, if there are labels."""
    x, y = frame.at(way(station)[0])
    many = f" ({station['count']})" if station.get("count", 1) > 1 else ""
    words = (", ".join([f"{station['name']}{many}", *told]),)
    middle = within(frame, x, words[0])
    places = [Label(middle, foot, "middle", words) for foot in (y - 10, y + 18)]
    name = labels.place(places).drawn() if labels else Markup()
    first = f"{station['name']}1" if many else station["name"]
    hue = hues.get(first, NODE)
    dot = Markup('<circle cx="{}" cy="{}" r="5" style="fill: {}"><title>{}</title></circle>')
    return Markup('<g class="station">') + dot.format(x, y, hue, station["name"]) + name + Markup("</g>")


def interferer_drawn(frame: Frame, one: Mapping[str, Any], labels: Labels, *, told: Sequence[str]) -> Markup:
    """An interferer: a diamond, with its name and storey."""
    x, y = frame.at(place(one["position"]))
    of = Markup('<g class="interferer"><path d="M{} {}l7 7l-7 7l-7 -7z"><title>{}</title></path>{}</g>')
    return of.format(x, y - 7, f"{one['name']}, {one['kind']}", named(frame, one, labels, told))


def monitor_drawn(frame: Frame, one: Mapping[str, Any], labels: Labels, *, told: Sequence[str]) -> Markup:
    """A monitor: a triangle, with its name and storey."""
    x, y = frame.at(place(one["position"]))
    of = Markup('<g class="monitor"><path d="M{} {}l7 12h-14z"><title>{}</title></path>{}</g>')
    return of.format(x, y - 7, f"{one['name']}, a monitor", named(frame, one, labels, told))


def named(frame: Frame, one: Mapping[str, Any], labels: Labels, told: Sequence[str]) -> Markup:
    """The name of something at its place, with its storey."""
    x, y = frame.at(place(one["position"]))
    words = (", ".join([one["name"], *told]),)
    middle = within(frame, x, words[0])
    return labels.place([Label(middle, foot, "middle", words) for foot in (y - 12, y + 22)]).drawn()


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
    said += [storeys_told(scenario["floor"])] if scenario.get("floor") else []
    said += interferers_told(scenario.get("interferer", []))
    said += ["A triangle is a monitor."] if scenario.get("monitor") else []
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


def storeys_told(floors: Sequence[Mapping[str, Any]]) -> str:
    """Where the floors between the storeys of a plan are, which it shows one above the other."""
    heights = [f"{high:g}" for high in sorted(metres(floor["height"]) for floor in floors)]
    floor = "floor is" if len(heights) == 1 else "floors are"
    storeys = f"The {len(heights) + 1} storeys lie above each other, the lowest is storey 1"
    return f"{storeys}; the {floor} at {enumerated(heights)} m."


def interferers_told(interferers: Sequence[Mapping[str, Any]]) -> list[str]:
    """Which interferers a plan shows, and which have no place."""
    placed = [one["name"] for one in interferers if "position" in one]
    rest = [one["name"] for one in interferers if "position" not in one]
    sign = "A diamond is an interferer." if placed else ""
    nowhere = f"Without a place, received everywhere: {enumerated(rest)}." if rest else ""
    return [text for text in (sign, nowhere) if text]


def at_least(node: NodeSummary) -> str:
    """The least signal of a station, if it had others."""
    least = node["signal_min_db"]
    return f" (at least {number(least)} dB)" if least < node["signal_median_db"] else ""
