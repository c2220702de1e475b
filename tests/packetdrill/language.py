"""The part of packetdrill's language that the player reads: packets of one connection, plain calls, code, commands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from textwrap import dedent

FLAGS = {"F": 1, "S": 2, "R": 4, "P": 8, ".": 16, "E": 64, "W": 128}
ECN = {"noecn": 0, "ect1": 1, "ect0": 2, "ce": 3}
ANY = "..."
"""An argument, a result or options that may be anything."""

TIME = re.compile(r"(?P<any>\*)|(?P<plus>\+?)(?P<at>\d*\.?\d+|\d+\.)(~\+?(?P<until>\d*\.?\d+))?(?P<blocks>\.\.\.)?")
PACKET = re.compile(
    r"(?P<way>[<>])\s*(\[(?P<ecn>\w+)\]\s*)?(?P<flags>[FSRP.EW]+)\s+(?P<seq>\d+):(?P<end>\d+)\((?P<length>\d+)\)"
    r"(\s+ack\s+(?P<ack>\d+))?(\s+win\s+(?P<win>\d+))?(\s*<(?P<options>[^>]*)>)?[ \t]*(?=\n|$)"
)
CALL = re.compile(
    r"(?P<name>\w+)\s*\((?P<args>(?:[^()]|\(\.\.\.\))*)\)\s*=\s*(?P<result>-?\w+|\.\.\.)"
    r"(\s+(?P<error>E\w+))?(\s+\([^)]*\))?[ \t]*(?=\n|$)"
)
CODE = re.compile(r"%\{(.*?)\}%", re.DOTALL)
COMMAND = re.compile(r"`([^`]*)`")


class UnreadError(Exception):
    """Something that the player does not read, with its line."""

    def __init__(self, line: int, what: str) -> None:
        """Keep the line."""
        super().__init__(f"the player does not read {what!r}")
        self.line = line


@dataclass(frozen=True)
class Packet:
    """A TCP segment with the numbers of a script, both sides from zero; None where a script does not say."""

    inbound: bool
    flags: int
    seq: int
    length: int
    ack: int = 0
    window: int | None = None
    ecn: int | None = None
    options: tuple[tuple[str, ...], ...] | None = ()


@dataclass(frozen=True)
class Call:
    """A system call with its arguments as they are written, the result and the name of the error."""

    name: str
    args: tuple[str, ...]
    result: str
    error: str | None


@dataclass(frozen=True)
class Event:
    """What happens in a line of a script: a packet, a call, code of Python or a command, at a time or between two.

    Times are in microseconds, since the event before if `relative`; None for whenever it happens.
    """

    line: int
    what: Packet | Call | str
    command: bool = False
    relative: bool = False
    at: int | None = None
    until: int | None = None


@dataclass
class Script:
    """A script: commands before its events and after them, and the events."""

    around: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


def without_comments(text: str) -> str:
    """The text with its comments blanked, but in code, so that lines stay where they are."""
    parts = r"%\{.*?\}%|/\*.*?\*/|//[^\n]*"
    blank = lambda found: found[0] if found[0][0] == "%" else "\n" * found[0].count("\n")  # noqa: E731
    return re.sub(parts, blank, text, flags=re.DOTALL)


def read(text: str) -> Script:
    """Read a script.

    Raises:
        UnreadError: at the first thing that the player does not read.
    """
    text = without_comments(text)
    script, at = Script(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        line = text.count("\n", 0, at) + 1
        if found := COMMAND.match(text, at):
            script.around.append(found[1])
        else:
            found = event(text, at, line, script)
        at = found.end()
    return script


def event(text: str, at: int, line: int, script: Script) -> re.Match[str]:
    """Read one event with its time into a script; what was read last tells where it ends."""
    rest = text[at:].split("\n", 1)[0].strip()
    time = TIME.match(text, at)
    if time is None or time["blocks"]:
        raise UnreadError(line, rest)
    start = time.end()
    start += len(text[start:]) - len(text[start:].lstrip())
    times = {
        "relative": bool(time["plus"]),
        "at": None if time["any"] else micros(time["at"]),
        "until": micros(time["until"]) if time["until"] else None,
    }
    what: Packet | Call | str
    if found := PACKET.match(text, start):
        what = packet(found, line)
    elif (found := CODE.match(text, start)) or (found := COMMAND.match(text, start)):
        what = dedent(found[1]).strip()
    elif found := CALL.match(text, start):
        args = tuple(word.strip() for word in found["args"].split(",")) if found["args"].strip() else ()
        what = Call(found["name"], args, found["result"], found["error"])
    else:
        raise UnreadError(line, rest)
    script.events.append(Event(line, what, command=text[start] == "`", **times))  # type: ignore[arg-type]
    return found


def micros(seconds: str) -> int:
    """Microseconds of a text of seconds."""
    return round(float(seconds) * 1e6)


def packet(found: re.Match[str], line: int) -> Packet:
    """The packet of a line."""
    if found["ecn"] is not None and found["ecn"] not in ECN:
        raise UnreadError(line, f"[{found['ecn']}]")
    text = found["options"]
    return Packet(
        inbound=found["way"] == "<",
        flags=sum(FLAGS[letter] for letter in set(found["flags"])),
        seq=int(found["seq"]),
        length=int(found["length"]),
        ack=int(found["ack"] or 0),
        window=int(found["win"]) if found["win"] else None,
        ecn=ECN[found["ecn"]] if found["ecn"] else None,
        options=None
        if text == ANY
        else tuple(option(words.split(), line) for words in (text or "").split(",") if words),
    )


def option(words: list[str], line: int) -> tuple[str, ...]:
    """One option: its name with numbers."""
    shapes = {"mss": 1, "wscale": 1, "sackOK": 0, "nop": 0, "eol": 0, "TS": 4, "sack": len(words) - 1}
    if shapes.get(words[0]) != len(words) - 1:
        raise UnreadError(line, " ".join(words))
    return tuple(words)
