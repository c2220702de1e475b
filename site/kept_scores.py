"""The scores of papers for the pages that show them: a paper is scored once for all.

A score is kept with a hash of everything that it comes of: the engine, the package's code and the paper's files. If one
of them is another, the paper is scored anew.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import airloom
from airloom.papers import paths
from airloom.papers.make_and_score import make_and_score
from airloom.papers.scorer import Score  # noqa: TC001 - msgspec reads the annotations
from airloom.simulation.simulate import engine
from airloom.support import atomic

if TYPE_CHECKING:
    from airloom.papers.paper import Paper

PACKAGE = Path(airloom.__file__).parent


@dataclass(frozen=True)
class Kept:
    """A paper's score, and the hash of what it comes of."""

    origin: str
    scores: list[Score]


def scores(paper: Paper) -> list[Score]:
    """What became of a paper's claims, over all its sets of seeds; makes the runs that are missing."""
    file = paths.cache() / "scores" / paper.id
    wanted = origin(paper)
    if file.exists():
        kept = msgspec.msgpack.decode(file.read_bytes(), type=Kept)
        if kept.origin == wanted:
            return kept.scores
    found = make_and_score(paper).scores
    file.parent.mkdir(parents=True, exist_ok=True)
    with atomic.whole(file) as partial:
        partial.write_bytes(msgspec.msgpack.encode(Kept(wanted, found)))
    return found


def origin(paper: Paper) -> str:
    """A hash of all that a paper's score comes of; its page is none of that."""
    found = hashlib.sha256(engine().encode())
    sources = [(PACKAGE, file) for file in PACKAGE.rglob("*.py")]
    files = [(paper.folder, file) for file in paper.folder.rglob("*") if file.is_file() and file.suffix != ".md"]
    for folder, file in sorted(sources + files):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        found.update(f"\n{content} {file.relative_to(folder)}".encode())
    return found.hexdigest()
