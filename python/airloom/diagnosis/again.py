"""What TCP sent again over time: a mark for each bin and reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom.diagnosis.layers import AGAIN, REASONS
from airloom.report import in_view, vega
from airloom.report.chart import HEIGHT, SHOWN, ceiling, framed, time_axis
from airloom.report.standalone import Column, axis, describe, quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.diagnosis.shapes import Layers


def panel(layers: Layers, shaded: Sequence[vega.Chart], duration: float, subtitle: str) -> list[dict[str, Any]]:
    """The panel, of all flows together; none if nothing was sent again."""
    counted = {reason: bins for reason in REASONS if (bins := of_all(layers, reason))}
    if not counted:
        return []
    width = layers["width_s"]
    points: list[dict[str, Any]] = [
        {"t": round(width * (place + 0.5), 6), "v": many, "k": REASONS[reason][0]}
        for reason, bins in counted.items()
        for place, many in sorted(bins.items())
    ]
    top = ceiling([row["v"] for row in points])
    words = [REASONS[reason][0] for reason in counted]
    colours = [REASONS[reason][1] for reason in counted]
    y = vega.Channel(
        "v:Q",
        title=None,
        scale=vega.Scale(domain=[0, top], nice=False),
        axis=vega.Axis(values=[0, top / 2, top], format=",.4~r"),
    )
    base = vega.charted(points, name="again").transform_filter(SHOWN)
    marks = in_view.points(base).mark_point(clip=True, filled=True, size=26, opacity=0.85, tooltip=None)
    colour = vega.Channel("k:N", legend=None, scale=vega.Scale(domain=words, range=colours))
    drawn = marks.encode(x=time_axis(duration, labels=False), y=y, color=colour)
    spec = describe(
        framed([*shaded, drawn], duration, HEIGHT, axis=False, chosen=-1),
        title=AGAIN.title,
        subtitle=subtitle,
        name=f"{subtitle}-{AGAIN.id}",
        x="Time, s",
        y=axis(AGAIN.title, AGAIN.unit),
        columns=[Column("t", "time (s)"), Column("k", "reason"), Column("v", quantity(AGAIN.title, AGAIN.unit))],
    )
    legend = [
        {"label": REASONS[reason][0], "colour": REASONS[reason][1], "quantity": 0, "scanning": None}
        | {"mean": f"{sum(bins.values()):,.0f}", "values": None, "start": 0, "bin": 1}
        for reason, bins in counted.items()
    ]
    return [
        {"panel": AGAIN, "id": AGAIN.id, "facet": "", "crowded": False, "continued": False, "last": False}
        | {"caption": AGAIN.caption, "legend": legend, "spec": spec}
    ]


def of_all(layers: Layers, reason: str) -> dict[int, float]:
    """Segments of all flows by bin."""
    found: dict[int, float] = {}
    for flow in layers["flows"]:
        for place, many in flow["again"].get(reason, ()):
            found[place] = found.get(place, 0) + many
    return found
