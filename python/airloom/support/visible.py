"""Text that comes from elsewhere, made safe to look at."""

import re

UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that control a terminal or the direction of text: controls C0 and C1, DEL, line separators, bidi marks
(Unicode Annex 9), and the surrogates by which Python writes bytes that are no text."""


def visible(text: str) -> str:
    """A text on one line: what would not show as a character is escaped as Python writes it."""
    return UNSEEN.sub(lambda found: repr(found[0])[1:-1], text)
