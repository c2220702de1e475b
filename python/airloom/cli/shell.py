"""`airloom shell`."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from airloom import _engine
from airloom.cli.common import Out, Seed, Set, Whole, overrides, pairs
from airloom.cli.terminal import complain
from airloom.emulation import kernel_settings, private
from airloom.emulation.internet import check, serve
from airloom.emulation.live import Command, Emulation, line, run
from airloom.errors import EmulationError
from airloom.results.timing import verdict
from airloom.scenario.source import check_seed, read, worded
from airloom.simulation.capture_settings import CaptureSettings
from airloom.simulation.simulate import code
from airloom.support import reading
from airloom.support.formatting import count

if TYPE_CHECKING:
    from airloom.results.timing import Timing

LONGEST = "1 h"
"""How long it may go on, unless the scenario's duration is set."""

INVALID = 3
"""Exit code where the timing was too bad to believe what was measured, or a host was lost, and the command itself had
nothing to say."""

WIDTH = 40
"""Characters of the longest bar."""


def shell(
    scenario: Path,
    /,
    *command: Annotated[str, Parameter(allow_leading_hyphen=True)],
    host: Annotated[str | None, Parameter(name="--as")] = None,
    beside: tuple[str, ...] = (),
    flows: bool = False,
    internet: bool = False,
    out: Annotated[Path | None, Out] = None,
    force: bool = False,
    seed: Seed = None,
    settings: Set = (),
) -> None:
    """Run real programs over a scenario's air, in real time.

    Every station and every server is a host with a network of its own. A command, or a shell, runs on one of them, and
    what it sends goes through the scenario's queues and over its air. The command's exit code is this one's, but for 3
    where the machine could not keep time. All is gone with it: namespaces, devices, processes.

    Within, `airloom on HOST COMMAND` runs a command on another host.

    Examples:
        # a shell on the first station
        airloom shell examples/download.toml
        # a speed test through the scan paper's laptop, with captures and series
        airloom shell papers/scan/upload-tsq.toml --beside "server=iperf3 -s" -o out/real -- iperf3 -c server -t 60

    Args:
        scenario: The scenario file.
        command: What to run, behind `--`; without it, a shell.
        host: Where it runs; without it, on the first station.
        beside: What runs on another host meanwhile, HOST=COMMAND. May be repeated.
        flows: Leave the scenario's own flows in; without it, what runs here is all there is.
        internet: Let the hosts out to this machine's network, by the first server.
        out: A folder for a bundle as `airloom run` leaves it, with captures and timing.json.
        force: Replace a bundle that is already there, once the new one is whole.
        seed: The seed, in place of the scenario's own.
        settings: A value over the scenario's, KEY=VALUE.
    """
    check_begins(command, "shell")
    text, file = read(scenario)
    check_seed(seed)
    changed = {"duration": LONGEST, **dict(worded(overrides(settings)))}
    kept = CaptureSettings()
    capture = (kept.snap_length, *kept.nanoseconds()) if out is not None else None
    outside = private.inside()
    gateway = way_out(text, file, changed, seed) if internet else None
    world = Emulation(text, file, changed, seed, out, force, capture, code(), flows, outside, gateway)
    first = host or world.hosts()[0][0]
    others = [line(*one) for one in pairs(beside, "--beside", "server=iperf3 -s").items()]
    words = list(command) or [os.environ.get("SHELL", "/bin/sh")]
    if outside is None:
        if out is not None and out.exists() and not force:
            raise EmulationError(f"{out}: exists already; choose another folder, or replace it with --force")
        raise SystemExit(private.enter(sys.argv[1:], serve if internet else None))
    for said in kernel_settings.differing(resolved(text, file, changed, seed), kernel_settings.of_kernel):
        complain(f"warning: {said}")
    if not command:
        complain(f"{first} of {scenario.name}: {shlex.join(words)}; `exit` leaves")
    came, timing, gone = run(world, Command(first, words), others)
    for said in told(timing):
        complain(said)
    for name in gone:
        complain(f"{name} was gone before the end: something ended the process that held its network")
    if came == 0 and (gone or timing["verdict"] == "invalid"):
        came = INVALID
    raise SystemExit(came)


def check_begins(command: tuple[str, ...], of: str) -> None:
    """Refuses a command that is an option: one of this program's that there is not.

    Raises:
        EmulationError: It is one.
    """
    if command and command[0].startswith("-"):
        raise EmulationError(f"unknown option {command[0]}", f"airloom {of} --help says what there is")


def resolved(text: str, file: str, changed: dict[str, str], seed: int | None) -> dict[str, Any]:
    """The scenario with every default spelled out."""
    return reading.toml(_engine.check(text, file, list(changed.items()), seed))


def way_out(text: str, file: str, changed: dict[str, str], seed: int | None) -> str:
    """The host by which the others reach the machine's network: the first server.

    Raises:
        EmulationError: There is none, or the machine lacks a program.
    """
    check()
    servers = resolved(text, file, changed, seed).get("server")
    if not servers:
        raise EmulationError(f"{file}: has no server, by which --internet could lead out")
    return str(servers[0]["name"])


def on(
    host: str,
    /,
    *command: Annotated[str, Parameter(allow_leading_hyphen=True)],
    shell: Annotated[int | None, Whole] = None,
) -> None:
    """Run a command on a host of a shell that runs: the one that this runs in, or from another terminal.

    Examples:
        airloom on server iperf3 -s
        airloom on phone --shell 4711 -- ping -c 3 server

    Args:
        host: The host.
        command: The command; without it, a shell. Behind `--`, if it has options.
        shell: The process of the shell, where more than one runs.
    """
    from airloom.emulation import hosts, knobs, reach

    check_begins(command, "on")
    held = hosts.known() if shell is None else {}
    before = hosts.within
    if not held:
        asked = knobs.Shell(shell)
        names = [one["name"] for one in asked.look()["hosts"] if one["kind"] != "access point"]
        held, before = reach.holders(asked.process, names), reach.within
    if host not in held:
        raise EmulationError(f"no host {host!r}; there are {', '.join(held)}")
    reach.refuse_foreign(held[host])
    words = [*before(held[host]), *(command or [os.environ.get("SHELL", "/bin/sh")])]
    os.execvp(words[0], words)  # noqa: S606 - this is its job


def told(timing: Timing) -> list[str]:
    """What to say of the timing."""
    half, most, nearly, worst = timing["late_us"]
    if not timing["delivered"]:
        return [f"timing {verdict(timing)}; no packet was carried"]
    carried = f"{timing['delivered']:,} packets at up to {timing['peak_mbps']:,.0f} Mbit/s"
    late = f"{half:,} us (half), {most:,} us (99 %), {nearly:,} us (99.9 %), {worst:,} us (the worst)"
    lines = [f"timing {verdict(timing)}", f"{carried}, {timing['lost']:,} lost in the network; late by {late}"]
    if timing["stalls"]:
        lines.append(
            f"{count(timing['stalls'], 'stall')} of the machine, the longest {timing['longest_stall_ms']:,.1f} ms"
        )
    longest = max((many for _, many in timing["histogram"]), default=1)
    for bound, many in timing["histogram"]:
        lines.append(f"up to {bound:>9,} us {many:>11,} {'#' * -(-WIDTH * many // longest)}")
    return lines
