"""The findings over time: bands behind every layer, and a panel of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airloom.diagnosis.words import joined
from airloom.report import in_view, vega
from airloom.report.chart import LEFT, framed, time_axis
from airloom.report.panels import Panel
from airloom.report.standalone import Column, describe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.diagnosis.shapes import Finding

MOST_BANDS = 400
"""Spans of all findings that are drawn: of more, the longest."""

LOCAL = 0.6
"""A finding that takes less of the time than this is shaded at once, others only when they are chosen."""

MOST_ROWS = 8
"""Findings that have a row each; of more, findings with the same code share one."""

ROW = 16
"""Pixels of a row."""

CHOSEN = "chosen < 0 ? datum.local : datum.finding == chosen"
"""Which bands are drawn: all local ones, or those of the finding that is chosen."""

FINDINGS = Panel(
    "findings", "Findings", "", "A click on a bar shows the time of its finding, and the packets that show it.", ()
)
AWAY = Panel(
    "away", "Off the air", "", "Spells between a station's PM=1 and PM=0: it dozes, or is on another channel.", ()
)


@dataclass(frozen=True)
class Spell:
    """A bar in a row of its own kind."""

    row: int
    start: float
    end: float
    label: str


def bands(findings: Sequence[Finding], duration: float) -> list[dict[str, Any]]:
    """The spans of all findings, with the finding that each belongs to."""
    rows = [
        {"t": start, "end": max(end, start + duration / 2000), "finding": place, "local": local(finding, duration)}
        for place, finding in enumerate(findings)
        for start, end in joined(finding["spans"], duration / 2000)
    ]
    rows.sort(key=lambda row: row["t"] - row["end"])
    return rows[:MOST_BANDS]


def local(finding: Finding, duration: float) -> bool:
    """Whether a finding concerns a part of the time only."""
    return sum(end - start for start, end in finding["spans"]) < LOCAL * duration


def shade(rows: Sequence[dict[str, Any]], time: vega.Channel) -> list[vega.Chart]:
    """The bands behind a layer."""
    if not rows:
        return []
    base = vega.charted(list(rows), name="shade").transform_filter(CHOSEN)
    mark = in_view.spans(base).mark_rect(clip=True, color="var(--scan)", tooltip=None)
    return [mark.encode(x=in_view.at(time), x2="to:Q")]


def labels(findings: Sequence[Finding]) -> list[str]:
    """The name of the row of each finding."""
    if len(findings) <= MOST_ROWS:
        return [f"{place + 1}. {finding['code']}" for place, finding in enumerate(findings)]
    return [finding["code"] for finding in findings]


def rows_of(findings: Sequence[Finding]) -> list[int]:
    """The row of each finding in their panel."""
    names = labels(findings)
    rows = list(dict.fromkeys(names))
    return [rows.index(name) for name in names]


def of_findings(findings: Sequence[Finding], duration: float, subtitle: str) -> list[dict[str, Any]]:
    """The panel of all findings; none if there are none."""
    if not findings:
        return []
    names = labels(findings)
    rows = list(dict.fromkeys(names))
    kept = [(names[band["finding"]], band["t"], band["end"]) for band in bands(findings, duration)]
    # Findings that share a row may have the same span.
    spells = [Spell(rows.index(name), start, end, name) for name, start, end in dict.fromkeys(kept)]
    colours = dict.fromkeys(rows, "var(--scan-ink)")
    shown = [row.split(". ")[-1] for row in rows]
    entry = panel(FINDINGS, spells, colours, duration, subtitle, shown, places=rows_of(findings))
    entry["legend"] = []
    return [entry]


def away(
    dozes: dict[str, list[list[float]]],
    colours: dict[str, str],
    shaded: Sequence[dict[str, Any]],
    duration: float,
    subtitle: str,
) -> list[Any]:
    """The panel of the stations' absences; none if there were none."""
    stations = [mac for mac in colours if dozes.get(mac)]
    every = [(start, end, mac) for mac in stations for start, end in dozes[mac]]
    every.sort(key=lambda one: one[0] - one[1])
    spells = [Spell(stations.index(mac), start, end, mac) for start, end, mac in every[:MOST_BANDS]]
    if not spells:
        return []
    entry = panel(AWAY, spells, {mac: colours[mac] for mac in stations}, duration, subtitle, shaded=shaded)
    if len(every) > MOST_BANDS:
        entry["caption"] += f" The longest {MOST_BANDS} of {len(every):,} are drawn."
    for line in entry["legend"]:
        share = sum(end - start for start, end in dozes[line["label"]]) / duration
        line["mean"] = f"{100 * share:.1f}\N{NO-BREAK SPACE}%"
    return [entry]


