"""What our runs say about TCP through a USB 1.1 adapter: the bus, the timers, the collisions, the rates."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from airloom.analysis import tcp_trace
from airloom.papers.measure import Measures, Ours
from airloom.support.statistics import mean, percentile

if TYPE_CHECKING:
    from airloom.analysis.run_view import RunView
    from airloom.analysis.tcp_trace import Sender
    from airloom.papers.grid_runs import GridRuns

MEASURES = Measures()
claim = MEASURES.claim

LAPTOP, AP, SERVER = "laptop", "ap", "server"

ZERO = 0.005
"""Mbit/s below which a standard deviation is one that Table 2 prints as 0.00."""

STEADY = 0.025
"""Mbit/s below which a standard deviation is printed as 0.02: that of the one column which the bus limits and which is
not printed as zero."""

SCATTERED = (0.025, 0.065)
"""Mbit/s between which the list has those of the columns of which the air is the bottleneck: 0.03 to 0.06 as printed.
Ten runs know a deviation to a factor of two (F of 9 and 9 degrees of freedom is 4.03 at 95 %), which would be wider."""

SAME = 0.10
"""What is called the same of one thing, with queued transfers and without, differs by no more than this share."""

INCREASED = 1.25
"""A throughput that increased exceeds the other by more than this factor: by more than slightly."""

SLIGHTLY = 0.20
"""One throughput is slightly above another when it exceeds it by no more than this share: by a quarter elsewhere, but
by less than the 23 % against which the sentence sets the word."""

AFTER = 0.15
"""Seconds after the end of a spell by which TCP has handled the held acknowledgments."""

DAMAGED = 0.00725
"""The share of frames that the channel alone damages, which are paired with nothing: the middle of the 0.47 to 0.98 %
of UDP in the same section."""

COLLIDED = 0.04655 - DAMAGED
"""The share of all data frames of both senders that collide: the middle of 4.58 to 4.73 % less the former."""

PAIRED_OF_DATA = COLLIDED * 1.5 / 2
"""The same of the sender's, with an acknowledgment for two of them: half of what collides is its."""

PAIRED = PAIRED_OF_DATA / (PAIRED_OF_DATA + DAMAGED)
"""The share of lost data frames that are always paired."""

TWICE = 2
"""So often the printed run waits for the receiver's timer."""

SEVERAL = 3
"""The fewest that are several."""

ABOUT = 0.15
"""What *about* allows, relatively."""

ABOUT_100_MS = (0.05, 0.15)
"""What *about 100 ms* allows, in seconds: half of the digit that is given."""

INNER = (0.05, 0.95)
"""The percentiles between which a quantity is said to lie."""


@MEASURES.quantity("goodput")
def goodput(view: RunView) -> float:
    """Payload that the server received, in Mbit/s."""
    return view.flow["goodput_mbps"]


def over(cells: GridRuns) -> Ours:
    """The mean of the goodput over some runs."""
    spread = cells.spread(goodput)
    return Ours(spread.mean, f"{len(cells)} runs, {spread.low:.3f} to {spread.high:.3f} Mbit/s")


# ---------------------------------------------------------------------------------------------------- the bus

claim("usb.table1.linux", "bug")(over)
claim("usb.table1.windows", "windows")(over)


def mode(fsbr: str, traversal: str, transfer: str) -> None:
    """Registers the claim of one column of Table 2."""
    words = {"off": "nofsbr", "on": "fsbr", "breadth": "bf", "depth": "df", "single": "qless", "queued": "queued"}
    name = f"usb.table2.{words[traversal]}.{words[fsbr]}.{words[transfer]}"

    @claim(name, "modes")
    def of(modes: GridRuns) -> Ours:
        cells = modes.where(fsbr=fsbr, traversal=traversal, transfer=transfer)
        ours = over(cells)
        if (fsbr, transfer) != ("off", "queued"):
            return ours
        alone = modes.where(fsbr=fsbr, traversal=traversal, transfer="single")
        factor = cells.mean(goodput) / alone.mean(goodput)
        return Ours(ours.value, ours.note, sound=queueing_tells(factor, traversal))


for _fsbr in ("off", "on"):
    for _traversal in ("breadth", "depth"):
        for _transfer in ("single", "queued"):
            mode(_fsbr, _traversal, _transfer)


def queueing_tells(factor: float, traversal: str) -> bool:
    """Whether queued transfers change nothing breadth first, and increase throughput depth first."""
    return abs(factor - 1) <= SAME if traversal == "breadth" else factor > INCREASED


