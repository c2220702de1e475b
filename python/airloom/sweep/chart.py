"""A metric of a sweep against one of its keys, drawn: a chart, or one for each value of a further key."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis.summary_table import RUN
from airloom.report.line_chart import COLOURS, SHAPES, Legend, Point, Trace, against, around
from airloom.report.origin import signed
from airloom.report.picture import Chart
from airloom.report.standalone import WIDTH, Column, Spec, alone, beside, describe, noted, quantity, titled
from airloom.support.formatting import capital, count, enumerated
from airloom.sweep import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.sweep.query import Line, Shown

HEIGHT = 300
SMALL = 200
"""Pixels of a plot: of one by itself, and of one of several."""

SHARE = 0.55
"""The width of a plot that has others beside it, as a share of one by itself."""


OF_FLOWS = ("goodput_mbps",)
"""The metrics of a run that flows have too."""


@dataclass(frozen=True)
class Named:
    """What a page or a picture says of a sweep.

    Attributes:
        title: The grid's title, or its scenario's.
        scenario: The scenario, whose nodes have names.
        origin: Where its numbers are from.
        values: What the values of its axes are called.
    """

    title: str
    scenario: Mapping[str, object]
    origin: str = ""
    values: frozenset[str] = frozenset()

    def key(self, name: str) -> words.Words:
        """What a key is called."""
        return words.key(name, self.scenario)


@dataclass(frozen=True)
class Drawn:
    """One chart: the value of the panels' key that it is of, if there are several, and its specification."""

    panel: str
    spec: Spec


def sentence(shown: Shown, named: Named) -> str:
    """What is shown, in words."""
    metric = words.metric(shown.metric).title
    of = f" of {shown.entity}" if shown.entity and shown.entity != RUN else ""
    if shown.entity == RUN and shown.metric in OF_FLOWS:
        of = " of all flows together"
    keys = [told for told in (shown.told.hue, shown.told.shape, shown.told.panel) if told]
    by = [lower(named.key(name).title) for name in (shown.by, *keys)]
    listed = by[0] if len(by) == 1 else f"{', '.join(by[:-1])} and {by[-1]}"
    mean = f": the mean over {shown.over_seeds}, and its 95\N{NO-BREAK SPACE}% confidence interval"
    some = " where there are several" if shown.fewest == 1 else ""
    over = f" Each seed's value is a mean over {', '.join(lower(named.key(axis).title) for axis in shown.over)}."
    whose = "its members" if shown.entity else "the members of each group"
    members = f", the {shown.members} over {whose}," if shown.members else ""
    missing = f" Of {count(shown.missing, 'run')} there is no value, since a member has none."
    partial = f" In {count(shown.partial, 'run')} {shown.of_some}." if shown.partial else ""
    own = f" {capital(shown.own_times)}." if shown.own_times else ""
    cut = f" {CUT[:1].upper()}{CUT[1:]}." if is_cut(shown) else ""
    return (
        f"{metric}{of}{members} by {listed}{mean + some if shown.seeds > 1 else ''}.{own}{cut}"
        f"{over if shown.over else ''}{missing if shown.missing else ''}{partial}"
        f"{''.join(f' {capital(text)}.' for text in unlike(shown, named))}"
        f"{f' Not finished: {shown.unfinished}.' if shown.unfinished else ''}"
        f"{''.join(f' {capital(text)}.' for text in shown.doubtful)}"
    )


def unlike(shown: Shown, named: Named) -> list[str]:
    """What the points do not have alike, in a sentence; none if there is nothing."""
    return shown.unlike_in([lower(named.key(key).title) for key in shown.unlike])


CUT = "intervals that reach below 0 are cut there"


def is_cut(shown: Shown) -> bool:
    """Whether an interval reaches below zero and no mean does, so that the axis begins there."""
    points = [point for line in shown.lines for point in line.points.values() if not math.isnan(point.margin)]
    return all(point.mean >= 0 for point in points) and any(point.mean < point.margin for point in points)


