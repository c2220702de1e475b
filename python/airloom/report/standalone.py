"""A chart of a page as it stands alone: with a title, units at its axes, a legend, and its data as a table.

On a page all of that lies around the chart, so its specification has none of it. `describe` puts beside it, as
Vega-Lite's `usermeta`, what is to be changed for a chart that is saved, and what the columns of its data are called.
The page's `save.js` makes these changes, and `alone` does here.
"""

from __future__ import annotations

import json
import math
import re
import textwrap
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from airloom.support.formatting import capital

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

Spec = dict[str, Any]
Change = tuple[list[str | int], object]
"""A place in a specification, and what stands there in a chart that stands alone."""

WIDTH = 640
HEIGHT = 240
"""Pixels of the plot."""

TICKS = 5
"""About as many are at the vertical axis."""

LONGEST = 110
"""Characters of a line below the title."""

MOST = 16
"""Entries that a legend has at most: more of them leave the chart no room."""

COLUMNS = 4
"""Entries of a legend in a row."""

SPACING = 64
ROW = 14
"""Pixels between charts below each other whose legends have one row, and for each row more."""

INK = "var(--ink)"
FONT = "Helvetica Neue, Arial, Liberation Sans, sans-serif"

VARIABLE = re.compile(r"var\((--[\w-]+)\)")
HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})")
RGB = re.compile(r"rgb\((\d+) (\d+) (\d+)(?: / ([\d.]+))?\)")
"""How a variable is used, and how the page's style writes colours."""


@dataclass(frozen=True)
class Column:
    """A column of a chart's table.

    Attributes:
        field: What its data call it.
        title: What it is called in the table, with its unit.
        otherwise: What rows without it have there; none if a row without it is no row of the table.
    """

    field: str
    title: str
    otherwise: str | None = None


def describe(
    spec: Spec,
    *,
    title: str,
    name: str,
    x: str,
    y: str | Sequence[str],
    columns: Sequence[Column],
    subtitle: str = "",
    height: int = HEIGHT,
) -> Spec:
    """The same chart, with what is needed to save it.

    Args:
        spec: The chart, of one view or of layers.
        title: What it shows.
        name: The name of its file, without the suffix; what a file's name should not have is replaced.
        x: The title of the horizontal axis, with its unit.
        y: The title of the vertical one likewise, or one for each layer that has such an axis.
        columns: The columns of its table: of the data that have all of them.
        subtitle: What it is of.
        height: Pixels of the plot.
    """
    alone = sole(spec)
    below = [*wrapped(subtitle), *([alone] if alone and alone not in (title, subtitle) else [])]
    about = {
        "name": slug(name),
        "title": title,
        "changes": [*frame(title, below, height), *titles(spec, x, y), *legends(spec)],
        "columns": [[column.field, column.title, column.otherwise] for column in columns],
    }
    return spec | {"description": title, "usermeta": {"airloom": about}}


def quantity(title: str, unit: str) -> str:
    """A column's title: a quantity with its unit in brackets."""
    return f"{title} ({unit})" if unit else title


def axis(title: str, unit: str) -> str:
    """An axis's title: a quantity, and its unit behind a comma."""
    return f"{title}, {unit}" if unit else title


def slug(name: str) -> str:
    """A name that any file system takes."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9.]+", "-", plain).strip("-.")[:80] or "chart"


def frame(title: str, below: Sequence[str], height: int) -> Iterator[Change]:
    """What surrounds the plot: its title, lines below that, and room."""
    head: Spec = {"text": title, "anchor": "start", "frame": "group", "color": INK, "fontSize": 14, "offset": 10}
    if below:
        head |= {"subtitle": list(below), "subtitleColor": "var(--muted)", "subtitleFontSize": 11}
        head |= {"subtitlePadding": 4}
    yield ["title"], head
    yield ["height"], height
    yield ["autosize"], {"type": "pad"}
    yield ["padding"], 14
    yield ["background"], "white"


def wrapped(text: str) -> list[str]:
    """A text as lines that are no longer than a chart is wide."""
    return textwrap.wrap(text, LONGEST)


def encodings(spec: Spec) -> Iterator[tuple[list[str | int], Mapping[str, Any]]]:
    """The encodings of a chart's views, each with its place."""
    if "encoding" in spec:
        yield ["encoding"], spec["encoding"]
    for number, layer in enumerate(spec.get("layer", [])):
        for place, encoding in encodings(layer):
            yield ["layer", number, *place], encoding