def bars_of(
    spells: Sequence[Spell],
    colours: dict[str, str],
    time: vega.Channel,
    shown: Sequence[str] | None,
    places: Sequence[int],
) -> vega.Chart:
    """The bars of a panel, each in its row: `shown` stands at the rows, and `places` has the row of each finding."""
    rows = [
        {"t": one.start, "end": one.end, "k": one.label, "row": one.row, "low": one.row + 0.16, "high": one.row + 0.84}
        for one in spells
    ]
    names = list(colours)
    scale = vega.Scale(domain=[len(names), 0], nice=False, zero=False)
    written = (
        vega.Axis(
            values=[place + 0.5 for place in range(len(names))],
            labelExpr=f"{list(shown)}[floor(datum.value)]",
            grid=False,
            labelLimit=LEFT,
        )
        if shown is not None
        else None
    )
    base = vega.charted(rows, name="bars").transform_filter("indexof(hidden, datum.k) < 0")
    mark = in_view.spans(base).mark_rect(clip=True, tooltip=None, cornerRadius=1.5)
    bars: vega.Chart = mark.encode(
        x=in_view.at(time),
        x2="to:Q",
        y=vega.Channel("low:Q", title=None, scale=scale, axis=written),
        y2="high:Q",
        color=vega.Channel("k:N", legend=None, scale=vega.Scale(domain=names, range=[colours[name] for name in names])),
        opacity=vega.condition(
            f"chosen < 0 || datum.row == {list(places)}[chosen]" if places else "true",
            vega.value(0.85),
            vega.value(0.3),
        ),
    )
    return bars


def panel(
    about: Panel,
    spells: Sequence[Spell],
    colours: dict[str, str],
    duration: float,
    subtitle: str,
    shown: Sequence[str] | None = None,
    shaded: Sequence[dict[str, Any]] = (),
    places: Sequence[int] = (),
) -> dict[str, Any]:
    """A panel of bars in rows, one row for each colour.

    Args:
        about: What it is.
        spells: The bars.
        colours: The rows with their colours.
        duration: The end of the axis of time, in seconds.
        subtitle: What the page is of.
        shown: What stands at the rows.
        shaded: Bands behind the bars.
        places: The row of each finding: the others fade while one is chosen.
    """
    height = ROW * len(colours) + 4
    time = time_axis(duration, labels=shown is not None)
    bars = bars_of(spells, colours, time, shown, places)
    spec = describe(
        framed([*shade(shaded, time), bars], duration, height, axis=shown is not None, chosen=-1),
        title=about.title,
        subtitle=subtitle,
        name=f"{subtitle}-{about.id}",
        x="Time, s",
        y="",
        columns=[Column("t", "from (s)"), Column("end", "to (s)"), Column("k", "what")],
        height=height,
    )
    legend = [
        {"label": name, "colour": colours[name], "quantity": 0, "mean": "", "scanning": None}
        | {"values": None, "start": 0, "bin": 1}
        for name in colours
    ]
    return {
        "panel": about,
        "id": about.id,
        "facet": "",
        "crowded": False,
        "continued": False,
        "last": shown is not None,
        "caption": about.caption,
        "legend": legend,
        "spec": spec,
    }
