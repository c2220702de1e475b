"""The page of a diagnosis: what was found, then every layer on one axis of time, with the packets of each finding."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from airloom import _engine
from airloom.diagnosis import again, bands, words
from airloom.diagnosis.captures_in_words import parts
from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.layers import AIRTIME, FLIGHT, Drawing, ends, flow_names, of_air, of_flows
from airloom.diagnosis.reading import named
from airloom.report.chart import FACET, HEIGHT, LEFT, LOW, RIGHT, draw, framed, time_axis
from airloom.report.colours import HUES, hue
from airloom.report.entries import entries, scripted
from airloom.report.html import fill
from airloom.results.series import rounded
from airloom.support.formatting import number, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.diagnosis.reading import Closely
    from airloom.diagnosis.shapes import Diagnosis, Excerpt, Finding, Layers
    from airloom.report.traces import Plot

SHORTEST = 0.001
"""The shortest axis of time, in seconds: a capture may be one packet."""

MOST_MEMBERS = 3
"""Findings of a rule that stand one below the other; more of them are folded."""


def render(told: Closely) -> str:
    """The page as HTML."""
    found, layers, excerpts = told
    duration = max(SHORTEST, layers["length_s"])
    findings, title = found["findings"], words.headline(found)
    shown = timeline(told, duration, title)
    return fill(
        "diagnosis.html.j2",
        styles=("style.css", "findings.css"),
        scripts=("findings.js", "timeline.js"),
        content={
            "duration": duration,
            "left": LEFT,
            "right": RIGHT,
            "scans": navigated(findings, duration),
            "panels": scripted(shown),
            "distributions": [],
            "findings": [scripted_finding(one, layers, duration) for one in findings],
            "excerpts": [packed(one) for one in excerpts],
            "row": bands.ROW,
            "rows": bands.rows_of(findings),
        },
        shown={
            "version": _engine.version(),
            "title": title,
            "lead": coded(" ".join(words.lead(found))),
            "captures": [(named(one), parts(one)) for one in found["captures"]],
            "caveats": words.caveats(found),
            "facts": facts(found),
            "cards": cards(found),
            "most": MOST_MEMBERS,
            "abstained": [(codes, coded(because)) for codes, because in words.reasons(found["abstained"])],
            "panels": shown,
            "crowded": any(entry["crowded"] for entry in shown),
            "duration": duration,
            "network": layers["air"]["network"] if layers["air"] else None,
        },
    )


def timeline(told: Closely, duration: float, title: str) -> list[dict[str, Any]]:
    """All panels, each with its chart."""
    found, layers, _ = told
    air = layers["air"]
    drawing = drawn_with(found, layers)
    plots = of_flows(layers, drawing) + (of_air(air, found["links"], drawing) if air else [])
    crowded = any(plot.bands for plot in plots if plot.panel is not AIRTIME)
    shaded = bands.bands(found["findings"], duration)
    time = time_axis(duration, labels=False)
    specs = [spec(plot, shaded, duration, low=crowded, last=plot is plots[-1]) for plot in plots]
    shown = entries(plots, specs, title, crowded=crowded)
    for entry, plot in zip(shown, plots, strict=True):
        if plot.panel is AIRTIME:
            shares(entry, plot)
    marks = again.panel(layers, bands.shade(shaded, time), duration, title)
    before = [place for place, plot in enumerate(plots) if plot.panel is FLIGHT]
    place = before[0] if before else 0
    shown[place:place] = marks
    stations = [station["mac"] for station in air["stations"]] if air else []
    dozes = {station["mac"]: station["dozes"] for station in found["stations"]}
    colours = {mac: drawing.hues.get(mac, "var(--node)") for mac in stations[:HUES]}
    return [
        *bands.of_findings(found["findings"], duration, title),
        *shown[: place + len(marks)],
        *shown[place + len(marks) :][:-1],
        *bands.away(dozes, colours, shaded, duration, title),
        *shown[place + len(marks) :][-1:],
    ]


def drawn_with(found: Diagnosis, layers: Layers) -> Drawing:
    """The hues of flows and stations, and who stands out of a crowd."""
    flows = flow_names(layers)
    air = layers["air"]
    stations = [station["mac"] for station in air["stations"]] if air else []
    alone = len(flows) == 1 and len(stations) == 1
    after = 0 if alone or len(flows) + len(stations) > HUES else len(flows)
    hues = {name: hue(place) for place, name in enumerate(flows[:HUES])}
    hues |= {mac: hue(after + place) for place, mac in enumerate(stations[:HUES])}
    full = {f"{flow['from']} to {flow['to']}": name for flow, name in zip(layers["flows"], flows, strict=True)}
    subjects = [finding["subject"] for finding in found["findings"]]
    named = [full[subject] for subject in subjects if subject in full]
    radios = [mac for subject in subjects for mac in stations if mac in subject.split()]
    return Drawing(layers["width_s"], hues, list(dict.fromkeys([*named, *radios])))


def spec(plot: Plot, shaded: Sequence[dict[str, Any]], duration: float, *, low: bool, last: bool) -> Any:
    """The chart of a plot."""
    time = time_axis(duration, labels=last)
    height = LOW if low else FACET if plot.facet else HEIGHT
    layers = [*bands.shade(shaded, time), *draw(plot, time, ends(plot))]
    return framed(layers, duration, height, axis=last, chosen=-1)


def shares(entry: dict[str, Any], plot: Plot) -> None:
    """Puts the share of each part beside the stack of them."""
    for line, band in zip(entry["legend"], plot.bands, strict=True):
        values = [high - low for low, high in zip(band.low.values, band.high.values, strict=True)]
        line["values"] = [rounded(value, 4) for value in values]
        line["start"], line["bin"] = 0, band.low.width
        line["mean"] = number(sum(values) / len(values))


def navigated(findings: Sequence[Finding], duration: float) -> list[dict[str, Any]]:
    """The bands of the navigator: of what concerns a part of the time."""
    kept = [band for band in bands.bands(findings, duration) if band["local"]]
    return [{"start": band["t"], "end": min(band["end"], duration), "run": 0} for band in kept]


def scripted_finding(finding: Finding, layers: Layers, duration: float) -> dict[str, Any]:
    """What the script needs of a finding: what it is called, and what of the time to show."""
    starts = [span[0] for span in finding["spans"]] or [0.0]
    stops = [span[1] for span in finding["spans"]] or [duration]
    start, end = min(starts), max(stops)
    room = max(0.15 * (end - start), 4 * layers["width_s"])
    return {
        "title": f"{finding['code']} {finding['name']}",
        "subject": finding["subject"],
        "from": round(max(0.0, start - room), 6),
        "to": round(min(duration, end + room), 6),
        "spans": [[round(time, 6) for time in span] for span in finding["spans"][: bands.MOST_BANDS]],
        "filter": finding["filter"],
    }


def packed(excerpt: Excerpt) -> dict[str, Any]:
    """The records around a finding, addresses by their place in a list."""
    names = list(dict.fromkeys(name for row in excerpt["rows"] for name in (row["kind"], row["from"], row["to"])))
    places = {name: place for place, name in enumerate(names)}
    return {
        "capture": excerpt["capture"],
        "names": names,
        "rows": [
            [
                row["number"],
                row["at_s"],
                places[row["kind"]],
                places[row["from"]],
                places[row["to"]],
                row["length"],
                row["mbps"],
                row["signal_dbm"],
                row["says"],
                int(row["named"]) + 2 * int(row["again"]),
            ]
            for row in excerpt["rows"]
        ],
    }


def cards(found: Diagnosis) -> list[dict[str, Any]]:
    """What was found, the costliest first: findings of the same rule with the same remedy stand together."""
    groups: dict[tuple[str, str], list[tuple[int, Finding]]] = {}
    for place, finding in enumerate(found["findings"]):
        groups.setdefault((finding["code"], finding["remedy"]), []).append((place, finding))
    return [
        {
            "code": code,
            "name": members[0][1]["name"],
            "remedy": coded(remedy),
            "refuted_by": coded(members[0][1]["refuted_by"]),
            "members": [
                {
                    "place": place,
                    "subject": finding["subject"],
                    "sure": words.sure(finding),
                    "when": words.spans(finding["spans"]),
                    "value": f"{plain(finding['value'])} {finding['unit']}, threshold {plain(finding['threshold'])}",
                    "cost": words.charge(finding),
                    "unpriced": finding["cost"]["unknown"],
                    "relation": relation(found, finding),
                    "says": finding["says"],
                    "filter": finding["filter"],
                }
                for place, finding in members
            ],
        }
        for (code, remedy), members in groups.items()
    ]


def relation(found: Diagnosis, finding: Finding) -> str:
    """How a finding goes with the one that it stands below, whose card is another; nothing if it stands by itself."""
    if finding["below"] is None:
        return ""
    cause = found["findings"][finding["below"]]["code"]
    return f"a reason of {cause}: " if finding["is_reason"] else f"follows from {cause}: "


def coded(text: str) -> Markup:
    """A text whose commands stand in back quotes."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before
