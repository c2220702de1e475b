"""Where the numbers of a page or a picture are from, in a line by which they can be made again."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from airloom.support.formatting import count, enumerated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.report.standalone import Spec
    from airloom.results.bundle import Run

LETTERS = 16
"""Letters of a SHA-256 that are shown."""

MOST_SEEDS = 5
"""Seeds that are listed one by one."""


def of_runs(runs: Sequence[Run]) -> str:
    """The versions, the seeds and the SHA-256 of the series of runs; of several runs one over all of theirs."""
    manifests = [run.manifest for run in runs]
    versions = dict.fromkeys(f"airloom {one['airloom']}, results version {one['results']}" for one in manifests)
    hashes = [one["sha256"]["series.parquet"] for one in manifests]
    digest = hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()
    used = seeds([one["seed"] for one in manifests])
    return f"{enumerated(list(versions))}, {used}, SHA-256 of the series {digest[:LETTERS]}"


def seeds(used: Sequence[int]) -> str:
    """Which seeds there were."""
    different = sorted(set(used))
    if len(different) > MOST_SEEDS:
        return f"{count(len(different), 'seed')} from {different[0]} to {different[-1]}"
    return f"seed{'s' if len(different) > 1 else ''} {enumerated(list(map(str, different)))}"


def signed(spec: Spec, origin: str) -> Spec:
    """A chart that stands alone, with its origin below its title, if it has one, and in its description."""
    made = spec | {"description": origin}
    if head := spec.get("title"):
        made["title"] = {"subtitleFontSize": 11, "subtitleColor": "#676e79"} | head
        made["title"]["subtitle"] = [*head.get("subtitle", []), origin]
    return made
