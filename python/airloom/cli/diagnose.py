"""`airloom diagnose`."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from airloom.cli.common import AsJson, Out, Whole
from airloom.cli.fail_on import FailOn, asked, fail
from airloom.cli.kept import telling
from airloom.cli.progress import bar
from airloom.cli.terminal import print_json
from airloom.diagnosis import self_test as self_tests
from airloom.diagnosis.captures_in_words import compared, described
from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose as find
from airloom.diagnosis.reading import diagnose_closely
from airloom.diagnosis.reading import rules as all_rules
from airloom.diagnosis.words import lead, priced, reasons, relation, silent, spans
from airloom.errors import CaptureError
from airloom.support.formatting import capital, count

if TYPE_CHECKING:
    from airloom.cli.progress import Bar
    from airloom.cli.screen import Screen
    from airloom.diagnosis.shapes import Diagnosis, Finding

MOST_TOLD = 4
"""The most findings that are printed below another one like them."""


def diagnose(
    *files: Path,
    against: Annotated[tuple[Path, ...], Parameter(consume_multiple=(1, None))] = (),
    out: Annotated[Path | None, Out] = None,
    force: bool = False,
    self_test: Annotated[bool, Parameter(name="--self-test")] = False,
    seeds: Annotated[int, Whole] = 1,
    rules: bool = False,
    table: Literal["roams"] | None = None,
    fail_on: FailOn = None,
    as_json: AsJson = False,
) -> None:
    """Say what went wrong in captures, how sure that is, and what it cost.

    One capture or several of the same time: a monitor's, a host's; pcap or pcapng, gzipped or not.

    Examples:
        airloom diagnose monitor.pcapng
        airloom diagnose monitor.pcapng laptop.pcapng.gz --json
        # a page with every layer over time and the packets behind each finding
        airloom diagnose monitor.pcapng laptop.pcapng.gz -o stall.html
        # what changed from before to after; several of each side tell more
        airloom diagnose monday tuesday --against wednesday thursday
        # how stations roamed; a monitor for each channel
        airloom diagnose channel-1.pcapng channel-6.pcapng laptop.pcapng --table roams
        # how right the rules are, on worlds whose causes are known
        airloom diagnose --self-test
        # what each rule computes, and what would refute it
        airloom diagnose --rules
        # for scripts: the exit code is 1 if a scan or a background transfer was found
        airloom diagnose laptop.pcapng --fail-on W101,W108

    Args:
        files: Captures of the same time, or a folder of them, as `airloom collect` leaves it.
        against: Captures of after, where the files are of before: say what changed. Those in a folder are of one time;
            others are of one time if they overlap.
        out: Where it is written: a page alone if the name ends in .html, what --json prints if it ends in .json; else a
            folder of both, report.html and diagnosis.json, or against.json with --against.
        force: Replace the folder of a diagnosis that is already there, once the new one is whole.
        self_test: Simulate worlds whose causes are known, diagnose their captures, and print how right the rules are.
        seeds: Seeds of each world in the self-test.
        rules: Print what the rules say of themselves.
        table: Print a table in place of findings. roams: each station's ways to another access point, phase by phase.
        fail_on: Exit with code 1 if anything is found, or one of these codes: any|CODE,...; else with 0.
        as_json: Print all that was found as JSON.
    """
    codes = asked(fail_on, [rule["code"] for rule in all_rules()])
    if fail_on is not None and (rules or self_test):
        raise CaptureError("--fail-on is about captures; leave it out with --rules and --self-test")
    if table is not None:
        given = {"--against": against, "-o": out, "--force": force, "--rules": rules, "--self-test": self_test}
        alone("--table", "a table", given | {"--seeds": seeds != 1, "--fail-on": fail_on})
        show_table(files, as_json=as_json)
        return
    if against:
        from airloom.cli.against import show_against

        alone("--against", "what changed", {"--rules": rules, "--self-test": self_test, "--fail-on": fail_on})
        show_against(files, against, out, force=force, as_json=as_json)
        return
    if rules:
        show_rules(files, as_json=as_json)
        return
    if self_test:
        if out is not None:
            raise CaptureError("--self-test writes nothing; leave -o out")
        show_self_test(files, seeds, as_json=as_json)
        return
    with telling("the diagnosis", out), bar(f"reading {count(len(files), 'capture')}") as shown:
        found = written(files, out, shown, replace=force) if out is not None else find(files, shown.update)
    if as_json:
        print_json("diagnose", found)
    else:
        from airloom.cli.screen import Screen

        screen = Screen()
        show(screen, found)
        if out is not None:
            from airloom.diagnosis import folder

            screen.say(f"written: {folder.shown(out)}")
    fail([finding["code"] for finding in found["findings"]], codes)


def alone(option: str, about: str, others: dict[str, object]) -> None:
    """Refuses what was given of options that have nothing to do with another one."""
    for other, value in others.items():
        if value:
            raise CaptureError(f"{other} is not about {about}; leave it out with {option}")


def show_table(files: tuple[Path, ...], *, as_json: bool) -> None:
    """Prints a table of captures."""
    from airloom.diagnosis.roams import roams

    with bar(f"reading {count(len(files), 'capture')}") as shown:
        found = roams(files, shown.update)
    if as_json:
        print_json("diagnose-roams", found)
        return
    from airloom.cli.roams import show_roams
    from airloom.cli.screen import Screen

    show_roams(Screen(), found)


def written(files: tuple[Path, ...], out: Path, shown: Bar, *, replace: bool) -> Diagnosis:
    """A diagnosis that was written into a folder."""
    from airloom.diagnosis import folder

    folder.check(out, replace=replace)
    told = diagnose_closely(files, shown.update)
    folder.write(told, out, replace=replace)
    return told.found


def show_rules(files: tuple[Path, ...], *, as_json: bool) -> None:
    """Prints what the rules say of themselves."""
    if files:
        raise CaptureError("--rules reads no captures; leave the files out")
    if as_json:
        print_json("diagnose-rules", {"rules": all_rules()})
        return
    from airloom.cli.screen import Screen

    screen = Screen()
    for rule in all_rules():
        screen.say(f"{rule['code']} {rule['name']}; needs {rule['needs']}", style="bold")
        screen.fold(rule["computes"], indent=2)
        screen.fold(f"not taken for it: {rule['traps']}", indent=2)
        screen.fold(f"what would refute it: {rule['refuted_by']}", indent=2, style="dim")
        screen.say("")


def show_self_test(files: tuple[Path, ...], seeds: int, *, as_json: bool) -> None:
    """Runs the self-test and prints its table."""
    if files:
        raise CaptureError("--self-test makes its own captures; leave the files out")
    if not 1 <= seeds <= self_tests.MOST_SEEDS:
        raise CaptureError(f"--seeds {seeds}: needs a number from 1 to {self_tests.MOST_SEEDS}")
    with bar("self-test") as shown:
        came = self_tests.outcomes(self_tests.trials(seeds), shown.update)
    rows = self_tests.rows(came)
    if as_json:
        print_json("diagnose-self-test", {"rules": rows, "costs": self_tests.cost_rows(came)})
        return
    from airloom.cli.screen import Screen
    from airloom.cli.tables import judged
    from airloom.cli.tables import priced as costs

    screen = Screen()
    screen.say(
        f"{len(came):,} captures of worlds whose causes are known; no rule was tuned on their seeds", style="bold"
    )
    screen.table(judged(rows))
    screen.say(
        "Every second monitor has no key of its network; every third world has no capture of the server. "
        f"Where two causes meet, it misses {self_tests.MISSED:.0%} of the frames.",
        style="dim",
    )
    screen.say("")
    screen.say("What causes cost, against the same world without the cause", style="bold")
    screen.table(costs(self_tests.cost_rows(came)))
    screen.say(
        "Errors are shares of the true cost: their median, and what nine in ten stay below. "
        '"Over": how far a cost that is given as "at least" exceeds the true one; "short": how far one that is given '
        'as "up to", which is among the costs too, falls below it.',
        style="dim",
    )


def show(screen: Screen, found: Diagnosis) -> None:
    """Prints a diagnosis: the files, what was found, which rules cannot tell."""
    for place, capture in enumerate(found["captures"]):
        screen.say(described(capture), style="bold")
        if place != found["reference"]:
            screen.say(f"  {compared(found, place)}", style="dim")
    screen.say("")
    screen.fold(" ".join(lead(found)), indent=0, hang=0)
    screen.say("")
    for line in facts(found):
        screen.fold(line, indent=2)
    screen.say("")
    for alike in together(found["findings"]):
        show_findings(screen, alike)
    if found["abstained"]:
        screen.say("cannot tell", style="bold")
        for codes, because in reasons(found["abstained"]):
            screen.fold(silent(codes, because), indent=2, style="dim")


def together(findings: list[Finding]) -> list[list[Finding]]:
    """Findings in their order; those of one rule with one remedy that follow each other are one list."""
    return [
        list(alike)
        for _, alike in groupby(findings, lambda one: (one["code"], one["remedy"], one["below"], one["is_reason"]))
    ]


def show_findings(screen: Screen, alike: list[Finding]) -> None:
    """Prints findings of one rule with one remedy: the first in full, of the next few what is other."""
    first, *others = alike
    more = f" and {count(len(others), 'other')}" if others else ""
    screen.say(f"{relation(first)}{first['code']} {first['name']}: {first['subject']}{more}", style="bold red")
    screen.fold(first["says"], indent=2)
    screen.fold(priced(first), indent=2)
    screen.say(f"  when: {spans(first['spans'])}")
    for other in others[:MOST_TOLD]:
        price = priced(other)
        told = price if wording(other) == wording(first) else f"{other['says']} {capital(price)}"
        screen.fold(f"{other['subject']}: {told}; {spans(other['spans'])}", indent=2)
    if len(others) > MOST_TOLD:
        screen.say(f"  {len(others) - MOST_TOLD:,} more like these: --json and the page have each")
    screen.fold(f"what helps: {first['remedy']}", indent=2)
    screen.fold(f"what would refute it: {first['refuted_by']}", indent=2, style="dim")
    screen.say(f"  Wireshark: {first['filter']}", style="dim")
    screen.say("")


def wording(finding: Finding) -> str:
    """What a finding says without its numbers, names and addresses: two that differ in these alone say the same."""
    return re.sub(r"\S*\d\S*", "", finding["says"])
