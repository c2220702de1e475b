"""The cells of the comparison: bottlenecks, what happens on the way to them, and the flows that they carry."""

from __future__ import annotations

from dataclasses import dataclass, replace

PACKET = 1500
ON_THE_WIRE = 38
"""What Ethernet adds to a packet: header 14, check sequence 4, preamble 8, gap 12."""
LATE_MS = 5
APART = 0.5
"""Seconds from one flow's start to the next one's."""
STARTS_MS = (0.5, 1.5, 2.5, 3.5)
"""Every cell is carried as many times. The first flow begins so long after a full second, on which a tick of the clock
falls too: when a timer expires, and which of two segments a full queue loses, depends on it."""
FEWEST = 4
"""The shortest queue, in packets."""


@dataclass(frozen=True)
class Cell:
    """One bottleneck with its flows. What is not said of it is as in `Cell()`, a plain one."""

    control: str
    """The congestion control, as the kernel calls it."""
    mbps: int
    """The rate, of all that is on the wire."""
    rtt_ms: int
    """The round trip without any queue."""
    queue: float = 1.0
    """The queue before it, in products of rate and round trip; FQ-CoDel limits itself."""
    seconds: float = 15.0
    flows: int = 1
    loss: bool = False
    """Whether one packet in a hundred is lost on its way to the bottleneck, and one acknowledgement behind it."""
    late: bool = False
    """Whether one in a hundred is held back there for `LATE_MS` instead."""
    fq_codel: bool = False
    ecn: bool = False
    """Whether congestion is marked, which takes FQ-CoDel."""
    sack: bool = True
    offload: bool = False
    """Whether the kernel hands over several segments at once (GSO), which airloom does not know."""

    @property
    def packets(self) -> int:
        """The queue in full packets, the one being sent among them."""
        product = self.mbps * 1e3 * self.rtt_ms / (8 * (PACKET + ON_THE_WIRE))
        return max(FEWEST, round(self.queue * product))

    @property
    def name(self) -> str:
        """What it is, in a line."""
        queue = "fq_codel" if self.fq_codel else f"{self.queue:g} BDP"
        odd = {
            "1 % lost": self.loss,
            "1 % late": self.late,
            f"{self.flows} flows": self.flows > 1,
            "ECN": self.ecn,
            "no SACK": not self.sack,
            "GSO": self.offload,
        }
        words = [self.control, f"{self.mbps} Mbit/s", f"{self.rtt_ms} ms", queue]
        return ", ".join([*words, *(word for word, is_so in odd.items() if is_so)])


CENTRES = ((10, 10), (10, 80))
"""Rates and round trips around which the rest is varied."""
LOSS_BASED = ("reno", "cubic")
CONTROLS = (*LOSS_BASED, "bbr")


def _long(mbps: int, rtt_ms: int) -> float:
    """How many seconds show what there is to see: round trips, without more packets than it takes."""
    return 30.0 if rtt_ms > 10 else 12.0 if mbps > 20 else 15.0


def _plain() -> list[Cell]:
    """Rates, round trips and queues.

    There are fewer at 50 Mbit/s, where the machine has most to do, and at 2 Mbit/s and 10 ms, where a product of the
    two is less than two packets.
    """
    corners = [(c, r, t, q) for c in LOSS_BASED for r, t in ((2, 80), *CENTRES) for q in (0.3, 1.0, 4.0)]
    corners += [("bbr", r, t, q) for r, t in CENTRES for q in (0.3, 1.0, 4.0)]
    corners += [(c, 2, 10, q) for c in LOSS_BASED for q in (1.0, 4.0)]
    corners += [(c, r, t, 1.0) for c in CONTROLS for r, t in ((5, 80), (20, 10), (50, 10))]
    corners += [(c, 50, 10, 0.3) for c in CONTROLS]
    return [Cell(c, r, t, q, seconds=_long(r, t)) for c, r, t, q in corners]


def _varied() -> list[Cell]:
    """What else there is, one thing at a time."""
    cells = []
    for control in CONTROLS:
        for mbps, rtt_ms in CENTRES:
            centre = Cell(control, mbps, rtt_ms, seconds=_long(mbps, rtt_ms))
            cells += [replace(centre, flows=2), replace(centre, flows=8)]
            cells += [replace(centre, fq_codel=True), replace(centre, fq_codel=True, ecn=True)]
            cells += [replace(centre, sack=False)]
            cells += [replace(centre, late=True)]
        # Long enough for hundreds of losses.
        cells += [Cell(control, 50, 10, loss=True, seconds=30 if control in LOSS_BASED else 12)]
        cells += [Cell(control, 10, 80, loss=True, seconds=300 if control in LOSS_BASED else 30)]
        cells += [Cell(control, r, 10, offload=True, seconds=_long(r, 10)) for r in (10, 20)]
    return cells


CELLS = {cell.name: cell for cell in (*_plain(), *_varied())}
"""All of them, by their names."""