@claim("usb.table2.stddev", "modes")
def spread(modes: GridRuns) -> Ours:
    """The deviation over ten runs, by column: small where the bus is the bottleneck, larger where the air is."""
    deviations = {
        fsbr: [
            statistics.stdev(goodput(view) for view in cells)
            for part in modes.where(fsbr=fsbr).by("traversal").values()
            for cells in part.by("transfer").values()
        ]
        for fsbr in ("off", "on")
    }
    bus, air = deviations["off"], deviations["on"]
    return Ours(
        scattered(bus, air),
        f"{', '.join(f'{d:.4f}' for d in bus)} on the bus, {', '.join(f'{d:.4f}' for d in air)} on the air, Mbit/s",
    )


def scattered(bus: Sequence[float], air: Sequence[float]) -> bool:
    """Whether deviations, in the order of the table's columns, are as those that are printed, and ordered so."""
    *zeros, queued = bus
    steady = max(zeros) < ZERO and queued < STEADY
    likewise = all(SCATTERED[0] <= deviation < SCATTERED[1] for deviation in air)
    return steady and likewise


# -------------------------------------------------------------------------------------- held acknowledgments


@dataclass(frozen=True)
class Spell:
    """A spell in which acknowledgments were held back, and the timeout that came of it.

    Attributes:
        start: When it began, in seconds.
        end: When it ended.
        timeout: When the timer expired.
        before: The window before, in segments.
        after: The window once the first ACK that was held back had been read.
        thresholds: The slow-start threshold before the timeout, and at that time.
        state: TCP's state at that time.
        again: Segments that TCP sent again from the timeout on.
    """

    start: float
    end: float
    timeout: float
    before: float
    after: float
    thresholds: tuple[float | None, float | None]
    state: str
    again: int

    @property
    def recognised(self) -> bool:
        """Whether TCP saw that nothing was lost: it is open again with more of its window than a loss would have left.

        The old window is restored and then moderated: no more than what is in flight and a small burst.
        """
        return self.state == "open" and self.after > self.before / 2 and self.again == 1

    @property
    def restored(self) -> bool:
        """Whether the threshold is no lower than before, too; Linux raises it to remember the window.

        That is what tcp_current_ssthresh() does, which tcp_enter_loss() keeps to be restored.
        """
        before, after = self.thresholds
        return self.recognised and after is not None and (before is None or math.isnan(before) or after >= before)


def spells(view: RunView) -> list[Spell]:
    """The spells of a run that led to a timeout."""
    flow = view.flow["name"]
    tcp = tcp_trace.sender(view.run, flow, "tcp")
    log = [row for row in view.run.sockets if row["flow"] == flow]
    found = []
    for start, end in tcp_trace.holds(view.run, LAPTOP):
        timeout = next((time for time in tcp_trace.timeouts(view.run, flow) if start <= time <= end), None)
        if timeout is None:
            continue
        until = end + AFTER
        again = sum(segment.again and timeout <= segment.time <= until for segment in tcp.segments)
        before = [row for row in log if row["time"] < timeout][-1]
        # The state directly after the first acknowledgment has been read.
        first = min(time for time, _ in tcp.acks if time >= end)
        last = [row for row in log if row["time"] <= first + 1e-6][-1]
        thresholds = (before["ssthresh"], last["ssthresh"])
        found.append(Spell(start, end, timeout, before["cwnd"], last["cwnd"], thresholds, last["state"], again))
    return found


def described(found: Sequence[Spell]) -> str:
    """Spells in words."""
    return "; ".join(
        f"timer at {spell.timeout:.2f} s, window {spell.before:.0f} to {spell.after:.0f} ({spell.state}), "
        f"{spell.again} sent again"
        for spell in found
    )


@claim("usb.ackhold.timeout", "hold", "hold-not")
def timeout(hold: RunView, clear: RunView) -> Ours:
    """Every spell makes the timer expire, though no frame is lost for good; without them it never does."""
    lost = sum(drop["count"] for drop in hold.run.summary["drops"])
    held, ends = tcp_trace.holds(hold.run, LAPTOP), spells(hold)
    lengths = [1e3 * (end - start) for start, end in held]
    return Ours(
        0 < len(held) == len(ends) and lost == 0 and clear.flow["timeouts"] == 0,
        f"{len(ends)} timeouts in {len(held)} spells of {mean(lengths):.0f} ms, {lost} packets lost; "
        f"{clear.flow['timeouts']} timeouts without spells",
    )


