#!/usr/bin/env python3
"""Plays a script on the library as packetdrill does, for the part of its language that our own scripts use.

`make packetdrill PACKETDRILL=tests/packetdrill/play.py` runs it in packetdrill's place. Ends with 0, or with 1 and the
first line that differs.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import re
import socket
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from packetdrill.language import ANY, FLAGS, Call, Event, Packet, UnreadError, read
from packetdrill.stack import Answer, Stack
from packetdrill.wire import Segment, emit, parse

HERE, THERE = ("192.168.0.1", 8080), ("192.0.2.1", 8080)
PEER = (THERE[0], 40_000)
"""The addresses of the host under test, of a peer that it connects to, and of one that connects to it."""

WHOLE = 1 << 32
STATES = ("Open", "Disorder", "CWR", "Recovery", "Loss")
"""What code in scripts calls `TCP_CA_Open` and so on."""

SUPPLE = FLAGS["F"] | FLAGS["P"] | FLAGS["W"]
"""Flags in which the segments that a script shows as one may differ."""


class DifferenceError(Exception):
    """What a line expects did not happen."""


def address(at: tuple[str, int]) -> bytes:
    """A `sockaddr_in`."""
    return struct.pack("=H", socket.AF_INET) + struct.pack("!H4s8x", at[1], socket.inet_aton(at[0]))


def number(word: str) -> int:
    """A number, in brackets or not, or names of C's headers."""
    word = word.strip("[]")
    if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", word):
        return int(word, 0)
    total = 0
    for name in word.split("|"):
        found = next((getattr(part, name.strip()) for part in (socket, os, fcntl) if hasattr(part, name.strip())), None)
        if found is None:
            raise UnreadError(0, name)
        total |= int(found)
    return total


def command(text: str) -> None:
    """Run a command of a script, which is the runner's own (`packetdrill.script`)."""
    subprocess.run(["/bin/sh", "-c", text], check=True)


