"""The tools, each a command: what an agent gives, and the words that it stands for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta, field

from airloom.errors import RunError
from airloom.mcp.tool import Force, Seed, Settings, Text, Tool, Words, option, set_words

if TYPE_CHECKING:
    from airloom.mcp.folder import Folder


class Check(Tool):
    """Check a scenario, a sweep's grid or a fit's problem without running it: all mistakes at once, with their places.

    Use it first, after every change of a file, and before `run`, `sweep` or `fit`; it takes a fraction of a second.
    `ok` says whether there is no mistake; each mistake has its line, its column and often the likely word as `hint`.
    Warnings are about what a sound scenario says but probably does not mean. `text` writes the file first. Files under
    `examples/` and `papers/` come with airloom, such as examples/download.toml.
    """

    PRINTS: ClassVar[str] = "check"
    WRITES: ClassVar[bool] = True

    file: Annotated[str, Meta(description="A scenario, a grid or a problem: a file that ends in .toml.")]
    text: Text = None
    force: Force = False
    settings: Settings = field(default_factory=dict)
    seed: Seed = None
    resolved: Annotated[bool, Meta(description="Answer with the scenario, every default spelled out, too.")] = False

    def commands(self, folder: Folder) -> list[Words]:
        """One command."""
        file = given(folder, self.file, self.text, force=self.force)
        words = ["check", file, *set_words(self.settings), *option("--seed", self.seed)]
        return [[*words, *option("--resolved", self.resolved)]]


class Run(Tool):
    """Simulate a scenario of TCP over Wi-Fi, and get the figures of every flow, queue and radio.

    Use it to see what one network does, and to try a remedy: the same scenario with other `settings`, and `compare`
    after that. The answer is the run's summary; `bundle` is the folder that `compare` takes. A minute of one network
    takes about a second. For many values or seeds use `sweep`. What keys mean says `schema`.
    """

    PRINTS: ClassVar[str] = "run"
    WRITES: ClassVar[bool] = True

    scenario: Annotated[str, Meta(description="The scenario file, which ends in .toml.")]
    text: Text = None
    settings: Settings = field(default_factory=dict)
    seed: Seed = None
    out: Annotated[str | None, Meta(description="The bundle's folder; without it the scenario's name with .run.")] = (
        None
    )
    force: Force = False
    report: Annotated[bool, Meta(description="Write a page for people, report.html, into the bundle.")] = False
    capture: Annotated[
        bool, Meta(description="Write captures for Wireshark and `diagnose`: air.pcapng, and one for each host.")
    ] = False
    capture_window: Annotated[
        str | None, Meta(description='When to capture, if not always: "25 s..36 s".', examples=["25 s..36 s"])
    ] = None

    def commands(self, folder: Folder) -> list[Words]:
        """One command."""
        scenario = given(folder, self.scenario, self.text, force=self.force)
        words = ["run", scenario, "-o", made(folder, self.out, scenario, ".run"), *set_words(self.settings)]
        options: list[tuple[str, object]] = [("--seed", self.seed), ("--force", self.force), ("--report", self.report)]
        options += [("--capture", self.capture), ("--capture-window", self.capture_window)]
        return [words + [word for name, value in options for word in option(name, value)]]


class Compare(Tool):
    """Put runs side by side: the figures of each, and what differs in their scenarios.

    Use it after two or more calls of `run`, to say what a change did. One seed of each is one sample: to say how sure a
    difference is, use `sweep` with several seeds.
    """

    PRINTS: ClassVar[str] = "compare"
    WRITES: ClassVar[bool] = True

    runs: Annotated[
        list[str], Meta(description="The folders of two bundles or more, as `run` names them.", min_length=2)
    ]
    report: Annotated[str | None, Meta(description="Write a page of all of them into this file, NAME.html.")] = None

    def commands(self, folder: Folder) -> list[Words]:
        """One command."""
        page = None if self.report is None else folder.written(self.report)
        return [["compare", *map(folder.read, self.runs), *option("--report", page)]]


class Sweep(Tool):
    """Run a grid of scenarios, all combinations of some values with several seeds, on all cores; and show a metric.

    Use it for a question about a range of values, or where a difference has to be told from chance. A grid is a short
    file: `scenario = "x.toml"`, `seeds = 5`, and under `[axis]` keys with lists of values:
    `"ap.0.queue.limit" = ["50 packets", "200 packets"]`. If the time is over before all cells are done, what was done
    is kept, and the same call goes on from there. With `metric` and `by` the answer has `points`: the mean over the
    seeds with its 95 % interval (`from`, `to`), for each value and each `of`.
    """

    PRINTS: ClassVar[str] = "sweep"
    WRITES: ClassVar[bool] = True

    grid: Annotated[str, Meta(description="The grid file, which ends in .toml; its scenario lies beside it.")]
    text: Text = None
    out: Annotated[
        str | None, Meta(description="The folder of the results; without it the grid's name with .sweep.")
    ] = None
    force: Annotated[bool, Meta(description="Replace a grid file that says something else.")] = False
    retry: Annotated[bool, Meta(description="Run those cells again that failed.")] = False
    metric: Annotated[
        str | None, Meta(description="A metric to be shown.", examples=["goodput_mbps", "rtt_p95_ms"])
    ] = None
    by: Annotated[str | None, Meta(description="The key along which it is shown: an axis, or entity.")] = None
    lines: Annotated[list[str], Meta(description="Further keys, whose values have points of their own.")] = field(
        default_factory=list
    )
    of: Annotated[str | None, Meta(description="The flow, the node or the group whose metric it is; else all.")] = None
    over: Annotated[str | None, Meta(description="What of a group is shown: sum, mean, median, worst and so on.")] = (
        None
    )
    where: Annotated[dict[str, Any], Meta(description="Only cells with these values, by key.")] = field(
        default_factory=dict
    )

    def commands(self, folder: Folder) -> list[Words]:
        """The grid's, and what shows the metric."""
        asked = {"--metric": self.metric, "--by": self.by, "--of": self.of, "--over": self.over}
        if (self.metric is None) != (self.by is None):
            raise RunError("a metric is shown along a key: give both `metric` and `by`")
        if self.metric is None and (self.lines or self.where or self.of or self.over):
            raise RunError("`lines`, `of`, `over` and `where` say how a metric is shown: give `metric` and `by`, too")
        grid = given(folder, self.grid, self.text, force=self.force)
        out = made(folder, self.out, grid, ".sweep")
        words = [["sweep", grid, "-o", out, *option("--retry", self.retry)]]
        if self.metric is not None:
            asked_for = [word for name, value in asked.items() for word in option(name, value)]
            asked_for += [f"--lines={key}" for key in self.lines]
            asked_for += [f"--where={key}={value}" for key, value in self.where.items()]
            words.append(["sweep", "show", out, *asked_for])
        return words