@claim("usb.ackhold.first", "hold", "hold-stamped")
def first(hold: RunView, stamped: RunView) -> Ours:
    """The first timeout is taken for a loss, and slow start sends a burst again; with the stamp right it is not."""
    stale, right = spells(hold)[:1], spells(stamped)[:1]
    return Ours(
        bool(stale and right) and not stale[0].recognised and stale[0].again >= SEVERAL and right[0].recognised,
        f"{described(stale)}; with the stamp right: {described(right)}",
    )


@claim("usb.ackhold.second", "hold")
def second(hold: RunView) -> Ours:
    """Later timeouts are found to be spurious, and the threshold is restored, as it is tried with the window."""
    later = spells(hold)[1:]
    return Ours(bool(later) and all(spell.restored for spell in later), described(later))


@claim("usb.ackhold.view", "hold", "hold-queued")
def views(hold: RunView, queued: RunView) -> Ours:
    """Data seems to be sent again after its acknowledgment below the queue; not at TCP, nor where no queue is."""
    counts = [late(hold, "tcp"), late(hold, "device, sent"), late(queued, "device, sent")]
    return Ours(
        counts[0] == 0 < counts[1] and counts[2] == 0,
        f"sent again after its ACK: {counts[0]} at TCP, {counts[1]} below the queue, {counts[2]} with an empty queue",
    )


def late(view: RunView, place: tcp_trace.Place) -> int:
    """Segments that one place saw again after they had been acknowledged."""
    seen = tcp_trace.sender(view.run, view.flow["name"], place)
    return sum(segment.again and segment.late for segment in seen.segments)


@claim("usb.dupack", "hold")
def duplicates(hold: RunView) -> Ours:
    """After the burst three and more duplicate ACKs come, below what was outstanding at the timeout: no recovery."""
    tcp = tcp_trace.sender(hold.run, hold.flow["name"], "tcp")
    found = [
        (spell, many, ack)
        for spell in spells(hold)
        for time, ack, many in tcp.duplicates()
        if spell.timeout < time < spell.end + AFTER and many >= 3
        if ack <= outstanding(tcp, spell.timeout)
    ]
    recoveries = hold.flow["recoveries"]
    return Ours(
        bool(found) and recoveries == 0,
        f"{max((many for _, many, _ in found), default=0)} duplicate ACKs, {recoveries} recoveries",
    )


def outstanding(tcp: Sender, time: float) -> int:
    """The highest byte that had been sent by then: the recovery point of a timeout."""
    return max(segment.end for segment in tcp.segments if segment.time <= time)


# ------------------------------------------------------------------------------------------------- collisions


@MEASURES.quantity("retried")
def retried(view: RunView) -> float:
    """The share of retransmissions among all data frames on the air, those of the access point included."""
    nodes = [node for node in view.run.summary["nodes"] if "mpdu_retries" in node]
    return sum(node["mpdu_retries"] for node in nodes) / sum(node["ampdus"] for node in nodes)


@claim("usb.collide.udp", "collide-udp")
@claim("usb.collide.tcp", "collide")
def retransmissions(view: RunView) -> Ours:
    """That share; beside it each sender's own. The text does not say of which frames: ours is a chosen reading."""
    parts = {
        name: view.total(name, "mpdu_retries") / view.total(name, "ampdus")
        for name in (LAPTOP, AP)
        if view.total(name, "ampdus")
    }
    return Ours(retried(view), ", ".join(f"{name} {share:.2%}" for name, share in parts.items()))


@claim("usb.collide.paired", "collide")
def paired(view: RunView) -> Ours:
    """Data frames are always sent again together with an ACK frame: with one that they collided with.

    Section 5 says that of the majority of retransmissions, which is less; "always" is the stricter of the two.
    """
    rows = [row for row in view.run.transmissions if row["fate"] != "received"]
    data, acks = ([row for row in rows if row["from"] == name] for name in (LAPTOP, AP))
    collided = {row["time"] for row in acks if row["fate"] == "collided"}
    together = sum(row["fate"] == "collided" and row["time"] in collided for row in data)
    return Ours(
        always(together, len(data)),
        f"{together} of {len(data)} data frames that were lost collided with an ACK frame",
    )


def always(paired: int, lost: int) -> bool:
    """Whether so many of the lost data frames are paired that those of collisions always are."""
    return paired > 0 and paired >= PAIRED * lost


