"""A shell in the background: another program runs its commands on the hosts, one by one."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from airloom.emulation.hosts import ENVIRONMENT
from airloom.emulation.reach import holders, within
from airloom.errors import EmulationError
from airloom.support.itself import itself

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TELL = f'echo "${ENVIRONMENT}"; exec cat'
"""What the shell itself runs: it names the hosts, and ends as nobody writes to it any more."""

INVALID = 3
"""The exit code that calls the timing invalid."""

Command = str | Sequence[str | os.PathLike[str]]
"""A command's words, or a line that is split into words as a shell does it."""


class Hosts:
    """The hosts of a scenario that runs in real time.

    Attributes:
        names: Their names, stations first.
        process: The shell's, for `airloom knob --shell` and `airloom on --shell`.
        timing: How well the machine kept time, in a line; None as long as it runs.
        valid: Whether what was measured may be believed; None as long as it runs.
    """

    def __init__(self, process: int, holders: Mapping[str, int], variables: Mapping[str, str]) -> None:
        """Hosts of a shell by name, each with a process in whose namespaces it lives."""
        self.names = list(holders)
        self.process = process
        self.timing: str | None = None
        self.valid: bool | None = None
        self._holders = holders
        self._variables = {**os.environ, **variables}

    def start(self, host: str, command: Command, **how: Any) -> subprocess.Popen[Any]:
        """Starts a command on a host; it ends with the hosts, if not before.

        Args:
            host: The host's name.
            command: Its words, or a line.
            how: What `subprocess.Popen` takes.

        Raises:
            EmulationError: There is no such host.
        """
        return subprocess.Popen(self._words(host, command), **{"env": self._variables, **how})

    def run(self, host: str, command: Command, **how: Any) -> subprocess.CompletedProcess[Any]:
        """Runs a command on a host; what it prints is caught as text.

        Args:
            host: The host's name.
            command: Its words, or a line.
            how: What `subprocess.run` takes.

        Raises:
            EmulationError: There is no such host.
        """
        usual = {"env": self._variables, "capture_output": True, "text": True, "check": False}
        return subprocess.run(self._words(host, command), **{**usual, **how})  # noqa: PLW1510 - it is in `usual`

    def _words(self, host: str, command: Command) -> list[str]:
        if host not in self._holders:
            raise EmulationError(f"no host {host!r}; there are {', '.join(self.names)}")
        words = shlex.split(command) if isinstance(command, str) else command
        return [*within(self._holders[host]), *(os.fspath(word) for word in words)]


@contextmanager
def shell(
    scenario: str | os.PathLike[str],
    *,
    set: Mapping[str, object] | None = None,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    flows: bool = False,
) -> Iterator[Hosts]:
    """The hosts of a scenario while its world moves along with the clock: what `airloom shell` does, for a program.

    >>> import airloom
    >>> with airloom.shell("examples/download.toml") as hosts:  # doctest: +SKIP
    ...     server = hosts.start("server", "iperf3 -s")
    ...     print(hosts.run("laptop", "iperf3 -c server").stdout)

    Args:
        scenario: The scenario's file.
        set: Values over the scenario's, by key.
        seed: The seed, in place of the scenario's own.
        out: A folder for a bundle with captures.
        flows: Leave the scenario's own flows in.

    Raises:
        EmulationError: This machine does not allow it, or the scenario is wrong.
    """
    options = [
        *(word for key, value in (set or {}).items() for word in ("--set", f"{key}={value}")),
        *(["--seed", str(seed)] if seed is not None else []),
        *(["--out", os.fspath(out)] if out is not None else []),
        *(["--flows"] if flows else []),
    ]
    command = itself("shell", os.fspath(scenario), *options, "--", "sh", "-c", TELL)
    package = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryFile("w+") as said:
        outside = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        with outside:
            known = outside.stdout.readline() if outside.stdout else ""
            if not known:
                outside.wait()
                raise EmulationError(words_of(said) or f"`airloom shell` ended with {outside.returncode}")
            names = [word.rpartition("=")[0] for word in known.split()]
            hosts = Hosts(outside.pid, holders(outside.pid, names), {ENVIRONMENT: known.strip()})
            try:
                yield hosts
            finally:
                with suppress(BrokenPipeError):
                    outside.communicate()
        found = re.search(r"^airloom: timing (.*)$", contents(said), re.MULTILINE)
        hosts.timing = found[1] if found else None
        hosts.valid = outside.returncode != INVALID


def contents(file: IO[str]) -> str:
    """All that a file has."""
    file.seek(0)
    return file.read()


def words_of(file: IO[str]) -> str:
    """What a program said on its way out, without its name."""
    return contents(file).strip().removeprefix("airloom: ")