class Diagnose(Tool):
    """Say what went wrong in captures of TCP over Wi-Fi, how sure that is, what it cost and what helps.

    Use it on captures of a monitor or of hosts (pcap or pcapng, gzipped or not), of the same time, from anywhere or of
    `run` with `capture`. `findings` are what rules found with evidence; `abstained` are rules that cannot tell, and
    why. A rule that is in neither looked and found nothing.
    """

    PRINTS: ClassVar[str] = "diagnose"
    WRITES: ClassVar[bool] = True

    captures: Annotated[list[str], Meta(description="Captures of the same time, or a folder of them.", min_length=1)]
    out: Annotated[
        str | None, Meta(description="Write it too: a page for people if the name ends in .html, else a folder.")
    ] = None
    force: Force = False

    def commands(self, folder: Folder) -> list[Words]:
        """One command."""
        out = None if self.out is None else folder.written(self.out)
        return [["diagnose", *map(folder.read, self.captures), *option("--out", out), *option("--force", self.force)]]


class Doctor(Tool):
    """Say what is silently wrong for TCP over the Wi-Fi of a Linux machine, by what evidence, and what mends it.

    Use it on a snapshot that `airloom doctor --snapshot` left in the folder; without one it examines the machine that
    this server runs on, which it reads and does not change. Commands that mend something are for people to run.
    """

    PRINTS: ClassVar[str] = "doctor"

    file: Annotated[str | None, Meta(description="A snapshot of a machine, in place of this machine.")] = None

    def commands(self, folder: Folder) -> list[Words]:
        """One command."""
        return [["doctor", *([] if self.file is None else [folder.read(self.file)])]]


class Fit(Tool):
    """Find the networks that a measurement allows, what it says nothing about, and what of it excludes what.

    Use it to go from measured figures back to what cannot be seen, such as a loss or a queue's length. A problem is a
    file: `scenario`, `[parameter.NAME]` with `sets`, `from` and `to`, and `[[measured]]` with `metric`, `of`, `value`
    and `error`. It takes hundreds of runs: if the time is over before, what was run is kept, and the same call goes on
    from there. Needs airloom[fit].
    """

    PRINTS: ClassVar[str] = "fit"
    WRITES: ClassVar[bool] = True

    problem: Annotated[str, Meta(description="The problem file, which ends in .toml; its scenario lies beside it.")]
    text: Text = None
    out: Annotated[
        str | None, Meta(description="The folder of the results; without it the problem's name with .fit.")
    ] = None
    force: Annotated[bool, Meta(description="Replace a problem file that says something else.")] = False
    hold_out: Annotated[str | None, Meta(description="The fold of measurements that is predicted, not fitted.")] = None

    def commands(self, folder: Folder) -> list[Words]:
        """One command."""
        problem = given(folder, self.problem, self.text, force=self.force)
        words = ["fit", problem, "-o", made(folder, self.out, problem, ".fit")]
        return [[*words, *option("--hold-out", self.hold_out)]]