class Player:
    """One script with its connection."""

    def __init__(self, stack: Stack, tolerance: int) -> None:
        """Times may be off by so many microseconds."""
        self.stack = stack
        self.tolerance = tolerance
        self.begin = stack.now()
        self.before: int | None = None
        self.descriptors: dict[int, int] = {}
        self.under_test: int | None = None
        # The initial numbers of both sides, the ends, and timestamps that left by those that the script has for them.
        self.ours: int | None = None
        self.theirs = 0
        self.remote = PEER
        self.local = HERE
        self.stamps: dict[int, int] = {}
        self.names: dict[str, object] = {f"TCP_CA_{name}": number for number, name in enumerate(STATES)}

    def now(self) -> int:
        """Microseconds since the script began."""
        return self.stack.now() - self.begin

    def play(self, event: Event) -> None:
        """Play one event.

        Raises:
            DifferenceError: if something else happens.
            UnreadError: if it asks for what the player does not have.
        """
        inbound = isinstance(event.what, Packet) and event.what.inbound
        base = 0
        if event.relative:
            base = self.before if inbound and self.before is not None else self.now()
        at = None if event.at is None else base + event.at
        until = None if at is None else base + event.until if event.until is not None else at
        self.before = at if inbound else None
        if isinstance(event.what, Packet) and not inbound:
            self.expect(event.what, at, until)
            return
        if at is not None and at > (now := self.now()):
            self.stack.sleep(at - now)
        self.in_time("it", self.now(), at, until)
        if isinstance(event.what, Packet):
            self.inject(event.what)
        elif isinstance(event.what, Call):
            self.call(event.what)
        elif event.command:
            command(event.what)
        else:
            self.run(event.what)

    def in_time(self, what: str, now: int, at: int | None, until: int | None) -> None:
        """Whether something happens when it should."""
        if at is not None and until is not None and not at - self.tolerance <= now <= until + self.tolerance:
            message = f"timing error: expected {what} at {at / 1e6:.6f} sec but happened at {now / 1e6:.6f} sec"
            raise DifferenceError(message)

    def run(self, code: str) -> None:
        """Run code with the figures of the connection."""
        if self.under_test is None:
            raise UnreadError(0, "code without a connection")
        try:
            self.names.update(self.stack.info(self.under_test))
            exec(code, self.names)  # noqa: S102 - what packetdrill does with it
        except AssertionError as untrue:
            message = f"error in Python code; AssertionError: {untrue}"
            raise DifferenceError(message) from untrue
        except NameError as missing:
            raise UnreadError(0, str(missing)) from missing

    def inject(self, packet: Packet) -> None:
        """A packet arrives. Numbers of a SYN are those of the script, others count from it."""
        opens = packet.flags & FLAGS["S"]
        if opens:
            self.theirs = packet.seq
            if self.ours is not None and not packet.flags & FLAGS["."]:
                self.remote, self.ours = (self.remote[0], self.remote[1] + 1), None
        ours = self.ours or 0
        options = []
        for name, *words in packet.options or ():
            if name == "TS":
                numbers = self.echo(words, packet.flags & FLAGS["."])
            else:
                shift = ours if name == "sack" else 0
                numbers = [(int(edge) + shift) % WHOLE for word in words for edge in word.split(":")]
            options.append((name, tuple(numbers)))
        ack = (packet.ack + ours) % WHOLE if packet.flags & FLAGS["."] else 0
        self.stack.inject(
            emit(
                Segment(
                    source=self.remote,
                    destination=self.local,
                    seq=(packet.seq + (0 if opens else self.theirs)) % WHOLE,
                    ack=ack,
                    flags=packet.flags,
                    window=packet.window or 0,
                    length=packet.length,
                    ecn=packet.ecn or 0,
                    options=tuple(options),
                )
            )
        )

    def echo(self, words: list[str], acks: int) -> list[int]:
        """The numbers of a timestamp option whose echo is one of the script's."""
        value, echo = int(words[1]), int(words[3])
        if acks and echo not in self.stamps:
            message = f"no outbound timestamp {echo}"
            raise DifferenceError(message)
        return [value, self.stamps.get(echo, echo)]

    def expect(self, packet: Packet, at: int | None, until: int | None) -> None:
        """A packet, or several with its payload together, leaves."""
        left, first = self.sniffed()
        last, total = first, first.length
        while total < packet.length:
            before = last
            left, last = self.sniffed()
            if (
                last.flags & ~SUPPLE != before.flags & ~SUPPLE
                or last.seq != (before.seq + before.length) % WHOLE
                or (last.ack, last.window, last.ecn) != (before.ack, before.window, before.ecn)
                or (last.length < packet.length - total and last.length != before.length)
            ):
                message = f"the segments of {packet.length} bytes differ: {before}, {last}"
                raise DifferenceError(message)
            total += last.length
        self.compare(packet, first, last, total)
        self.in_time("outbound packet", left, at, until)

    def sniffed(self) -> tuple[int, Segment]:
        """The next segment of the connection that leaves, and when."""
        while found := self.stack.sniff():
            segment = parse(found[1])
            opens = segment.flags & FLAGS["S"]
            if opens and not segment.flags & FLAGS["."]:
                self.remote, self.local = segment.destination, segment.source
            if (segment.destination, segment.source) == (self.remote, self.local):
                self.ours = segment.seq if opens else self.ours
                return found[0] - self.begin, segment
        message = "no packet leaves"
        raise DifferenceError(message)

    def compare(self, packet: Packet, first: Segment, last: Segment, total: int) -> None:
        """Whether segments are what a script says."""
        opens = first.flags & FLAGS["S"]
        seq = packet.seq if opens else (first.seq - (self.ours or 0)) % WHOLE
        acks = first.flags & FLAGS["."]
        told = {
            "payload": (packet.length, total),
            "sequence number": (packet.seq, seq),
            "flags": (packet.flags, last.flags & ~FLAGS["W"] | first.flags & FLAGS["W"]),
            "acknowledgment": (packet.ack, (last.ack - self.theirs) % WHOLE if acks and not opens else last.ack),
            "window": (packet.window, last.window),
            "ECN": (packet.ecn, last.ecn),
            "options": (self.scripted(packet), self.actual(packet, last)),
        }
        for what, (expected, actual) in told.items():
            if expected is not None and expected != actual:
                message = f"error handling packet: {what}: expected: {expected} vs actual: {actual}"
                raise DifferenceError(message)

    def scripted(self, packet: Packet) -> list[tuple[str, tuple[int, ...]]] | None:
        """The options that a script shows; timestamps have no values, as with packetdrill."""
        if packet.options is None:
            return None
        numbers = ((name, [] if name == "TS" else words) for name, *words in packet.options)
        return [(name, tuple(int(edge) for word in words for edge in word.split(":"))) for name, words in numbers]

    def actual(self, packet: Packet, segment: Segment) -> list[tuple[str, tuple[int, ...]]]:
        """The options that left, in the script's numbers."""
        found = []
        for name, numbers in segment.options:
            if name == "TS":
                self.remember(packet, numbers[0])
            shift = self.theirs if name == "sack" else 0
            found.append((name, () if name == "TS" else tuple((one - shift) % WHOLE for one in numbers)))
        return found

    def remember(self, packet: Packet, value: int) -> None:
        """Note which timestamp stands for one of the script's."""
        for name, *words in packet.options or ():
            if name == "TS":
                self.stamps[int(words[1])] = value

    def call(self, call: Call) -> None:
        """Make a system call."""
        result = number(call.result) if call.result != ANY else None
        answer = self.made(call, result)
        got = answer.result
        if (result is not None and result != got) or (call.error and call.error != answer.error):
            error = f" {answer.error}" if answer.error else ""
            message = f"runtime error in {call.name} call: Expected result {call.result} but got {got}{error}"
            raise DifferenceError(message)

    def descriptor(self, word: str) -> int:
        """The library's descriptor for one of the script's."""
        return self.descriptors.get(number(word), number(word))

    def opened(self, answer: Answer, result: int | None) -> Answer:
        """A call returned a descriptor, for which the script has a number of its own."""
        if answer.result < 0 or result is None or result < 0:
            return answer
        self.descriptors[result] = answer.result
        return Answer(result)

    def made(self, call: Call, result: int | None) -> Answer:
        """The answer of the library to a system call."""
        name, args, stack = call.name, call.args, self.stack
        if name == "socket":
            return self.opened(stack.call(name, socket.AF_INET, number(args[1]), number(args[2])), result)
        fd = self.descriptor(args[0]) if args else -1
        if name == "accept":
            answer = stack.call(name, fd, 0, 0)
            self.under_test = answer.result if answer.result >= 0 else self.under_test
            return self.opened(answer, result)
        if name in ("bind", "connect"):
            self.under_test = fd if name == "connect" else self.under_test
            at = address(HERE if name == "bind" else THERE)
            return stack.call(name, fd, at, len(at))
        if name in ("write", "send", "read", "recv"):
            if args[1] != ANY:
                raise UnreadError(0, args[1])
            flags = [number(word) for word in args[3:]]
            return stack.call(name, fd, bytes(number(args[2])), number(args[2]), *flags)
        if name in ("listen", "close", "shutdown", "fcntl"):
            return stack.call(name, fd, *(number(word) for word in args[1:]))
        if name == "setsockopt":
            value = struct.pack("=I", number(args[3]) % WHOLE)
            return stack.call(name, fd, number(args[1]), number(args[2]), value, len(value))
        raise UnreadError(0, f"{name}()")


def main() -> int:
    """Play the script that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tolerance_percent", help="ignored: times may be off by as much everywhere")
    parser.add_argument("--tolerance_usecs", type=int, default=2000, help="how far times may be off, in microseconds")
    parser.add_argument("--so_filename", type=Path, required=True, help="the library")
    parser.add_argument("--so_flags", default="", help="the file with the host's settings")
    parser.add_argument("script", type=Path)
    given = parser.parse_args()
    line = 1
    try:
        script = read(given.script.read_text(encoding="utf-8"))
        player = Player(Stack(given.so_filename, given.so_flags), given.tolerance_usecs)
        for text in script.around:
            command(text)
        for event in script.events:
            line = event.line
            player.play(event)
    except (DifferenceError, UnreadError) as wrong:
        place = getattr(wrong, "line", 0) or line
        sys.stderr.write(f"{given.script}:{place}: {wrong}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