def titles(spec: Spec, x: str, y: str | Sequence[str]) -> Iterator[Change]:
    """The titles of the axes. Time has its unit there and not at each label, and a higher plot has more ticks."""
    axes: list[str | int] = []
    for place, encoding in encodings(spec):
        if "field" in encoding.get("x", {}):
            yield [*place, "x", "title"], x
            if labels := encoding["x"].get("axis"):
                kept = {key: value for key, value in labels.items() if key not in ("labels", "labelExpr", "tickCount")}
                yield [*place, "x", "axis"], kept | {"labelFlush": False}
        if "field" in encoding.get("y", {}):
            own = place[1] if len(place) > 1 else 0  # layers within a layer share its axis
            if own not in axes:
                axes.append(own)
            yield [*place, "y", "title"], y if isinstance(y, str) else y[min(axes.index(own), len(y) - 1)]
            if labels := encoding["y"].get("axis"):
                kept = {key: value for key, value in labels.items() if key != "values"}
                yield [*place, "y", "axis"], kept | {"tickCount": TICKS}


def legends(spec: Spec) -> Iterator[Change]:
    """A legend above the plot for colours, dashes and shapes; one for alike bands, none for more than `MOST` values.

    One series alone has none.
    """
    known: list[object] = []
    alone = sole(spec) is not None
    lines = not any(mark(spec, place) == "point" for place, _ in encodings(spec))
    for place, encoding in encodings(spec):
        for channel in ("color", "strokeDash", "shape"):
            one = encoding.get(channel, {})
            scale = one.get("scale", {})
            again = scale in known and mark(spec, place) == "rect"
            if alone and mark(spec, place) != "rect":
                continue
            if "field" in one and not again and len(scale.get("domain", ())) <= MOST:
                known.append(scale)
                look: Spec = {
                    "orient": "top",
                    "direction": "horizontal",
                    "title": None,
                    "labelLimit": 0,
                    "columns": COLUMNS,
                }
                look |= {"labelColor": INK, "symbolOpacity": 1, "offset": 8}
                if mark(spec, place) == "rect":
                    look["symbolType"] = "square"
                elif lines:
                    look["symbolType"] = "stroke"
                yield [*place, channel, "legend"], look


def sole(spec: Spec) -> str | None:
    """The name of the one series that a chart has; none of one with several: only these need a legend."""
    names = {
        str(name)
        for place, encoding in encodings(spec)
        for channel in ("color", "strokeDash", "shape")
        if "field" in encoding.get(channel, {}) and mark(spec, place) != "rect"
        for name in encoding[channel].get("scale", {}).get("domain", ())
    }
    return names.pop() if len(names) == 1 else None


def mark(spec: Spec, place: Sequence[str | int]) -> str:
    """The mark of the view whose encoding lies at a place."""
    view: Any = spec
    for step in place[:-1]:
        view = view[step]
    found = view.get("mark", "")
    return found if isinstance(found, str) else str(found.get("type", ""))