@claim("usb.noretry.tcp", "retry")
def without_retries(retry: GridRuns) -> Ours:
    """How much less TCP carries when the MAC does not retransmit."""
    tcp = retry.where(flow="tcp")
    on, off = (tcp.where(mac=mac).mean(goodput) for mac in ("on", "off"))
    return Ours(1 - off / on, f"{off:.2f} after {on:.2f} Mbit/s")


@claim("usb.noretry.udp", "retry")
def datagrams(retry: GridRuns) -> Ours:
    """UDP without MAC retransmission carries slightly more than TCP with it."""
    udp = retry.where(flow="udp", mac="off").mean(goodput)
    tcp = retry.where(flow="tcp", mac="on").mean(goodput)
    more = udp / tcp - 1
    return Ours(0 < more <= SLIGHTLY, f"UDP without {udp:.2f}, TCP with {tcp:.2f} Mbit/s: {more:+.0%}")


# ------------------------------------------------------------------------------------------------------ rates


def rate(name: str, value: str) -> None:
    """Registers the claim of one way to choose the rate."""

    @claim(name, "rates")
    def of(rates: GridRuns) -> Ours:
        return over(rates.where(**{"station.0.rate": value}))


rate("usb.rate.auto", "firmware")
rate("usb.rate.1m", "1 Mbit/s")
rate("usb.rate.2m", "2 Mbit/s")

LADDER = [(11.0, 5.5), (5.5, 1.0), (1.0, 11.0)]
"""The rate's steps in a cycle, in Mbit/s."""

REGULAR = 0.9
"""The share of steps that are the cycle's: all but those at which a frame at 5.5 Mbit/s got through."""

TENTH = 10
"""One packet in so many."""

TOP, BOTTOM = 11.0, 1.0
"""The rate at which a frame is tried first, and the last one, in Mbit/s."""

AT_TOP = 3
"""So many attempts are at the first rate; several more fail at the one below it."""

BELOW_TOP = 5.5
"""That rate, in Mbit/s."""

ALWAYS = 0.95
"""What is always so is so in this share of the cases and more: all but as many as percentiles leave out elsewhere."""

MAJORITY = 0.5
"""More often than not, in more than this share of the cases."""


@claim("usb.rate.thrash", "thrash")
def thrash(view: RunView) -> Ours:
    """The rate cycles; TCP sends every tenth packet again; before fast retransmits there is silence.

    In that silence the MAC tries a frame without success.
    """
    flow = view.flow["name"]
    rates = [row["rate_mbps"] for row in view.run.transmissions if row["from"] == LAPTOP]
    steps = list(pairwise(value for value, _ in groupby(rates)))
    regular = sum(step in LADDER for step in steps) / max(1, len(steps))
    tcp = tcp_trace.sender(view.run, flow, "tcp")
    every = len(tcp.segments) / max(1, sum(segment.again for segment in tcp.segments))
    frames = tried(view)
    seen = tcp_trace.sender(view.run, flow, "device, sent")
    silences = [silence(seen, time) for time in tcp_trace.entered(view.run, flow, "recovery")]
    least, most = (percentile([end - start for start, end in silences], share) for share in INNER)
    vain = mean(map(float, in_vain(efforts(frames), silences)))
    stubborn, hopeless = mean(map(float, stays_at_top(frames))), mean(map(float, fails_at_bottom(frames)))
    patient = mean(map(float, fails_several_times(frames)))
    return Ours(
        regular >= REGULAR
        and stubborn >= ALWAYS
        and patient >= ALWAYS
        and hopeless > MAJORITY
        and about(every, TENTH)
        and ABOUT_100_MS[0] <= least <= most <= ABOUT_100_MS[1]
        and vain >= ALWAYS,
        f"{regular:.0%} of {len(steps)} steps are 11, 5.5, 1; {stubborn:.0%} of the frames that fail at 11 are tried "
        f"{AT_TOP} times there; {patient:.0%} of those that come from there to 1 fail {SEVERAL} times at 5.5, and "
        f"{hopeless:.0%} of those that come down to 1 are given up; one packet in {every:.1f} sent "
        f"again; before {len(silences)} fast retransmits there is silence for {1e3 * least:.0f} to {1e3 * most:.0f} "
        f"ms, and in {vain:.0%} of it the MAC tries a frame without success",
    )


def silence(seen: Sender, time: float) -> tuple[float, float]:
    """The longest time without data and ACKs before a fast retransmit, from the last new ACK on; both in seconds."""
    since = highest = 0.0
    for at, ack in seen.acks:
        if at < time and ack > highest:
            since, highest = at, ack
    times = [segment.time for segment in seen.segments] + [at for at, _ in seen.acks]
    passing = [since, *sorted(at for at in times if since < at < time), time]
    return max(pairwise(passing), key=lambda gap: gap[1] - gap[0])


