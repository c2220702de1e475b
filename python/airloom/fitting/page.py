"""The page of a fit: one file, with its pictures and its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.fitting import pictures
from airloom.fitting.words import known_of, measured, possible, sentences, share
from airloom.report.html import fill, put

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.fitting.fit import Fit


def write(found: Fit, said: dict[str, Any], target: Path) -> None:
    """Writes the page, whole or not at all."""
    put(render(found, said), target)


def render(found: Fit, said: dict[str, Any]) -> str:
    """The page as HTML."""
    problem, title = found.problem, found.problem.title
    drawn: list[tuple[str, str, Any]] = []
    if found.draws is not None:
        for at, one in enumerate(problem.parameters):
            drawing = pictures.chosen if one.choices else pictures.marginal
            drawn.append(("unknowns", one.name, drawing(one, found.draws[:, at], title)))
        ranged = [at for at, one in enumerate(problem.parameters) if not one.choices]
        for a, b in pictures.pairs(found.draws[:, ranged]) if len(ranged) > 1 else ():
            one, other = problem.parameters[ranged[a]], problem.parameters[ranged[b]]
            picture = pictures.pair(one, other, found.draws[:, [ranged[a], ranged[b]]], title)
            drawn.append(("pairs", f"{other.name} by {one.name}", picture))
    if (spec := pictures.met(said["predictions"], title)) is not None:
        drawn.append(("measurements", "", spec))
    drawn.append(("waves", "", pictures.waves(found.waves, title)))
    numbered = [
        {"id": number, "place": place, "title": name, "spec": spec}
        for number, (place, name, spec) in enumerate(drawn, 1)
    ]
    version = (
        f"airloom {_engine.version().split()[0]}, results version {_engine.results()}, problem {problem.identity[:8]}"
    )
    return fill(
        "fit.html.j2",
        styles=("style.css", "figures.css"),
        scripts=("figures.js",),
        content={"origin": version, "figures": [{"id": one["id"], "spec": one["spec"]} for one in numbered]},
        shown={
            "version": _engine.version(),
            "origin": version,
            "title": title,
            "said": said,
            "sentences": sentences(said),
            "possible": [possible(one) for one in said["parameters"]],
            "known": [None if found.draws is None else known_of(one) for one in said["parameters"]],
            "measured": [measured(one) for one in said["predictions"]],
            "waves": [
                {"points": one["points"], "left": share(one["share"]), "least": f"{one['least']:.1f}"}
                for one in said["region"]["waves"]
            ],
            "bound": f"{said['region']['bound']:.1f}",
            "figures": {
                place: [one for one in numbered if one["place"] == place]
                for place in ("unknowns", "pairs", "measurements", "waves")
            },
        },
    )
