"""Altair without work that a page does not need: rows go through it untouched, and no schema is asked."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import altair as alt
from altair.utils import schemapi

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CHECKED = False
"""Whether each part of a chart is checked against Vega-Lite's schema; the tests of pages do so."""


FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

CONFIG: dict[str, Any] = {
    "font": FONT,
    "background": "transparent",
    "view": {"stroke": None},
    "axis": {
        "domain": False,
        "ticks": False,
        "labelColor": "var(--muted)",
        "labelFontSize": 11,
        "labelPadding": 6,
        "gridColor": "var(--grid)",
        "titleColor": "var(--muted)",
        "titleFontSize": 11,
        "titleFontWeight": "normal",
    },
}


@dataclass(frozen=True)
class Rows:
    """Rows of data that Altair takes as they are: it would copy every value at each step of building a chart."""

    values: Sequence[dict[str, Any]]
    _schema: ClassVar[dict[str, str]] = {"type": "array"}

    def to_dict(self) -> list[dict[str, Any]]:
        """The rows, for the specification of a chart."""
        return list(self.values)


@contextmanager
def building() -> Iterator[None]:
    """Within it, or within a function that it decorates, the parts of charts are made without a look at the schema."""
    with schemapi.debug_mode(CHECKED):
        yield


def charted(rows: Sequence[dict[str, Any]], **properties: Any) -> alt.Chart:
    """A chart of rows, with further properties such as `name`."""
    values: Any = Rows(rows)
    return alt.Chart(alt.InlineData(values=values), **properties)


def vega_lite(
    chart: alt.Chart | alt.LayerChart | alt.FacetChart,
    *,
    width: int,
    height: int,
    padding: Mapping[str, int],
    params: Mapping[str, object] | None = None,
    **resolve: Mapping[str, str],
) -> dict[str, Any]:
    """The chart as Vega-Lite's specification. What is said of all of it is added here: Altair would copy it each time.

    Args:
        chart: Its views.
        width: Pixels of the plot.
        height: Its pixels likewise.
        padding: Pixels beside the plot, to the `left`, the `right`, the `top` and the `bottom`.
        params: Parameters with the values that they begin with, which the page may set.
        resolve: Which `scale` or `axis` of which channel is `shared` by the layers, and which is `independent`.
    """
    made: dict[str, Any] = chart.to_dict(validate=False)
    if "datasets" in made:
        made["datasets"] = {name: rows.to_dict() for name, rows in made["datasets"].items()}
    if params:
        made["params"] = [{"name": name, "value": value} for name, value in params.items()]
    if resolve:
        made["resolve"] = resolve
    made |= {"width": width, "height": height, "padding": padding, "autosize": {"type": "none"}, "config": CONFIG}
    if CHECKED:
        chart.validate(made)
    return made