def in_vain(given_up: Sequence[tuple[float, float]], silences: Sequence[tuple[float, float]]) -> list[bool]:
    """Of each silence, whether the MAC tries a frame in it that it gives up."""
    return [any(begin < end and start < over for begin, over in given_up) for start, end in silences]


def about(ours: float, said: float) -> bool:
    """Whether a number is about what is said."""
    return abs(ours / said - 1) <= ABOUT


Frame = Sequence[Mapping[str, Any]]
"""A frame as the transmissions that tried it, in order."""


def tried(view: RunView) -> list[Frame]:
    """The frames that the laptop's MAC tried, without the last one: the run's end may cut that short."""
    frames: list[list[Mapping[str, Any]]] = []
    for row in view.run.transmissions:
        if row["from"] != LAPTOP:
            continue
        if row["retries"] == 0:
            frames.append([])
        frames[-1].append(row)
    return list(frames[:-1])


def lost(frame: Frame) -> bool:
    """Whether the MAC gave a frame up: one that got through ends with an attempt that was received."""
    return bool(frame[-1]["fate"] != "received")


def stays_at_top(frames: Sequence[Frame]) -> list[bool]:
    """Of each frame whose first attempt is at the highest rate and fails, whether the next ones are there, too."""
    failing = [frame for frame in frames if frame[0]["rate_mbps"] == TOP and frame[0]["fate"] != "received"]
    return [all(row["rate_mbps"] == TOP for row in frame[:AT_TOP]) for frame in failing]


def fails_several_times(frames: Sequence[Frame]) -> list[bool]:
    """Of each frame that comes from the highest rate to the lowest, whether several attempts between them fail."""
    rates = [[row["rate_mbps"] for row in frame] for frame in frames]
    return [at[: at.index(BOTTOM)].count(BELOW_TOP) >= SEVERAL for at in rates if at[0] == TOP and BOTTOM in at]


def fails_at_bottom(frames: Sequence[Frame]) -> list[bool]:
    """Of each frame that comes down to the lowest rate from another, whether it is given up."""
    rates = [[row["rate_mbps"] for row in frame] for frame in frames]
    return [lost(frame) for frame, at in zip(frames, rates, strict=True) if at[0] > BOTTOM and BOTTOM in at]


def efforts(frames: Sequence[Frame]) -> list[tuple[float, float]]:
    """When the MAC began to try each frame that it gave up, and when the last attempt ended, in seconds."""
    return [(frame[0]["time"], frame[-1]["end"]) for frame in frames if lost(frame)]


@claim("usb.delack.deadlock", "thrash")
def deadlock(view: RunView) -> Ours:
    """Whenever a segment arrives that is all there is, twice at least, the receiver waits until its timer expires."""
    waits = waiting(view, view.flow["name"])
    least, most = (percentile(waits, share) for share in INNER)
    return Ours(
        len(waits) >= TWICE and ABOUT_100_MS[0] <= least <= most <= ABOUT_100_MS[1],
        f"{len(waits)} times, {1e3 * least:.0f} to {1e3 * most:.0f} ms",
    )


def waiting(view: RunView, flow: str) -> list[float]:
    """How long the receiver kept its ACK, in seconds, for each segment that came in order, alone, the last one sent."""
    sent = tcp_trace.sender(view.run, flow, "device, sent").segments
    base = min((seq for _, place, seq, _, payload in tcp_trace.rows(view.run, flow, LAPTOP) if payload), default=0)
    waits: list[float] = []
    beyond: set[tuple[int, int]] = set()
    edge = highest = position = arrived = 0
    alone: float | None = None
    for time, place, seq, _, payload in tcp_trace.rows(view.run, flow, SERVER):
        if place == "device, received" and payload:
            while position < len(sent) and sent[position].time <= time:
                highest = max(highest, sent[position].end)
                position += 1
            start, arrived = seq - base, arrived + 1
            in_order = start == edge and not beyond
            beyond.add((start, start + payload))
            while following := [end for begin, end in beyond if begin <= edge]:
                edge = max(edge, *following)
                beyond = {(begin, end) for begin, end in beyond if end > edge}
            alone = time if in_order and arrived == 1 and edge == highest else None
        elif place == "device, sent":
            if alone is not None:
                waits.append(time - alone)
            arrived, alone = 0, None
    return waits
