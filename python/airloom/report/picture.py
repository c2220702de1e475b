"""A chart that stands alone, for a file or a notebook."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from airloom.errors import AirloomError
from airloom.results.by_suffix import known_suffix
from airloom.support.atomic import whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from airloom.report.standalone import Spec

SMALLEST = 40
"""Pixels that a plot has at least."""

MISSING = (
    "drawing a picture needs vl-convert, which is not installed; `pip install vl-convert-python` brings it, "
    "in a clone `.venv/bin/pip install vl-convert-python`"
)

TABLES = (
    "`airloom export` writes tables of runs, and of a sweep's cells; "
    "`airloom sweep show FOLDER --metric NAME --by KEY -o FILE.csv` one of a sweep's metric"
)
PAGES = "`airloom report`, `airloom compare` and `airloom sweep show` write pages"
ELSEWHERE = {".csv": TABLES, ".parquet": TABLES, ".html": PAGES}
"""What makes files that are no charts."""

SCALE = 3.0
"""Pixels of a PNG for each of the chart's."""


@dataclass(frozen=True)
class Chart:
    """A chart as a Vega-Lite specification that needs nothing beside it; a notebook shows it.

    Attributes:
        spec: The specification, as plain values.
    """

    spec: Spec

    def save(self, file: Path) -> None:
        """Writes it as the file's suffix says, whole or not at all.

        Raises:
            AirloomError: There is no such format, what draws it is not installed, or a file cannot be there.
        """
        content = FORMATS[suffix(file)](self.spec)
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole(file) as partial:
            partial.write_bytes(content)

    def to_dict(self) -> Spec:
        """The specification, such as for `altair.Chart.from_dict`."""
        return self.spec

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        """What a notebook shows: a picture where one can be drawn, or the specification for its own renderer."""
        try:
            return {"image/svg+xml": svg(self.spec).decode()}
        except AirloomError:
            return {"application/vnd.vegalite.v5+json": self.spec, "text/plain": repr(self)}

    def __repr__(self) -> str:
        """What it shows."""
        title = self.spec.get("title", "")
        return f"<airloom.Chart {title.get('text', '') if isinstance(title, dict) else title!r}>"


def suffix(file: Path) -> str:
    """The suffix of a chart's file, for which all is there that draws it.

    Raises:
        AirloomError: There is no such format, what draws it is not installed, or a folder is there.
    """
    found = known_suffix(file, FORMATS, "chart", ELSEWHERE)
    if FORMATS[found] is not vega_lite and find_spec("vl_convert") is None:
        raise AirloomError(MISSING)
    return found


def svg(spec: Spec) -> bytes:
    """The chart as SVG."""
    return str(converter().vegalite_to_svg(spec)).encode()


def png(spec: Spec) -> bytes:
    """The chart as PNG."""
    return bytes(converter().vegalite_to_png(spec, scale=SCALE))


def pdf(spec: Spec) -> bytes:
    """The chart as PDF."""
    return bytes(converter().vegalite_to_pdf(spec))


def vega_lite(spec: Spec) -> bytes:
    """The chart's specification, for the Vega editor or any library that knows Vega-Lite."""
    return f"{json.dumps(spec, allow_nan=False)}\n".encode()


FORMATS: dict[str, Callable[[Spec], bytes]] = {".svg": svg, ".png": png, ".pdf": pdf, ".json": vega_lite}
"""How a chart is written, by suffix."""


def converter() -> ModuleType:
    """What draws Vega-Lite without a browser."""
    try:
        import vl_convert
    except ImportError:
        raise AirloomError(MISSING) from None
    module: ModuleType = vl_convert
    return module
