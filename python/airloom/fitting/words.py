"""What a fit found, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom.support.formatting import count, enumerated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LEAST_SHOWN = 1e-4
"""Shares below this are written as powers of ten."""


LEAST_SHARE = 0.05
"""A choice that is less likely than this is ruled out, as what lies beyond an interval's end is."""

SURPRISING = 0.05
"""What was measured is further off than chance has it where fewer readings of these worlds would be as far."""

MAY_MISS = 0.1
"""The part of the measurements that may lie outside of intervals of 90 %."""

FEWEST_WORLDS = 5
"""Worlds of one weight below which predictions rest on few."""


def share(part: float) -> str:
    """A part in percent, with two digits."""
    return f"{part * 100:.2g} %" if part >= LEAST_SHOWN or part == 0 else f"{part:.0e}"


def measured(one: Mapping[str, Any]) -> str:
    """What was measured: a number, or both ends of a span."""
    return f"{one['span'][0]:.3g} to {one['span'][1]:.3g}" if one["span"] else f"{one['measured']:.3g}"


def possible(one: Mapping[str, Any]) -> str:
    """What an unknown may be, as `parameters` of `fit.json` has it."""
    if "choices" in one:
        return ", ".join(each["value"] for each in one["choices"])
    return f"{one['from']:g} to {one['to']:g} {one['unit']}".rstrip()


def known_of(one: Mapping[str, Any]) -> tuple[str, str]:
    """The middle of where an unknown lies, and 90 % of it; the likeliest choice, and all that are not ruled out."""
    if "choices" in one:
        ordered = sorted(one["choices"], key=lambda each: -each["share"])
        left = [f"{each['value']} {100 * each['share']:.0f} %" for each in ordered if each["share"] >= LEAST_SHARE]
        return ordered[0]["value"], ", ".join(left)
    return f"{one['median']:.3g}", f"{one['low']:.3g} to {one['high']:.3g} {one['unit']}".rstrip()


def sentences(said: Mapping[str, Any]) -> list[str]:
    """What `fit.json` says, in the order of its weight."""
    return list(of_empty(said) if said["region"]["empty"] else of_region(said))


def of_empty(said: Mapping[str, Any]) -> Iterator[str]:
    """Where no world is plausible: what excludes what."""
    yield "No world within these ranges has what was measured: the model, the ranges or a reading is wrong."
    yield from excluded(said)


def excluded(said: Mapping[str, Any]) -> Iterator[str]:
    """What excludes what."""
    for one in said["excluding"]:
        apart = "exclude each other" if len(one["measurements"]) > 1 else "is met nowhere"
        off = f"the best world is off by {one['least']:.1f} standard deviations"
        yield f"{enumerated(one['measurements'])} {apart}: {off}."
    if not said["excluding"]:
        yield "No three measurements exclude each other; only more of them together do."


def of_short(short: Mapping[str, Any]) -> Iterator[str]:
    """What full runs changed of what short ones said."""
    yield f"Short runs were held against {count(short['points'], 'point')} run in full."
    known = [one for one in short["off"] if one["mean"] is not None]
    most = max(known, key=lambda one: abs(one["mean"]) / (one["spread"] or 1.0), default=None)
    if most and abs(most["mean"]) > most["spread"]:
        yield (
            f"Of {most['name']} full runs have {most['mean']:+.3g}, give or take {most['spread']:.2g}, "
            "against short ones; what follows takes that into account."
        )


def of_misfit(surprise: float, fitted: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """How far what was fitted is from the worlds that were fitted to it."""
    if surprise < SURPRISING:
        yield (
            "All measurements together are further from these worlds than chance has it: "
            f"of their own readings {share(surprise)} would be as far. "
            "The model, the ranges or a reading is wrong, and the truth may lie outside of these intervals."
        )
    missed = [one["name"] for one in fitted if one["holds"] is False]
    if missed:
        verb = "lies" if len(missed) == 1 else "lie"
        few = len(missed) <= max(1, MAY_MISS * len(fitted))
        how = "as one of ten may" if few else f"{len(missed)} of {len(fitted)}, where one of ten may"
        yield f"{enumerated(missed)} {verb} outside of 90 % of what these worlds have, {how}."


def of_region(said: Mapping[str, Any]) -> Iterator[str]:
    """Where some are: what is left, what is not known, and what was predicted."""
    left = share(said["region"]["share"])
    yield f"{left} of what was thought possible is left after {count(len(said['region']['waves']), 'wave')}."
    fitted = [one for one in said["predictions"] if not one["held_out"] and not one["aside"]]
    yield from of_misfit(said["posterior"]["surprise"], fitted)
    if said["short"]:
        yield from of_short(said["short"])
    if said["unidentified"]:
        yield f"What was measured says next to nothing about {enumerated(said['unidentified'])}."
    for one in said["tied"]:
        correlation = f"{one['correlation']:.2f}"
        yield f"{enumerated(one['parameters'])} are known only together: their correlation is {correlation}."
    if said["aside"]:
        yield f"No world meets all claims; what follows is of worlds that need not meet {enumerated(said['aside'])}."
        yield from excluded(said)
    lacking = [one["name"] for one in fitted if one["holds"] is None]
    if lacking:
        yield f"None of these worlds has {enumerated(lacking)}."
    held = [one for one in said["predictions"] if one["held_out"] and one["holds"] is not None]
    if held:
        within = sum(one["holds"] for one in held)
        yield (
            f"{within} of {count(len(held), 'measurement')} held out lie within 90 % of what these worlds predict; "
            "nine of ten would if the model were the world."
        )
    effective = said["posterior"]["effective_worlds"]
    if effective < FEWEST_WORLDS:
        yield f"These predictions rest on few worlds: they count as {effective:.1f} of one weight."
