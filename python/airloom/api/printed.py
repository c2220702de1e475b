"""What commands print with `--json`, as types: those of documents that no room below has a type for."""

from typing import Any, Literal, NotRequired, TypedDict

from airloom.diagnosis.shapes import Rule
from airloom.papers.scorer import Score
from airloom.results.summary import Summary


class Mistaken(TypedDict):
    """A mistake or a warning, with its place: `line` and `column` from 1, and the `KEY=VALUE` of a `--set`."""

    file: str
    line: int
    column: int
    message: str
    hint: str | None
    setting: str | None


class Checked(TypedDict):
    """What a check found, or what a command refused and why."""

    ok: bool
    message: NotRequired[str]
    mistakes: list[Mistaken]
    warnings: list[Mistaken]
    resolved: NotRequired[str]
    cells: NotRequired[int]
    unknowns: NotRequired[int]
    measurements: NotRequired[int]


class Ran(Summary):
    """A run: its bundle's folder, the results version, and all that its summary says."""

    bundle: str
    results_version: int


class Compared(TypedDict):
    """Runs side by side: their summaries by folder, and what differs in their scenarios, a value for each run.

    `notes` are sentences: what is wrong with a run or has not settled, what figures are of, and what of that which
    differs changed nothing or never acted.
    """

    runs: dict[str, Summary]
    differences: dict[str, list[str]]
    notes: list[str]


class Reported(TypedDict):
    """A page that was written."""

    report: str


class Demonstrated(Reported):
    """The page of the demo, and its bundles by name."""

    runs: dict[str, str]


class Doubts(TypedDict):
    """The cells of a sweep in which a figure still changes as the run ends, and those with flows without a byte."""

    unsettled: list[int]
    silent: list[int]


class Swept(Doubts):
    """What a sweep did: how many cells there are, were run now and are done; the errors of others, by number.

    `warnings` say in how many cells each of them is.
    """

    folder: str
    cells: int
    run: int
    done: int
    failed: dict[str, str]
    hindered: dict[str, str]
    warnings: list[Mistaken]


class Progress(Doubts):
    """How far a sweep is, its axes with their values, and the columns of its table."""

    cells: int
    done: int
    failed: dict[str, str]
    hindered: dict[str, str]
    axes: dict[str, list[Any]]
    columns: list[str]


Ends = TypedDict("Ends", {"from": float | None, "to": float | None})
"""The ends of a mean's interval."""


class Point(Ends):
    """A metric at a value of the key, which the point has under the key's own name, and in a line.

    `margin` is half the width of the interval; `low` and `high` are the least and the greatest seed.
    """

    line: str
    metric: str
    members: NotRequired[str]
    mean: float | None
    margin: float | None
    low: float | None
    high: float | None
    count: int
    unsettled: int
    silent: int


class Shown(TypedDict):
    """A metric of a sweep against one key, and the other keys whose values are not the same at all points.

    `notes` are sentences: what a value is, what is doubtful of them, and what of the axes changed nothing or never
    acted.
    """

    points: list[Point]
    unlike: list[str]
    notes: list[str]


class SweptCell(TypedDict):
    """A cell of a sweep: its place, what became of it, the command that runs it, and what it found."""

    cell: int
    place: dict[str, Any]
    state: str
    command: str
    summary: Summary | None


class Wave(TypedDict):
    """A wave of a fit: its points, the share of the region that it left, and how far off the best was."""

    points: int
    share: float
    least: float


class Region(TypedDict):
    """What is plausible: its share of what was thought possible, the bound, and the waves that led there."""

    empty: bool
    share: float
    bound: float
    least: float
    waves: list[Wave]
    failed_runs: int


class Posterior(TypedDict):
    """How many draws and worlds there are, as how many worlds of one weight they count, and how odd what came is."""

    draws: int
    worlds: int
    effective_worlds: float
    surprise: float | None


