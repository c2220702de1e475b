"""The specification of a chart of a page: its look, its size, and the parameters that the page sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom.report.vega import specification

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.report.vega import Chart, Layers

CHECKED = False
"""Whether a chart is checked against Vega-Lite's schema, which takes Altair; the tests of pages do so."""


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


def vega_lite(
    chart: Chart | Layers,
    *,
    width: int,
    height: int,
    padding: Mapping[str, int],
    params: Mapping[str, object] | None = None,
    **resolve: Mapping[str, str],
) -> dict[str, Any]:
    """The chart as Vega-Lite's specification. What is said of all of it is added here.

    Args:
        chart: Its views.
        width: Pixels of the plot.
        height: Its pixels likewise.
        padding: Pixels beside the plot, to the `left`, the `right`, the `top` and the `bottom`.
        params: Parameters with the values that they begin with, which the page may set.
        resolve: Which `scale` or `axis` of which channel is `shared` by the layers, and which is `independent`.
    """
    made = specification(chart)
    if params:
        made["params"] = [{"name": name, "value": value} for name, value in params.items()]
    if resolve:
        made["resolve"] = resolve
    made |= {"width": width, "height": height, "padding": padding, "autosize": {"type": "none"}, "config": CONFIG}
    if CHECKED:
        check(made)
    return made


def check(made: dict[str, Any]) -> None:
    """Checks a specification against Vega-Lite's schema, as Altair has it.

    Raises:
        altair.utils.schemapi.SchemaValidationError: It is none.
    """
    import altair

    (altair.LayerChart if "layer" in made else altair.Chart).validate(made)
