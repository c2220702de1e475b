"""Builds the playground: `python playground/playground.py`. A page that is one file, in out/site/playground.

It takes Debian's Rust for the web, and nothing from the network but the crates of Cargo.lock.
"""

from __future__ import annotations

import base64
import gzip
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from airloom import _engine
from airloom.cli.new import DOORS
from airloom.errors import MistakesError
from airloom.report import html
from airloom.sweep import plan
from pieces import pieces
from sheets import sheets

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PAGE = ROOT / "out" / "site" / "playground" / "index.html"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
COMPILED = TARGET / "wasm32-unknown-unknown" / "playground" / "airloom_playground.wasm"
MODULE = COMPILED.with_name("engine.wasm")
"""The engine as the page has it: a thirtieth smaller than the compiler makes it."""

NEEDED = {
    "/usr/bin/cargo": "cargo-web",
    "/usr/bin/rustc": "rustc-web",
    "/usr/lib/rustlib/src/rust/library/std/src/lib.rs": "rust-web-src",
    "wasm-ld": "lld",
    "wasm-opt": "binaryen",
    "node": "nodejs",
}
"""What it takes, a file or a command, and Debian's package that has it. Node is for the tests."""

KNOWN = ("--enable-bulk-memory", "--enable-nontrapping-float-to-int", "--enable-sign-ext", "--enable-mutable-globals")
"""What the compiler makes use of, and wasm-opt has to be told of; browsers have had it since 2020."""

MEMORY = 1 << 30
"""Bytes that the page may take, as crates/engine/lab/src/memory/of_a_page.rs says too."""


def missing() -> list[str]:
    """Debian's packages that are not here."""
    return [package for what, package in NEEDED.items() if not (Path(what).exists() or shutil.which(what))]


def compile_engine() -> bytes:
    """The engine as WebAssembly."""
    cargo = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    flags = f"--remap-path-prefix={cargo}=cargo -C link-arg=--max-memory={MEMORY}"
    environment = os.environ | {
        # Debian's, not rustup's, which knows no other machines than its own.
        "PATH": f"/usr/bin:{os.environ['PATH']}",
        "RUSTC_BOOTSTRAP": "1",
        "RUSTFLAGS": flags,
        "CARGO_INCREMENTAL": "0",
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER": str(shutil.which("wasm-ld")),
    }
    asked = ["--package", "airloom-playground", "--profile", "playground", "--target", "wasm32-unknown-unknown"]
    command = ["cargo", "build", "--quiet", "--locked", *asked, "-Zbuild-std=std,panic_abort"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    subprocess.run([str(shutil.which("wasm-opt")), "-Os", *KNOWN, str(COMPILED), "-o", str(MODULE)], check=True)
    return MODULE.read_bytes()


IMPORT = re.compile(r'^import \{ (.*) \} from "\./(.*)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:const|class|function) (\w+))", re.MULTILINE)
"""How the scripts write both: this and no other way."""


def bundled(first: str) -> str:
    """A script with all that it imports, as one: each file is a function of its exports, behind those it imports."""
    texts: dict[str, str] = {}

    def take(name: str) -> None:
        if name in texts:
            return
        text = (HERE / "src" / f"{name}.js").read_text(encoding="utf-8")
        for _, other in IMPORT.findall(text):
            take(other)
        exports = ", ".join(export for _, export in EXPORT.findall(text))
        text = EXPORT.sub(r"\1", IMPORT.sub(r"const { \1 } = of_\2;", text))
        texts[name] = f"const of_{name} = (() => {{\n{text}return {{ {exports} }};\n}})();\n"

    take(first)
    return "".join(texts.values())


def examples() -> dict[str, list[dict[str, Any]]]:
    """The scenarios of the page, those of `airloom new` before the others; each with its title and its text."""
    templates = [door.files[0].removesuffix(".toml") for door in DOORS.values()]
    files = {file.stem: file.read_text(encoding="utf-8") for file in sorted((ROOT / "examples").glob("*.toml"))}
    scenarios = {name: text for name, text in files.items() if is_scenario(text)}
    first = [name for name in templates if name in scenarios]
    rest = [name for name in scenarios if name not in first]
    told = {
        name: {"name": name, "title": tomllib.loads(text).get("title", ""), "text": text}
        for name, text in scenarios.items()
    }
    return {"To begin with": [told[name] for name in first], "More": [told[name] for name in rest]}


def is_scenario(text: str) -> bool:
    """Whether an example runs by itself: it is no grid, and brings no class and no file."""
    if plan.is_grid(text) or plan.is_problem(plan.content_of(text)):
        return False
    try:
        _engine.check(text, "example", [], None)
    except MistakesError:
        return False
    return True


def page(module: bytes) -> str:
    """The page as HTML, with all that it needs within it."""
    own = Markup((HERE / "page.css").read_text(encoding="utf-8"))  # noqa: S704 - a file of ours, as are those below
    style = html.asset("style.css") + html.asset("save.css") + own
    scripts = [html.library(), *(html.asset(name) for name in ("save.js", "detail.js", "timeline.js"))]
    script = Markup(bundled("page"))  # noqa: S704
    groups = examples()
    lab = sheets()
    given = {
        "examples": [one for members in groups.values() for one in members],
        "pieces": pieces(),
        "lab": lab,
        "parts": {"style": style, "scripts": scripts},
        "worker": bundled("worker"),
    }
    files = FileSystemLoader(HERE)
    environment = Environment(loader=files, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.get_template("page.html.j2").render(
        style=style,
        script=script,
        policy=policy(style, [script, *scripts]),
        given=html.embed(given),
        module=base64.b64encode(module).decode(),
        groups=list(groups.items()),
        lab=lab["sheets"],
        version=_engine.version(),
        results=_engine.results(),
    )


def policy(style: str, scripts: Sequence[str]) -> Markup:
    """The page's policy, which its worker and its frame have too: these scripts, the module, workers of its own."""
    ours = html.policy([style], scripts).replace("script-src ", "script-src 'wasm-unsafe-eval' ")
    return Markup("{}; worker-src blob:").format(ours)


def build() -> None:
    """Builds the page."""
    if packages := missing():
        sys.exit(f"the playground needs more packages: apt-get install --no-install-recommends {' '.join(packages)}")
    module = compile_engine()
    compressed = gzip.compress(module, 9, mtime=0)
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(compressed), encoding="utf-8")
    told = f"{PAGE.relative_to(ROOT)}: {PAGE.stat().st_size:,} bytes, of the engine {len(compressed):,}"
    sys.stdout.write(f"{told}\n")


if __name__ == "__main__":
    build()
