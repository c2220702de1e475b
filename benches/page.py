"""The places in docs/performance.md that commands write: between a marker with a name and an end."""

import re
import sys

from instructions import HERE

PAGE = HERE.parent / "docs" / "performance.md"


def put(text: str, name: str, content: str) -> str:
    """Return the page with `content` between the markers called `name`."""
    pattern = rf"(<!-- bench: {name} -->\n).*?(<!-- end -->)"
    written, places = re.subn(pattern, lambda found: f"{found[1]}{content}\n{found[2]}", text, flags=re.DOTALL)
    if places != 1:
        sys.exit(f"bench: {PAGE} has {places} places for {name!r}")
    return written


def write(name: str, content: str) -> None:
    """Write `content` into its place."""
    PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), name, content), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(HERE.parent)}: {name} written\n")
