"""`airloom lab`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App

from airloom.cli.common import AsJson, Out
from airloom.cli.progress import bar
from airloom.cli.refusal import WRONG
from airloom.cli.screen import Screen
from airloom.cli.terminal import complain, print_json, say
from airloom.errors import RunError

if TYPE_CHECKING:
    from airloom.lab.grade import Graded, Refused
    from airloom.lab.task import Task

app = App(name="lab", help="Sheets for a class: list them, write one for a student, grade what was handed in.")


@app.default
def lab(
    name: str | None = None,
    /,
    *,
    student: str | None = None,
    out: Annotated[Path | None, Out] = None,
    key: bool = False,
) -> None:
    """List the sheets, or write one for a student: what to predict, to measure, and to explain in 45 minutes.

    Each student has values and a seed of their own, which follow from the sheet's name and the ID alone.

    Examples:
        airloom lab
        airloom lab hidden --student anna
        airloom lab hidden --student anna --key
        airloom lab check hidden-anna

    Args:
        name: The sheet. Without it, all are listed.
        student: Whose it is: an ID, such as a name or a number.
        out: The folder. Without it, the sheet's name and the ID, joined by a hyphen, in the current folder.
        key: Print the answers with their reasons, and write nothing. For teachers.
    """
    if name is None:
        if student is not None or out is not None or key:
            raise RunError("which sheet? `airloom lab` lists them", "airloom lab hidden --student anna")
        listed()
        return
    from airloom.lab import sheet
    from airloom.lab.task import task

    sheet.read(name)
    if student is None:
        raise RunError(f"airloom lab {name}: whose sheet?", f"airloom lab {name} --student anna")
    own = task(name, student)
    if not key:
        write(own, out if out is not None else Path(f"{name}-{student}"))
    elif out is not None:
        raise RunError("--key writes nothing, and takes no -o")
    else:
        tell(own)


def listed() -> None:
    """Says which sheets there are."""
    from airloom.lab import sheet

    longest = max(map(len, sheet.ORDER))
    for name in sheet.ORDER:
        say(f"{name:{longest}}  {sheet.read(name)['title']}")


def write(task: Task, folder: Path) -> None:
    """Writes a student's folder.

    Raises:
        RunError: There is something already.
    """
    from airloom.lab import text
    from airloom.lab.hand_in import ANSWERS
    from airloom.results.by_suffix import refuse_file_name
    from airloom.support.atomic import folder_of

    refuse_file_name(folder, "a student's sheet is a folder")
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise RunError(f"{folder}: exists already; choose another folder with -o")
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder_of(text.files(task), folder)
    say(f"sheet: {folder / text.SHEET}")
    say(f"to fill in: {folder / ANSWERS}")


def tell(task: Task) -> None:
    """Prints the key of a student's sheet."""
    from airloom.lab import text
    from airloom.lab.truth import found

    with bar(task.name) as progress:
        (truth,) = found([task], lambda done: progress.update(done, len(task.runs)))
    screen = Screen()
    screen.say(f"{task.sheet['title']}: {task.name}, {task.student}, seed {task.seed}", style="bold")
    for one in task.questions:
        screen.say("")
        screen.fold(f"{one.id}: {one.ask}", indent=0)
        screen.fold(text.answer(one, truth), indent=2, style="bold")
        screen.fold(one.why, indent=2, hang=0)


@app.command
def check(*folders: Path, as_json: AsJson = False) -> None:
    """Grade what was handed in, by runs of our own: nothing in a folder is trusted but its answers.

    A number has its point if it is within 2 % of what the student's own run shows and was predicted, whatever the
    prediction; a letter if it is the right one.

    Examples:
        airloom lab check hidden-anna
        airloom lab check hand-ins/*
        airloom lab check hand-ins/* --json

    Args:
        folders: Folders with answers.toml.
        as_json: Print JSON: each hand-in with its points, question by question, and what could not be graded.
    """
    from airloom.lab import grade

    if not folders:
        raise RunError("what is to be graded?", "airloom lab check hidden-anna")
    refused: list[tuple[Path, Exception]] = []
    handed = grade.read_all(folders, lambda *one: refused.append(one))
    if len(folders) == 1 and refused:
        raise refused[0][1]
    runs = sum(len(one.task.runs) for one in handed)
    with bar("lab check") as progress:
        found = grade.graded(handed, lambda done: progress.update(done, runs))
    if as_json:
        print_json("lab-check", {"graded": found, "refused": [refusal(*one) for one in refused]})
    elif len(folders) == 1:
        alone(found[0])
    else:
        together(found)
        for _, error in refused:
            complain(str(error))
    if refused:
        raise SystemExit(WRONG)


def refusal(folder: Path, error: Exception) -> Refused:
    """A folder that could not be graded, for a script."""
    return {"folder": str(folder), "message": str(error)}


def alone(one: Graded) -> None:
    """Shows one hand-in, question by question."""
    from airloom.cli.tables import answers

    screen = Screen()
    screen.say(f"{one['sheet']} of {one['student']}: {one['points']} of {one['of']} points", style="bold")
    screen.table(answers(one["questions"]))
    for row in one["questions"]:
        if row["said"]:
            screen.say("")
            screen.fold(f"{row['id']}: {row['said']}; right is {row['right']}", indent=0)
            screen.fold(row["why"], indent=2, hang=0)


def together(found: list[Graded]) -> None:
    """Shows many hand-ins, a line each."""
    from airloom.cli.tables import hand_ins

    if found:
        Screen().table(hand_ins(found))
