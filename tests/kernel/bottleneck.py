"""A bottleneck between two hosts of this kernel: three namespaces, a token bucket, and a wire.

    sender -- veth -- router [token bucket] -- wire -- [token bucket] receiver

The namespaces belong to processes that end with ours, whatever ends it, so that nothing can be left behind.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

HERE = Path(__file__).parent
PORT = "5001"
PACKET = 1500
ON_THE_WIRE = 38
"""What Ethernet adds to a packet: header 14, check sequence 4, preamble 8, gap 12."""
SETTINGS = {
    "net.ipv4.tcp_rmem": "4096 131072 33554432",
    "net.ipv4.tcp_wmem": "4096 16384 4194304",
    "net.ipv6.conf.all.disable_ipv6": "1",
}
"""Buffers as the kernel has them by default, whatever this machine's are, and no neighbours' talk."""


@dataclass(frozen=True)
class Bottleneck:
    """What a bottleneck is."""

    mbps: int
    """The rate, of all that is on the wire."""
    queue: int
    """The queue before it, in full packets, the one being sent among them."""
    delay_ms: float
    """The propagation time, one way."""


def run(*command: str) -> str:
    """Runs a command to its end; what it complains of is in the error."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.returncode}")
    return done.stdout


def python(module: str, *words: str) -> tuple[str, ...]:
    """The command that runs a module of this package."""
    return (sys.executable, "-m", f"kernel.{module}", *words)


class Process:
    """A program that says a line when it is ready and ends when its standard input does."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            command, cwd=HERE.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        """It runs already."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends it."""
        self.close()

    def close(self) -> None:
        """Ends it at once."""
        self.process.kill()
        self.process.communicate()

    def line(self) -> str:
        """The next line that it says."""
        if self.process.stdout is None:
            raise AssertionError
        line = self.process.stdout.readline()
        if not line:
            complaint = self.process.communicate()[1].strip()
            raise RuntimeError(complaint or f"{self.process.args!r} said nothing")
        return line.strip()

    def end(self, timeout: float) -> str:
        """Ends its standard input and waits for it: the rest of what it says."""
        return self.process.communicate(timeout=timeout)[0]


class Namespace(Process):
    """A network namespace, which lasts as long as the process in it."""

    def __init__(self) -> None:
        super().__init__("unshare", "--net", "cat")

    def __enter__(self) -> Self:
        """Waits for the namespace and sets it up."""
        try:
            self.answer()
            for key, value in SETTINGS.items():
                if Path("/proc/sys", key.replace(".", "/")).exists():
                    self.run("sysctl", "-qw", f"{key}={value}")
            self.ip("link set lo up")
        except BaseException:
            self.close()
            raise
        return self

    def answer(self) -> None:
        """Waits until the process is in its namespace: it repeats what it hears."""
        if self.process.stdin is None:
            raise AssertionError
        with suppress(BrokenPipeError):
            self.process.stdin.write("there\n")
            self.process.stdin.flush()
        self.line()

    @property
    def pid(self) -> str:
        """By which commands name it."""
        return str(self.process.pid)

    def inside(self, *command: str) -> tuple[str, ...]:
        """The command that runs `command` in it."""
        return ("nsenter", "--net", "--target", self.pid, *command)

    def run(self, *command: str) -> str:
        """Runs a command in it."""
        return run(*self.inside(*command))

    def ip(self, words: str) -> str:
        """Runs `ip` in it."""
        return self.run("ip", *words.split())

    def python(self, *words: str) -> Process:
        """Starts a module of this package in it."""
        return Process(*self.inside(*python(*words)))


def token_bucket(namespace: Namespace, device: str, bottleneck: Bottleneck, packets: int) -> None:
    """Lets pass what the rate allows, one packet at a time; `packets` wait."""
    words = f"""qdisc add dev {device} root tbf rate {bottleneck.mbps}mbit burst 1600
        limit {packets * PACKET} overhead {ON_THE_WIRE}"""
    namespace.run("tc", *words.split())


def connect(stack: ExitStack, bottleneck: Bottleneck, name: str) -> tuple[Namespace, Namespace, Process]:
    """Both ends, and the wire."""
    sender, router, receiver = (stack.enter_context(Namespace()) for _ in range(3))
    near, far = f"air{os.getpid()}{name}0", f"air{os.getpid()}{name}1"
    wire = stack.enter_context(Process(*python("wire", str(bottleneck.delay_ms), near, far)))
    if wire.line() != "ready":
        raise RuntimeError("the wire is not ready")
    run("ip", "link", "set", near, "netns", router.pid)
    run("ip", "link", "set", far, "netns", receiver.pid)
    sender.ip(f"link add veth0 up type veth peer name eth1 netns {router.pid}")
    # One segment per packet, from the socket on.
    sender.ip("link set veth0 gso_max_segs 1")
    sender.ip("address add 10.0.0.1/24 dev veth0")
    sender.ip("route add default via 10.0.0.2")
    router.ip("address add 10.0.0.2/24 dev eth1")
    router.ip("link set eth1 up")
    router.ip(f"address add 10.0.1.1/24 dev {near}")
    router.ip(f"link set {near} up")
    router.run("sysctl", "-qw", "net.ipv4.ip_forward=1")
    receiver.ip(f"address add 10.0.1.2/24 dev {far}")
    receiver.ip(f"link set {far} up")
    receiver.ip("route add default via 10.0.1.1")
    token_bucket(router, near, bottleneck, bottleneck.queue)
    token_bucket(receiver, far, bottleneck, 1000)
    return sender, receiver, wire


def measure(bottleneck: Bottleneck, control: str, seconds: float, name: str) -> dict[str, Any]:
    """What a sender by `control` sees of `bottleneck`; `name` is a letter, different for each that runs now."""
    with ExitStack() as stack:
        sender, receiver, wire = connect(stack, bottleneck, name)
        server = stack.enter_context(receiver.python("host", "receive", PORT))
        server.line()
        client = stack.enter_context(sender.python("host", "send", "10.0.1.2", PORT, control, str(seconds)))
        seen: dict[str, Any] = json.loads(client.end(seconds + 20))
        return seen | {"wire": json.loads(wire.end(5))}