def lower(text: str) -> str:
    """A title within a sentence."""
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def looks(shown: Shown) -> dict[str, tuple[str, str]]:
    """The colour and the shape of each line, by its name: the same in all panels."""
    hues = list(dict.fromkeys(line.hue or line.label for line in shown.lines))
    shapes = list(dict.fromkeys(line.shape for line in shown.lines))
    forms = list(SHAPES)
    return {
        line.name: (
            f"var(--line-{hues.index(line.hue or line.label) % COLOURS})",
            forms[shapes.index(line.shape) % len(forms)],
        )
        for line in shown.lines
    }


def legend(shown: Shown) -> list[Legend]:
    """The lines, each once."""
    return [Legend(name, "", colour, sign=SHAPES[shape]) for name, (colour, shape) in looks(shown).items() if name]


def charts(shown: Shown, named: Named) -> list[Drawn]:
    """The charts, all with the same vertical axis."""
    looked = looks(shown)
    lines: dict[str, list[Trace]] = {panel: [] for panel in shown.panels}
    for line in shown.lines:
        lines[line.panel].append(trace(line, shown, looked))
    ends = around([one for traces in lines.values() for one in traces])
    metric, key = words.metric(shown.metric), named.key(shown.by)
    height = HEIGHT if len(lines) == 1 else SMALL
    found = []
    for panel, traces in lines.items():
        spec = against(traces, key.title, metric.axis, ends, height=height)
        x, y = (spec["layer"][0]["encoding"][axis]["title"] for axis in "xy")
        title = f"{named.key(shown.told.panel).title}: {panel}" if panel else named.title
        described = describe(
            spec,
            title=title,
            subtitle=named.title if panel else sentence(shown, named),
            name="-".join(filter(None, (named.title, shown.metric, panel))),
            x=x,
            y=[y],
            columns=[
                Column("x", quantity(*x.removesuffix(" (logarithmic)").rsplit(", ", 1)) if ", " in x else x),
                Column("k", "line"),
                Column("y", quantity(f"{metric.title}, mean", metric.unit)),
                Column("low", quantity("95 % from", metric.unit)),
                Column("high", quantity("95 % to", metric.unit)),
            ],
            height=height,
        )
        found.append(Drawn(panel, described))
    return found


def trace(line: Line, shown: Shown, looked: Mapping[str, tuple[str, str]]) -> Trace:
    """A line's points; a mean without an interval has none."""
    colour, shape = looked[line.name]
    there = [(place, line.points[place]) for place in shown.places if place in line.points]
    points = [Point(place, one.mean, one.mean - one.margin, one.mean + one.margin) for place, one in there]
    return Trace(line.name, points, colour, shape)


def coinciding(shown: Shown) -> list[str]:
    """Which lines lie on others, point by point: a sentence for each such set."""
    same: dict[tuple[str, object], list[str]] = {}
    for line in shown.lines:
        points = tuple((place, line.points[place].mean) for place in shown.places if place in line.points)
        same.setdefault((line.panel, points), []).append(line.name)
    found = []
    for (panel, _), names in same.items():
        if len(names) > 1:
            where = f" at {panel}" if panel else ""
            found.append(f"the lines of {enumerated(names)} coincide{where}")
    return found


def picture(
    shown: Shown, named: Named, *, width: int = WIDTH, height: int | None = None, title: str | None = None
) -> Chart:
    """The charts as a picture that stands alone: one, or one for each panel beside each other."""
    drawn = charts(shown, named)
    if len(drawn) == 1:
        made = titled(alone(drawn[0].spec, width=width, height=height), title)
    else:
        head = named.title if title is None else title
        parts = [alone(one.spec, width=round(SHARE * width), height=height) for one in drawn]
        made = beside(parts, head, sentence(shown, named))
    notes = [*unlike(shown, named), *coinciding(shown), *shown.idle]
    return Chart(signed(noted(made, notes, named.values), named.origin))
