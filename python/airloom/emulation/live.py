"""Runs commands on hosts while the world between them moves along with the clock."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from airloom import _engine
from airloom.emulation import hosts as namespaces
from airloom.emulation import internet
from airloom.errors import EmulationError
from airloom.results.bundle import BUNDLE
from airloom.results.by_suffix import refuse_file_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from airloom.emulation.hosts import Host
    from airloom.emulation.private import Outside
    from airloom.results.timing import Timing

PRIORITY = 10
"""The real-time priority of the world's thread, where the system allows it one: it runs before all threads without."""

THROTTLED = Path("/proc/sys/kernel/sched_rt_runtime_us")
"""Of each second, how much threads with such a priority may take; what is left is for all others (sched(7))."""

UNBOUNDED = "-1"
"""Where they may take all of it, a world that cannot keep up would have a core for itself: it gets no priority."""

SETTLED_S = 0.5
"""How long the command waits for programs on other hosts that do not listen: they may not be meant to."""


@dataclass(frozen=True)
class Emulation:
    """A scenario, and where its bundle goes, if one is wanted.

    Attributes:
        text: The scenario.
        file: What messages call it.
        overrides: Values that take the place of its own.
        seed: Takes the place of its own seed.
        out: The bundle's folder.
        force: Lets the bundle take the place of one that stands there.
        capture: What to keep of captures: bytes of a packet, from when until when in nanoseconds.
        engine: What the engine is, for the manifest.
        flows: Whether its own flows are simulated beside what runs.
        outside: What the process outside has left to this one.
        gateway: The host by which packets leave for addresses outside, if they may.
    """

    text: str
    file: str
    overrides: Mapping[str, str]
    seed: int | None = None
    out: Path | None = None
    force: bool = False
    capture: tuple[int, int, int] | None = None
    engine: str | None = None
    flows: bool = False
    outside: Outside | None = None
    gateway: str | None = None

    def __post_init__(self) -> None:
        """Refuses a file's name for the bundle."""
        if self.out is not None:
            refuse_file_name(self.out, BUNDLE)

    def hosts(self) -> list[tuple[str, str]]:
        """Names and addresses of its hosts, stations first.

        Raises:
            ScenarioError: There is a mistake in the scenario.
        """
        return _engine.hosts(self.text, self.file, list(self.overrides.items()), self.seed)

    def programs(self) -> list[Program]:
        """The real programs that the scenario has in place of flows.

        Raises:
            ScenarioError: There is a mistake in the scenario.
        """
        found = _engine.programs(self.text, self.file, list(self.overrides.items()), self.seed)
        return [
            Program(line(*command), line(*listen) if listen else None, start, stop)
            for _, command, listen, start, stop in found
        ]


@dataclass(frozen=True)
class Command:
    """A command of a host: its words, or a line for a shell."""

    host: str
    words: Sequence[str]


@dataclass(frozen=True)
class Program:
    """A flow of kind `command`.

    Attributes:
        command: What it runs.
        listen: What runs on the other host from the beginning, if anything.
        start: When it is started, in seconds.
        stop: When it is ended, if it has not ended by itself.
    """

    command: Command
    listen: Command | None
    start: float
    stop: float | None


def line(host: str, text: str) -> Command:
    """A line for a shell, as a command of a host."""
    return Command(host, ["sh", "-c", f"exec {text}"])


class Ended(NamedTuple):
    """What came of a command.

    Attributes:
        code: Its exit code.
        timing: How well time was kept.
        gone: The hosts that were there no more, since something had ended the process that held them.
    """

    code: int
    timing: Timing
    gone: list[str]


def run(wanted: Emulation, main: Command, beside: Sequence[Command] = ()) -> Ended:
    """Runs a command, and others beside it, which end with it.

    Raises:
        EmulationError: There is no such host, the system refuses, or no bundle could be written.
    """
    named = wanted.hosts()
    for command in (main, *beside):
        if command.host not in dict(named):
            raise EmulationError(f"no host {command.host!r}; there are {', '.join(name for name, _ in named)}")
    made = namespaces.made(named)
    by_name = {host.name: host for host in made}
    variables = namespaces.environment(made)
    if wanted.gateway and wanted.outside:
        internet.lead_out(made, by_name[wanted.gateway], wanted.outside.ask)
    with unheard() as typed, moving(wanted, made) as moves:
        programs = wanted.programs()
        first = [*beside, *(program.listen for program in programs if program.listen)]
        others = [start(by_name[command.host], command, variables) for command in first]
        timers = [timer for program in programs for timer in timed(program, by_name, variables, others)]
        try:
            await_listeners([(by_name[of.host], other) for of, other in zip(first, others, strict=False)])
            missed = bool(typed)
            # It misses only what came before: while it begins, signals are blocked and kept for it.
            process = start(by_name[main.host], main, variables)
            if missed:
                process.send_signal(signal.SIGINT)
            moves.end_with_it(process)
            code = process.wait()
            gone = [host.name for host in made if namespaces.gone(host)]
        finally:
            for timer in timers:
                timer.cancel()
            for other in others:
                with suppress(ProcessLookupError):
                    other.terminate()
    return Ended(code if code >= 0 else 128 - code, cast("Timing", json.loads(moves.timing)), gone)


