"""A page as HTML: one file that asks nothing of the network, and runs no script but its own."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from airloom.errors import BundleError
from airloom.support.atomic import whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


SUFFIXES = (".html", ".htm")
"""How the name of a page may end."""


def put(page: str, target: Path) -> None:
    """Writes a page, whole or not at all, under a page's name, so that no file is mistaken for another, or lost."""
    if target.is_dir():
        raise BundleError(f"{target}: is a folder; name a file that ends in .html")
    if target.suffix.lower() not in SUFFIXES:
        instead = "`airloom plot` draws pictures, `airloom export --table flows` writes tables"
        raise BundleError(f"{target}: a page's name ends in .html", instead)
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole(target) as partial:
        partial.write_text(page, encoding="utf-8")


def fill(
    template: str, *, styles: Sequence[str], scripts: Sequence[str], content: object, shown: Mapping[str, object]
) -> str:
    """A page as HTML.

    Args:
        template: The file of the page.
        styles: The files of its style.
        scripts: The files of its scripts, which come after the charting library and after what saves charts.
        content: What the script needs, to go into the page as JSON.
        shown: What the template shows.
    """
    texts = [library(), asset("save.js"), *(asset(name) for name in scripts)]
    return filled(template, (*styles, "save.css"), texts, content, shown)


def fill_plainly(template: str, *, styles: Sequence[str], shown: Mapping[str, object]) -> str:
    """A page without scripts as HTML.

    Args:
        template: The file of the page.
        styles: The files of its style.
        shown: What the template shows.
    """
    return filled(template, styles, [], None, shown)


def filled(
    template: str, styles: Sequence[str], texts: Sequence[Markup], content: object, shown: Mapping[str, object]
) -> str:
    """A page with these texts of scripts."""
    style = Markup().join(asset(name) for name in styles)
    page = environment().get_template(template)
    return page.render(shown, style=style, scripts=texts, policy=policy([style], texts), content=embed(content))


def policy(styles: Sequence[str], scripts: Sequence[str]) -> Markup:
    """The Content Security Policy of a page: these elements and nothing else, by their hashes.

    Style attributes are allowed, since bars and swatches have them, and the charts; no script can be in one.
    """
    rules = {
        "default-src": "'none'",
        "script-src": hashes(scripts),
        "style-src-elem": hashes(styles),
        "style-src-attr": "'unsafe-inline'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return Markup("; ".join(f"{name} {value}" for name, value in rules.items()))  # noqa: S704 - base64 and words


def hashes(texts: Sequence[str]) -> str:
    """Elements with these texts, as a policy names them (Content Security Policy Level 3, section 2.3.1)."""
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


def embed(value: object) -> Markup:
    """JSON that is safe within a script element."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 - no tag can start in it


@cache
def environment() -> Environment:
    """The templates."""
    return Environment(
        loader=PackageLoader("airloom.report", "assets"),
        autoescape=select_autoescape(["html", "j2"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def asset(name: str) -> Markup:
    """A file of ours that goes into the page as it is."""
    return Markup((resources.files("airloom.report") / "assets" / name).read_text(encoding="utf-8"))  # noqa: S704


@cache
def library() -> Markup:
    """The charting library, to go into the page whole: Vega, as `make vega` writes it."""
    return asset("vega.js")
