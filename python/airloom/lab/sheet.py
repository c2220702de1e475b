"""A sheet as its file describes it, the same for every student."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict, cast

import msgspec
from msgspec import Meta

from airloom.lab.draw import Drawable, filled
from airloom.lab.quantity import condition, quantity
from airloom.results.lookup import unknown
from airloom.support import reading

FOLDER = Path(__file__).resolve().parent / "sheets"

ORDER = (
    "rate",
    "hidden",
    "anomaly",
    "aggregation",
    "bloat",
    "small-queues",
    "scan",
    "roaming",
    "bbr",
    "calls",
    "contention",
    "capture",
)
"""The sheets, in the order of a chapter on Wi-Fi."""

Text = Annotated[str, Meta(min_length=1)]


class RunEntry(TypedDict, total=False):
    """A run: what it sets, what is done with what it left, and whether it writes captures."""

    set: dict[str, Any]
    then: list[str]
    capture: bool


class QuestionEntry(TypedDict):
    """A question. Its answer is a number, or the right one of several sentences.

    `holds` are conditions under which the right sentence is right, and the reason true.
    """

    id: Text
    ask: Text
    why: Text
    number: NotRequired[Text]
    read: NotRequired[Text]
    unit: NotRequired[str]
    tolerance: NotRequired[Annotated[float, Meta(gt=0, le=0.5)]]
    right: NotRequired[Text]
    wrong: NotRequired[list[Text]]
    holds: NotRequired[list[Text]]


class Sheet(TypedDict):
    """A sheet. `{name}` in any text or setting stands for what the student drew of `draw.name`."""

    title: Text
    goal: Text
    scenario: Text
    draw: dict[str, Annotated[list[Drawable], Meta(min_length=2)]]
    set: NotRequired[dict[str, Any]]
    run: dict[str, RunEntry]
    airtime: NotRequired[dict[str, dict[str, Any]]]
    question: list[QuestionEntry]
    playground: NotRequired[str]


def read(name: str) -> Sheet:
    """Reads a sheet.

    Raises:
        UnknownNameError: There is none of this name.
    """
    if name not in ORDER:
        raise unknown("sheet", name, ORDER)
    return parsed((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def parsed(text: str) -> Sheet:
    """A sheet from its text.

    Raises:
        ValueError: It is none.
    """
    content = reading.toml(text)
    strict(content)
    sheet = cast("Sheet", content)
    runs, airtimes = sheet["run"].keys(), sheet.get("airtime", {}).keys()
    if both := runs & airtimes:
        raise ValueError(f"a run and an airtime are called {min(both)!r}")
    first = {name: some[0] for name, some in sheet["draw"].items()}
    for one in cast("list[QuestionEntry]", filled(sheet["question"], first)):
        if ("number" in one) == ("right" in one):
            raise ValueError(f"{one['id']}: needs either `number` or `right`")
        if "right" in one and not one.get("wrong"):
            raise ValueError(f"{one['id']}: needs `wrong`, what else there is to choose")
        if "number" in one and not one.get("read"):
            raise ValueError(f"{one['id']}: needs `read`, which says where the number stands")
        held = [condition(each) for each in one.get("holds", [])]
        asked = [*([quantity(one["number"])] if "number" in one else []), *(q for c in held for q in (c.less, c.more))]
        for figure in (figure for each in asked for figure in each.figures):
            if figure.run not in (runs if figure.of else airtimes):
                raise ValueError(f"{one['id']}: there is no {'run' if figure.of else 'airtime'} `{figure.run}`")
    return sheet


def strict(content: object) -> None:
    """Refuses what has not the shape of a sheet, or a key that none has.

    Raises:
        ValueError: It has not.
    """
    msgspec.convert(content, Sheet)
    whole = cast("dict[str, Any]", content)
    for shape, tables in ((Sheet, [whole]), (RunEntry, whole["run"].values()), (QuestionEntry, whole["question"])):
        for table in tables:
            if strange := table.keys() - shape.__annotations__.keys():
                raise ValueError(f"a sheet has no key {min(strange)!r}")
