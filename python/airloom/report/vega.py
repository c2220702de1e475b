"""Charts of Vega-Lite as plain values, written as Altair writes them: the parts that pages need, and nothing to import.

A `Channel("t:Q", title=None)` is a field with its type; `layer(...)` puts charts over each other; `vega_lite`
(`vega_spec.py`) makes the specification of a page of them.
"""

from __future__ import annotations

import hashlib
import json
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partialmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Values = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.1.0.json"

TYPES = {"Q": "quantitative", "N": "nominal", "O": "ordinal"}
"""The types of fields, by the letter behind a field's name."""

UNTYPED = ("x2", "y2")
"""Channels whose field has the type of another one."""


class Undefined:
    """What stands for a property that is not given."""


class Channel(dict[str, Any]):
    """A field of the data as a channel of a mark, with its scale, its axis and whatever else is said of it."""

    def __init__(self, shorthand: str, **properties: object) -> None:
        """Of a field and its type, such as `t:Q`."""
        name, _, kind = shorthand.partition(":")
        super().__init__(given({"field": name, "type": TYPES[kind], **properties}))

    def changed(self, **properties: object) -> Channel:
        """The same channel with other properties."""
        found = copy(self)
        found.update(properties)
        return found


def given(properties: Values) -> Values:
    """The properties that are given."""
    return {name: one for name, one in properties.items() if one is not Undefined}


def Scale(**properties: object) -> Values:  # noqa: N802 - as in Vega-Lite's schema
    """What a channel makes of values."""
    return given(properties)


def Axis(**properties: object) -> Values:  # noqa: N802 - as in Vega-Lite's schema
    """How an axis looks."""
    return given(properties)


def expression(text: str) -> Values:
    """A property that the chart works out while it is shown."""
    return {"expr": text}


def value(one: object) -> Values:
    """A channel that is the same for all rows, in pixels or as it is drawn."""
    return {"value": one}


def datum(one: object) -> Values:
    """A channel that is the same for all rows, in units of its scale."""
    return {"datum": one}


def condition(test: str, then: Values, otherwise: Values) -> Values:
    """A channel that depends on a test of the row."""
    return {"condition": {"test": test, **then}, **otherwise}


@dataclass(frozen=True)
class Chart:
    """One view: rows, or data that a script brings under a name, as marks.

    Attributes:
        rows: Its data; none where a script brings them.
        name: What the view is called.
        data: The name of the data that a script brings.
        mark: What a row is drawn as.
        transform: What is done to the rows before.
        encoding: Its channels.
    """

    rows: Sequence[Values] | None = None
    name: str = ""
    data: str = ""
    mark: Values = field(default_factory=dict)
    transform: tuple[Values, ...] = ()
    encoding: Values = field(default_factory=dict)

    def marked(self, kind: str, **properties: object) -> Chart:
        """The chart with marks of a kind."""
        return replace(self, mark={"type": kind, **given(properties)})

    mark_area = partialmethod(marked, "area")
    mark_circle = partialmethod(marked, "circle")
    mark_line = partialmethod(marked, "line")
    mark_point = partialmethod(marked, "point")
    mark_rect = partialmethod(marked, "rect")
    mark_rule = partialmethod(marked, "rule")
    mark_text = partialmethod(marked, "text")

    def encode(self, **channels: Values | str) -> Chart:
        """The chart with these channels; a text is a field with its type."""
        return replace(self, encoding=self.encoding | {name: channel(name, one) for name, one in channels.items()})

    def transform_filter(self, test: str) -> Chart:
        """The chart of the rows of which this holds."""
        return self.transformed({"filter": test})

    def transform_calculate(self, **fields: str) -> Chart:
        """The chart with further fields, by their expressions."""
        return self.transformed(*({"calculate": text, "as": name} for name, text in fields.items()))

    def transform_window(self, *, groupby: Sequence[str], by: str, **fields: tuple[str, str]) -> Chart:
        """The chart with further fields from neighbours in the order of one, each an operation and its field."""
        window = [{"op": op, "field": of, "as": name} for name, (op, of) in fields.items()]
        sort = [{"field": by, "order": "ascending"}]
        return self.transformed({"window": window, "groupby": list(groupby), "sort": sort})

    def transformed(self, *steps: Values) -> Chart:
        """The chart after more has been done to its rows."""
        return replace(self, transform=(*self.transform, *steps))

    def view(self, datasets: Datasets) -> Values:
        """Its part of a specification."""
        data = self.data or (datasets.name(self.rows) if self.rows is not None else "")
        return {
            **({"data": {"name": data}} if data else {}),
            **({"name": self.name} if self.name else {}),
            "mark": self.mark,
            "encoding": self.encoding,
            **({"transform": list(self.transform)} if self.transform else {}),
        }


@dataclass(frozen=True)
class Layers:
    """Views over each other, the first one at the back."""

    charts: tuple[Chart | Layers, ...]

    def view(self, datasets: Datasets) -> Values:
        """Their part of a specification."""
        return {"layer": [chart.view(datasets) for chart in self.charts]}


class Datasets:
    """The rows of a chart's views, each once, by a name that follows from them."""

    def __init__(self) -> None:
        """None yet."""
        self.rows: dict[str, list[Values]] = {}
        self._known: dict[int, str] = {}

    def name(self, rows: Sequence[Values]) -> str:
        """What rows are called."""
        if (known := self._known.get(id(rows))) is not None:
            return known
        name = f"data-{hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:32]}"
        self.rows[name] = list(rows)
        self._known[id(rows)] = name
        return name


def channel(name: str, one: Values | str) -> Values:
    """A channel by its name: a text is a field with its type, which some channels share with another."""
    if not isinstance(one, str):
        return one
    found = dict(Channel(one))
    return {"field": found["field"]} if name in UNTYPED else found


def layer(*charts: Chart | Layers) -> Layers:
    """Charts over each other."""
    return Layers(charts)


def specification(chart: Chart | Layers) -> Values:
    """A chart with its data, as Vega-Lite reads it."""
    datasets = Datasets()
    view = chart.view(datasets)
    return {"$schema": SCHEMA, **view, **({"datasets": datasets.rows} if datasets.rows else {})}


def charted(rows: Iterable[Values], name: str = "") -> Chart:
    """A chart of rows."""
    return Chart(rows if isinstance(rows, list) else list(rows), name)


def named(data: str, name: str = "") -> Chart:
    """A chart of data that a script brings under a name."""
    return Chart(None, name or data, data)
