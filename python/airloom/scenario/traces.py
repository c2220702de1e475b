"""Traces: a scenario that names a file gets the script that the file holds."""

from __future__ import annotations

import re
from pathlib import Path

from airloom.errors import RunError
from airloom.scenario.trace_scripts import KEYS, TraceFile

NAMED = re.compile(r"""\{\s*trace\s*=\s*(?:"(?P<name>[^"\n]*)"|'(?P<plain>[^'\n]*)')\s*\}""")
"""A trace as it is written: an inline table with the name of its file."""

KEY = re.compile(r"""(?P<key>snr|rate|traffic)["']?\s*=\s*$""")
"""The end of what stands before the trace of a key."""


def spelled_out(text: str, folder: Path) -> str:
    """A scenario, in which each trace is the script that its file beside it holds; lines stay where they are.

    Raises:
        RunError: A file cannot be read, or holds no trace.
    """
    if "trace" not in text:
        return text
    lines = (spelled_out_in(line, folder) for line in text.split("\n"))
    return "\n".join(lines)


def spelled_out_in(line: str, folder: Path) -> str:
    """The same of one line; what stands in a comment is left alone."""
    done = 0
    parts = []
    for found in NAMED.finditer(line):
        before = line[: found.start()]
        key = KEY.search(before)
        if key is None or is_comment(before):
            continue
        parts += [line[done : found.start()], script(key["key"], named(found), folder)]
        done = found.end()
    return "".join([*parts, line[done:]])


def spelled_out_value(key: str, value: str) -> str:
    """A value that is set over a scenario's, a trace as its script; its file is looked for in the current folder."""
    found = NAMED.fullmatch(value.strip())
    kind = key.rsplit(".", 1)[-1]
    return script(kind, named(found), Path()) if found and kind in KEYS else value


def named(found: re.Match[str]) -> str:
    """The name of the file."""
    return found["plain"] if found["name"] is None else found["name"]


def is_comment(before: str) -> bool:
    """Whether what follows on the line is one: a hash stands before it that is in no text."""
    return "#" in re.sub(r'"[^"]*"|\'[^\']*\'', "", before)


def script(key: str, name: str, folder: Path) -> str:
    """The script that a file holds, as TOML on one line.

    Raises:
        RunError: It lies elsewhere, cannot be read, or is no trace for this key.
    """
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise RunError(f"{name}: a trace lies beside its scenario, or in a folder below")
    return KEYS[key](TraceFile(name, folder))
