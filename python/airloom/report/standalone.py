"""A chart of a page as it stands alone: with a title, units at its axes, a legend, and its data as a table.

On a page all of that lies around the chart, so its specification has none of it. `describe` puts beside it, as
Vega-Lite's `usermeta`, what is to be changed for a chart that is saved, and what the columns of its data are called.
The page's `save.js` makes these changes.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Spec = dict[str, Any]
Change = tuple[list[str | int], object]
"""A place in a specification, and what stands there in a chart that stands alone."""

HEIGHT = 240
"""Pixels of the plot."""

TICKS = 5
"""About as many are at the vertical axis."""

MOST = 16
"""Entries that a legend has at most: more of them leave the chart no room."""

INK = "var(--ink)"


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
    """
    about = {
        "name": slug(name),
        "title": title,
        "changes": [*frame(title, subtitle), *titles(spec, x, y), *legends(spec)],
        "columns": [[column.field, column.title, column.otherwise] for column in columns],
    }
    return spec | {"usermeta": {"airloom": about}}


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


def frame(title: str, subtitle: str) -> Iterator[Change]:
    """What surrounds the plot."""
    head = {"text": title, "anchor": "start", "frame": "group", "color": INK, "fontSize": 14, "offset": 10}
    if subtitle:
        head |= {"subtitle": subtitle, "subtitleColor": "var(--muted)", "subtitleFontSize": 11, "subtitlePadding": 4}
    yield ["title"], head
    yield ["height"], HEIGHT
    yield ["autosize"], {"type": "pad"}
    yield ["padding"], 14
    yield ["background"], "white"


def encodings(spec: Spec) -> Iterator[tuple[list[str | int], Mapping[str, Any]]]:
    """The encodings of a chart's views, each with its place."""
    if "encoding" in spec:
        yield ["encoding"], spec["encoding"]
    for number, layer in enumerate(spec.get("layer", [])):
        for place, encoding in encodings(layer):
            yield ["layer", number, *place], encoding


def titles(spec: Spec, x: str, y: str | Sequence[str]) -> Iterator[Change]:
    """The titles of the axes. Time has its unit there and not at each label, and a higher plot has more ticks."""
    heights = 0
    for place, encoding in encodings(spec):
        if "field" in encoding.get("x", {}):
            yield [*place, "x", "title"], x
            if labels := encoding["x"].get("axis"):
                kept = {key: value for key, value in labels.items() if key not in ("labels", "labelExpr")}
                yield [*place, "x", "axis"], kept
        if "field" in encoding.get("y", {}):
            yield [*place, "y", "title"], y if isinstance(y, str) else y[min(heights, len(y) - 1)]
            if labels := encoding["y"].get("axis"):
                kept = {key: value for key, value in labels.items() if key != "values"}
                yield [*place, "y", "axis"], kept | {"tickCount": TICKS}
            heights += 1


def legends(spec: Spec) -> Iterator[Change]:
    """A legend above the plot for what is told apart by colour, dash or shape, unless that is too much."""
    for place, encoding in encodings(spec):
        for channel in ("color", "strokeDash", "shape"):
            one = encoding.get(channel, {})
            if "field" in one and len(one.get("scale", {}).get("domain", ())) <= MOST:
                look = {"orient": "top", "direction": "horizontal", "title": None, "labelLimit": 0, "columns": 4}
                if mark(spec, place) == "line":
                    look |= {"symbolType": "stroke"}
                yield [*place, channel, "legend"], look | {"labelColor": INK, "symbolOpacity": 1, "offset": 8}


def mark(spec: Spec, place: Sequence[str | int]) -> str:
    """The mark of the view whose encoding lies at a place."""
    view: Any = spec
    for step in place[:-1]:
        view = view[step]
    found = view.get("mark", "")
    return found if isinstance(found, str) else str(found.get("type", ""))