class Tied(TypedDict):
    """Two unknowns that only go together."""

    parameters: list[str]
    correlation: float


class Excluding(TypedDict):
    """Measurements that exclude each other, and how far off the best world is."""

    measurements: list[str]
    least: float


class Fitted(TypedDict):
    """What a fit found: `fit.json`."""

    airloom: str
    results_version: int
    title: str
    parameters: list[dict[str, Any]]
    region: Region
    posterior: Posterior | None
    unidentified: list[str]
    tied: list[Tied]
    short: dict[str, Any] | None
    aside: list[str]
    excluding: list[Excluding]
    predictions: list[dict[str, Any]]
    evidence: NotRequired[list[dict[str, Any]]]
    evidence_worlds: NotRequired[float | None]


class Rules(TypedDict):
    """What the rules of `airloom diagnose` say of themselves."""

    rules: list[Rule]


class MachineCheck(TypedDict):
    """A check of `airloom doctor`: what it finds, and where that is from."""

    code: str
    name: str
    finds: str
    source: str


class MachineChecks(TypedDict):
    """The checks of `airloom doctor`."""

    checks: list[MachineCheck]


class Field(TypedDict):
    """A field of a PPDU, or several alike in a row."""

    name: str
    us: float
    each_us: float
    times: int


class Part(TypedDict):
    """A part of a frame exchange."""

    name: str
    us: float
    rate_mbps: float | None


class Airtime(TypedDict):
    """What one exchange takes."""

    rate: str
    rate_mbps: float
    psdu_bytes: int
    payload_bytes: int
    ppdu_us: float
    exchange_us: float
    goodput_mbps: float
    expected_us: int
    ppdu: list[Field]
    exchange: list[Part]


class KeyInTable(TypedDict):
    """A key of a table: what can be written, its default, and what it means."""

    path: str
    values: str
    default: str
    required: bool
    profile: str | None
    meaning: str


class KeyTable(TypedDict):
    """A table that a key may be: the one value that tells it from others, if any, and its keys."""

    told: str
    keys: list[KeyInTable]


class InProfile(TypedDict):
    """What a profile says of a key, and where that is from."""

    profile: str
    value: str
    source: str


class Described(KeyInTable):
    """A key of scenario files, with the tables that it may be and what profiles say of it."""

    tables: list[KeyTable]
    profiles: list[InProfile]


class ValueOfProfile(TypedDict):
    """A value of a profile, its source, and the claim that it was fitted to, if any."""

    key: str
    value: str
    source: str
    calibrated: str | None


class OneProfile(TypedDict):
    """A host, an adapter, a scanner or a processor."""

    kind: Literal["host", "adapter", "scanner", "processor"]
    name: str
    description: str
    path: str
    chips: list[str]
    values: list[ValueOfProfile]


class Profiles(TypedDict):
    """All profiles."""

    profiles: list[OneProfile]


class ListedPaper(TypedDict):
    """A paper: how many claims it makes, its runs, and the runs of its grids."""

    id: str
    title: str
    claims: int
    runs: list[str]
    grids: dict[str, list[str]]


class ListedPapers(TypedDict):
    """The papers that there are."""

    papers: list[ListedPaper]


class PaperRuns(TypedDict):
    """The folders of bundles, by paper and run."""

    bundles: dict[str, dict[str, str]]


class Scores(TypedDict):
    """What becomes of the claims of papers."""

    scores: list[Score]


class PaperPages(TypedDict):
    """Pages, by paper."""

    pages: dict[str, str]


class Capture(TypedDict):
    """A capture that was recorded: its file in the folder, what tcpdump saw, what the kernel dropped, and its size."""

    file: str
    packets: int
    dropped: int
    octets: int


class Collected(TypedDict):
    """What was recorded: when it began (s since the epoch), for how long, and what is missing."""

    began: float
    took: float
    interface: str
    captures: list[Capture]
    events: int
    looks: int
    missing: list[str]
