"""Small tables for notebooks: HTML without scripts, in the colours of the page around it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RULE = "1px solid color-mix(in srgb, currentColor 22%, transparent)"
NUMBERS = "font-variant-numeric:tabular-nums"


def block(*parts: str) -> str:
    """What a notebook shows of one thing."""
    return f'<div style="font-size:13px;line-height:1.45;max-width:60em;overflow-x:auto">{"".join(parts)}</div>'


def heading(title: str, below: str = "") -> str:
    """A title, and in fainter ink what there is to say below it."""
    faint = f'<div style="opacity:.68">{escape(below)}</div>' if below else ""
    return f'<div style="font-weight:600">{escape(title)}</div>{faint}'


def note(text: str) -> str:
    """A line in fainter ink."""
    return f'<div style="opacity:.68;margin-top:4px">{escape(text)}</div>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the first column is text, the others are numbers."""
    heads = "".join(cell("th", text, place, rule=True) for place, text in enumerate(head))
    lines = ("".join(cell("td", text, place) for place, text in enumerate(row)) for row in rows)
    body = "".join(f'<tr style="background:none">{line}</tr>' for line in lines)
    return (
        f'<table style="border-collapse:collapse;margin:6px 0;color:inherit;font-size:inherit;{NUMBERS}">'
        f'<thead><tr style="background:none">{heads}</tr></thead><tbody>{body}</tbody></table>'
    )


def cell(tag: str, text: str, place: int, *, rule: bool = False) -> str:
    """A cell of the column at a place."""
    side = "left" if place == 0 else "right"
    head = f";border-bottom:{RULE};font-weight:600;max-width:8em;vertical-align:bottom"
    below = head if rule else ";white-space:nowrap"
    return f'<{tag} style="text-align:{side};padding:2px 14px 2px 0{below}">{escape(text)}</{tag}>'