def await_listeners(begun: Sequence[tuple[Host, subprocess.Popen[bytes]]]) -> None:
    """Waits a moment until something listens where programs were begun: the command may be about to ask them."""
    until = time.monotonic() + SETTLED_S
    while time.monotonic() < until and not all(
        process.poll() is not None or namespaces.listens(host.holder) for host, process in begun
    ):
        time.sleep(0.005)


def timed(
    program: Program, hosts: Mapping[str, Host], variables: Mapping[str, str], others: list[subprocess.Popen[bytes]]
) -> list[threading.Timer]:
    """Starts a program when its time has come, and ends it at another; it is one of the others then."""
    begun: list[subprocess.Popen[bytes]] = []

    def begin() -> None:
        begun.append(start(hosts[program.command.host], program.command, variables))
        others.extend(begun)

    def end() -> None:
        for process in begun:
            process.terminate()

    timers = [threading.Timer(program.start, begin)]
    if program.stop is not None:
        timers.append(threading.Timer(program.stop, end))
    for timer in timers:
        timer.daemon = True
        timer.start()
    return timers


def start(host: Host, command: Command, variables: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Starts a command on a host."""
    return subprocess.Popen([*namespaces.within(host.holder), *command.words], env=dict(variables))


@contextmanager
def unheard() -> Iterator[list[int]]:
    """Leaves Ctrl-C to the command, which belongs to the same terminal, and lets what comes after it be finished.

    Gives what was typed up to now.
    """
    typed: list[int] = []
    # Not ignored, which the command would inherit.
    before = signal.signal(signal.SIGINT, lambda number, _: typed.append(number))
    try:
        yield typed
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass
class Moving:
    """A world that moves along with the clock.

    Attributes:
        timing: Its timing as JSON, once it has ended.
        failed: Why it could not move, or its bundle not be written.
        command: What has no use without it.
    """

    timing: str = ""
    failed: BaseException | None = None
    command: subprocess.Popen[bytes] | None = None

    def end_with_it(self, command: subprocess.Popen[bytes]) -> None:
        """Has a command end if the world fails, or has failed already."""
        self.command = command
        self.look()

    def fail(self, error: BaseException) -> None:
        """The world could not go on."""
        self.failed = error
        self.look()

    def look(self) -> None:
        """Ends a command without a world, as if its terminal were gone: a shell heeds that."""
        if self.failed and self.command:
            self.command.send_signal(signal.SIGHUP)


@contextmanager
def moving(wanted: Emulation, made: Sequence[Host]) -> Iterator[Moving]:
    """Moves the world along with the clock during the block.

    Raises:
        AirloomError: The world could not be run, or its bundle not be written.
    """
    stopped, stop = os.pipe()
    moves = Moving()

    def move() -> None:
        with suppress(OSError):
            # Threads of its own, which do not keep time, have none.
            if THROTTLED.read_text(encoding="ascii").strip() != UNBOUNDED:
                os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(PRIORITY))
        try:
            moves.timing = _engine.live(
                wanted.text,
                wanted.file,
                list(wanted.overrides.items()),
                wanted.seed,
                wanted.flows,
                [host.device for host in made],
                [host.kernel for host in made],
                [*([wanted.outside.listener] if wanted.outside else []), *(host.listener for host in made)],
                stopped,
                wanted.gateway,
                wanted.out,
                wanted.force,
                wanted.capture,
                wanted.engine,
            )
        except BaseException as error:
            moves.fail(error)

    mover = threading.Thread(target=move, name="world")
    mover.start()
    try:
        yield moves
    finally:
        os.close(stop)
        mover.join()
    if moves.failed:
        raise moves.failed