class Airtime(Tool):
    """Compute how long a frame and its exchange are on the air, piece by piece, and the goodput if nothing is lost.

    Use it to know what a rate can give at best, or what aggregation is worth. Nothing is simulated. Durations are in
    microseconds.
    """

    PRINTS: ClassVar[str] = "airtime"

    standard: Annotated[str, Meta(description="802.11a, b, g, n, ac, ax or be.", examples=["802.11ax"])]
    mpdu: Annotated[int | None, Meta(description="Bytes of an MPDU from its MAC header to its FCS; else 1540.")] = None
    count: Annotated[int | None, Meta(description="MPDUs in the PPDU; else one.")] = None
    msdus_per_amsdu: Annotated[int | None, Meta(description="Packets in each MPDU, from 802.11n on; else one.")] = None
    mcs: Annotated[int | None, Meta(description="Modulation and coding scheme, from 802.11n on.")] = None
    streams: Annotated[int | None, Meta(description="Spatial streams, from 802.11n on: 1 to 4.")] = None
    width: Annotated[int | None, Meta(description="Of the frame, in MHz: 20, 40, 80, 160 or 320.")] = None
    guard_interval: Annotated[str | None, Meta(description="0.4us or 0.8us; from 802.11ax on to 3.2us.")] = None
    ltf: Annotated[int | None, Meta(description="Size of long training fields from 802.11ax on: 1, 2 or 4.")] = None
    packet_extension: Annotated[str | None, Meta(description="From 802.11ax on: 0us to 20us.")] = None
    padding: Annotated[str | None, Meta(description="The receiver's nominal packet padding from 802.11ax on.")] = None
    punctured: Annotated[int | None, Meta(description="What of the width is left out in 802.11be, in MHz.")] = None
    code: Annotated[str | None, Meta(description="Of 802.11ac: ldpc or bcc.")] = None
    rate: Annotated[float | None, Meta(description="In Mbit/s, below 802.11n.")] = None
    preamble: Annotated[str | None, Meta(description="Of 802.11b: long or short.")] = None
    band: Annotated[str | None, Meta(description="2.4 GHz, 5 GHz or 6 GHz.")] = None
    rts: Annotated[bool, Meta(description="RTS and CTS come first.")] = False
    aifsn: Annotated[int | None, Meta(description="Slots after SIFS before the backoff; else as best effort.")] = None
    cw_min: Annotated[int | None, Meta(description="The contention window in slots.")] = None

    def commands(self, folder: Folder) -> list[Words]:
        """One command."""
        del folder  # nothing is read
        options = {f"--{name.replace('_', '-')}": getattr(self, name) for name in self.__struct_fields__}
        return [["airtime", *(word for name, value in options.items() for word in option(name, value))]]


class Schema(Tool):
    """Say what a key of scenario files means: its values, its default, its unit, and what profiles say of it.

    Use it before you write a scenario: without arguments it lists the tables there are (air, ap, station, flow and so
    on); with `key` such as station or flow.tcp the keys of one. With `json_of` it gives the JSON Schema of what another
    tool answers, with the meaning and the unit of each key: run, compare, sweep, diagnose and so on.
    """

    key: Annotated[str | None, Meta(description="A table or a key.", examples=["flow.tcp"])] = None
    json_of: Annotated[str | None, Meta(description="The name of a tool, or of a document.", examples=["run"])] = None

    def commands(self, folder: Folder) -> list[Words]:
        """One command."""
        del folder  # nothing is read
        words = [] if self.key is None else [behind(self.key)]
        return [["schema", *words, *option("--json-of", self.json_of)]]


TOOLS: dict[str, type[Tool]] = {
    "check": Check,
    "run": Run,
    "compare": Compare,
    "sweep": Sweep,
    "diagnose": Diagnose,
    "doctor": Doctor,
    "fit": Fit,
    "airtime": Airtime,
    "schema": Schema,
}
"""The tools by name, in the order in which they are listed."""


def given(folder: Folder, name: str, text: str | None, *, force: bool) -> str:
    """The word for a file, which is written first if its text is given."""
    if text is not None:
        folder.put(name, text, replace=force)
    return folder.described(name)


def made(folder: Folder, out: str | None, file: str, suffix: str) -> str:
    """The word for the folder of what comes of a file: as it was asked for, or as the command would name it."""
    return folder.written(f"{Path(file).stem}{suffix}" if out is None else out)


def behind(word: str) -> str:
    """A word that is no option.

    Raises:
        RunError: It is one.
    """
    if word.startswith("-"):
        raise RunError(f"{word}: is no key of scenario files")
    return word
