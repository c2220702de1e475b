"""Prints a sentence with means of a sweep: `answer.py FOLDER 'It takes {rtt_p95_ms of=call, queue=fifo} ms.'`.

Between braces stand a metric, conditions, and perhaps a format as Python has it, such as `:.0%`; `of` names the flow or
node.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import redirect_stdout
from io import StringIO

from airloom.cli.app import code

PLACE = re.compile(r"\{(?P<metric>\w+) (?P<conditions>[^{}:]+)(?::(?P<form>[^{}]*))?\}")


def mean(folder: str, metric: str, conditions: dict[str, str]) -> float:
    """A mean over the seeds, as `airloom sweep show` has it."""
    of = ["--of", conditions.pop("of")] if "of" in conditions else []
    where = [word for key, value in conditions.items() for word in ("--where", f"{key}={value}")]
    asked = ["sweep", "show", folder, "--metric", metric, "--by", next(iter(conditions)), *of, *where, "--json"]
    with redirect_stdout(StringIO()) as printed:
        code(asked)
    (point,) = json.loads(printed.getvalue())["points"]
    return float(point["mean"])


def main() -> None:
    """Fills in the numbers: three digits, or what a format asks for."""
    folder, sentence = sys.argv[1:]

    def number(place: re.Match[str]) -> str:
        conditions = dict(condition.split("=", 1) for condition in place["conditions"].split(", "))
        value = mean(folder, place["metric"], conditions)
        if place["form"]:
            return format(value, place["form"])
        return f"{value:,.0f}" if abs(value) >= 99.95 else f"{value:#.3g}".rstrip(".")  # noqa: PLR2004

    sys.stdout.write(PLACE.sub(number, sentence) + "\n")


if __name__ == "__main__":
    main()
