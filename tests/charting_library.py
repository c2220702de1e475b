"""Vega, Vega-Lite and Vega-Embed as one script: what the pages draw their charts with."""

from __future__ import annotations

import sys
from pathlib import Path

import vl_convert


def bundle() -> str:
    """The libraries that vl-convert has, with `vegaEmbed` as their face; nothing in it ends a script element."""
    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", "<\\/script")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(bundle(), encoding="utf-8")
