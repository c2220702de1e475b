"""The captures of strangers whose frames were looked at, and what these prove of the rules.

The captures themselves are not here: their owners publish them. `captures.tsv` names each by its repository on GitHub,
its path there and the SHA-256 of its octets; then, for every rule that was found in it, whether the frames say so too:
`true`, `false`, or `open` where they decide neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

MANIFEST = Path(__file__).with_name("captures.tsv")

Verdict = Literal["true", "false", "open"]
"""What the frames say of a finding."""


@dataclass(frozen=True)
class Capture:
    """A capture of strangers.

    Attributes:
        repository: Its owner and name on GitHub.
        path: Where it lies there.
        sha256: Of its octets.
        verdicts: What its frames say of each rule that was ever found in it.
    """

    repository: str
    path: str
    sha256: str
    verdicts: Mapping[str, Verdict]


def captures() -> list[Capture]:
    """All that the manifest names, in its order."""
    return [capture(line) for line in MANIFEST.read_text(encoding="utf-8").splitlines()]


def capture(line: str) -> Capture:
    """One line of the manifest."""
    repository, path, sha256, *verdicts = line.split("\t")
    told = dict(verdict.split(" ") for verdict in verdicts)
    assert set(told.values()) <= set(get_args(Verdict)), line
    return Capture(repository, path, sha256, cast("dict[str, Verdict]", told))