def alone(
    spec: Spec, *, width: int = WIDTH, height: int | None = None, span: tuple[float, float] | None = None
) -> Spec:
    """A chart that `describe` was told about, as it stands alone: with all that it says, and with literal colours.

    Args:
        spec: The chart.
        width: Pixels of the plot, from one end of its axis to the other.
        height: Its pixels likewise; without it, `HEIGHT`.
        span: From when to when it shows, in seconds, if it goes over time; without it, all.
    """
    known = palette()  # a name of the scenario's may look like a variable
    text = VARIABLE.sub(lambda found: literal(found[1]) if found[1] in known else found[0], json.dumps(spec))
    made: Spec = json.loads(text)
    for place, value in made.pop("usermeta")["airloom"]["changes"]:
        *way, last = place
        inner: Any = made
        for step in way:
            inner = inner[step]
        inner[last] = value
    made["width"] = width
    if height is not None:
        made["height"] = height
        for _, encoding in encodings(made):
            if isinstance(marks := encoding.get("y", {}).get("axis"), dict):
                marks["tickCount"] = max(3, height * TICKS // HEIGHT)
    times = dict(zip(("t0", "t1"), span, strict=True)) if span else {}
    for param in made.get("params", []):
        param["value"] = times.get(param["name"], param["value"])
    made["config"] = {**made.get("config", {}), "font": FONT}
    return made


def rows(spec: Spec) -> tuple[list[str], list[list[Any]]]:
    """The table of a chart that was described, as its page saves it: the titles of the columns, and the rows."""
    columns = spec["usermeta"]["airloom"]["columns"]
    needed = [field for field, _, otherwise in columns if otherwise is None]
    found = [
        [row.get(field, otherwise) for field, _, otherwise in columns]
        for data in spec.get("datasets", {}).values()
        if data and all(field in data[0] for field in needed)
        for row in data
        if not row.get("end_of_line")
    ]
    return [title for _, title, _ in columns], found


def titled(spec: Spec, title: str | None) -> Spec:
    """A chart with a title of one's own, above the line that says what it shows; an empty one leaves nothing there."""
    if title is None:
        return spec
    rest = {key: value for key, value in spec.items() if key != "title"}
    return rest | ({"title": spec["title"] | {"text": title}} if title else {})


def noted(spec: Spec, notes: Sequence[str], names: Collection[str] = ()) -> Spec:
    """A chart that says more below its title, if it has one; sentences that begin with one of these names keep it."""
    if not notes or not spec.get("title", {}).get("text"):
        return spec
    head = spec["title"]
    lines = [*head.get("subtitle", []), *(line for note in notes for line in wrapped(f"{capital(note, names)}."))]
    look = {"subtitleColor": literal("--muted"), "subtitleFontSize": 11}
    return spec | {"title": look | head | {"subtitle": lines}}


OUTER = ("$schema", "config", "params", "padding", "background")
"""What charts that share a picture have in common."""


def stacked(specs: Sequence[Spec], title: str) -> Spec:
    """Charts that stand alone, below each other on one axis of time."""
    parts = [part(spec) for spec in specs]
    for one in parts[:-1]:
        for layer in one["layer"]:
            layer["encoding"]["x"]["title"] = None
    rows = max((math.ceil(number / COLUMNS) for spec in specs[1:] for number in entries(spec)), default=1)
    return joined(specs, title, "") | {"vconcat": parts, "spacing": SPACING + ROW * (rows - 1)}


def entries(spec: Spec) -> Iterator[int]:
    """How many entries each legend of a chart has that stands alone."""
    for _, encoding in encodings(spec):
        for one in encoding.values():
            if isinstance(one, dict) and one.get("legend"):
                yield len(one["scale"]["domain"])


def beside(specs: Sequence[Spec], title: str, subtitle: str) -> Spec:
    """Charts that stand alone, two in a row."""
    return joined(specs, title, subtitle) | {"concat": [part(spec) for spec in specs], "columns": 2, "spacing": 76}


def part(spec: Spec) -> Spec:
    """A chart as a part of a picture, whose names would be those of others."""
    made = {key: value for key, value in spec.items() if key not in (*OUTER, "datasets", "autosize")}
    made["layer"] = [{key: value for key, value in one.items() if key != "name"} for one in spec["layer"]]
    made["title"] = {key: value for key, value in spec["title"].items() if not key.startswith("subtitle")}
    made["title"] |= {"fontSize": 12, "offset": 6}
    return made


def joined(specs: Sequence[Spec], title: str, subtitle: str) -> Spec:
    """A picture of several charts, before they are put into it."""
    if not title:
        subtitle = ""
    head: Spec = {"text": title, "anchor": "start", "fontSize": 14, "offset": 14, "color": literal("--ink")}
    if subtitle:
        head |= {"subtitle": wrapped(subtitle), "subtitleColor": literal("--muted"), "subtitleFontSize": 11}
    return {key: specs[0][key] for key in OUTER if key in specs[0]} | {
        "title": head,
        "datasets": {name: rows for spec in specs for name, rows in spec.get("datasets", {}).items()},
        "bounds": "flush",
    }


def literal(variable: str) -> str:
    """The colour of a variable of the page's style, where the page is light, in a form that any program knows."""
    colour = palette()[variable]
    if found := HEX.fullmatch(colour):
        return colour if len(found[1]) == 6 else "#" + "".join(2 * digit for digit in found[1])  # noqa: PLR2004
    if found := RGB.fullmatch(colour):
        return f"rgba({', '.join(found.groups(default='1'))})"
    raise ValueError(f"{variable} is {colour}, which is no colour that a saved chart can have")


@cache
def palette() -> dict[str, str]:
    """The variables of the page's style, where the page is light."""
    text = (resources.files("airloom.report") / "assets" / "style.css").read_text(encoding="utf-8")
    block = text.partition(":root {")[2].partition("}")[0]
    return {name: value.strip() for name, value in re.findall(r"(--[\w-]+):([^;]+);", block)}
