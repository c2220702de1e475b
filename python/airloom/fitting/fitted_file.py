"""Leaves what a fit to a paper found beside the paper's claims, where its score is read with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from airloom.errors import GridError, SweepError
from airloom.fitting.paper_problem import PaperProblem
from airloom.fitting.words import FEWEST_WORLDS, LEAST_SHARE
from airloom.papers.fitted import FILE
from airloom.support.atomic import whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from airloom.fitting.parameter import Parameter
    from airloom.fitting.problem import Problem


def of_paper(problem: Problem) -> PaperProblem:
    """The problem, if there will be something to be left.

    Raises:
        GridError: It names no paper, a fold is held out, or there are so few worlds that there is no evidence.
    """
    if not isinstance(problem, PaperProblem):
        raise GridError(f"{problem.file}: --write is for a paper's problem, and this one has no `paper`")
    if problem.hold_out:
        raise GridError(f"{problem.file}: --write needs a fit to all claims; leave --hold-out out")
    if problem.worlds < FEWEST_WORLDS:
        raise GridError(
            f"{problem.file}: --write needs {FEWEST_WORLDS} worlds at least, and `worlds` is {problem.worlds}"
        )
    return problem


def write(problem: PaperProblem, said: Mapping[str, Any]) -> None:
    """Writes the file into the paper's folder, as a whole or not at all; `said` is what `fit.json` says.

    Raises:
        SweepError: A handful of worlds has nearly all of the weight: shares of them would say nothing.
    """
    effective = said["evidence_worlds"]
    if effective is not None and effective < FEWEST_WORLDS:
        alone = f"of one of its fits, {effective:.1f} of {problem.worlds} worlds have all of the weight"
        hint = "give it more worlds, or another wave"
        raise SweepError(f"{problem.file}: nothing is left beside the claims: {alone}", hint)
    with whole(problem.folder / FILE) as partial:
        partial.write_text("".join(f"{line}\n" for line in lines(problem, said)), encoding="utf-8")


def quoted(value: str | list[str]) -> str:
    """A text, or a list of them, as TOML has it: its basic strings are those of JSON."""
    return json.dumps(value, ensure_ascii=False)


def of_unknown(one: Parameter, found: Mapping[str, Any]) -> Iterator[str]:
    """An unknown's interval, or the choices that are not ruled out, and its value in the likeliest world."""
    if one.choices:
        yield f"choices = {quoted([each['value'] for each in found['choices'] if each['share'] >= LEAST_SHARE])}"
        yield f"likeliest = {quoted(found['likeliest'])}"
    else:
        for name in ("low", "high", "likeliest"):
            yield f"{name} = {quoted(one.written(found[name]))}"


def lines(problem: PaperProblem, said: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the file."""
    yield f"# By `airloom fit {problem.file.name} --write`: what the claims allow, and what each is evidence of."
    yield f"problem = {quoted(problem.file.name)}"
    yield f"results_version = {said['results_version']}"
    if not said["region"]["empty"]:
        for one, found in zip(problem.parameters, said["parameters"], strict=True):
            yield ""
            yield f"[unknown.{quoted(one.name)}]"
            yield f"sets = {quoted(list(one.keys))}"
            yield from of_unknown(one, found)
    else:
        yield "unknown = {}"
    yield ""
    yield "[evidence]"
    for one in said["evidence"]:
        shares = ", ".join(f"{name} = {one[name]:.2f}" for name in ("anywhere", "held_out", "fitted"))
        yield f'{quoted(one["claim"])} = {{ kind = "{one["kind_of_evidence"]}", fold = "{one["fold"]}", {shares} }}'
