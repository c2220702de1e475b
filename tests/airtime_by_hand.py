"""Durations of PPDUs from the standard's formulas, with exact fractions and apart from the engine.

`python tests/airtime_by_hand.py >tests/airtimes.txt` writes the table that the engine is held to, a line for each PPDU
with its working. References are to IEEE 802.11-2020, for HE to IEEE 802.11ax-2021, and for EHT to
IEEE 802.11be-2024.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import cycle, product
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = Path(__file__).with_name("airtimes.txt")

BITS = (1, 2, 2, 4, 4, 6, 6, 6, 8, 8, 10, 10, 12, 12)
"""Coded bits per subcarrier by scheme, N_BPSCS (tables 21-29 ff., 27-55 ff., 36-79 ff.)."""

RATES = tuple(
    Fraction(text)
    for text in ["1/2", "1/2", "3/4", "1/2", "3/4", "2/3", "3/4", "5/6", "3/4", "5/6", "3/4", "5/6", "3/4", "5/6"]
)
"""The code's rate by scheme, R."""

CARRIERS = {
    "802.11n": {20: 52, 40: 108},
    "802.11ac": {20: 52, 40: 108, 80: 234, 160: 468},
    "802.11ax": {20: 234, 40: 468, 80: 980, 160: 1960},
}
"""Subcarriers with data, N_SD (tables 19-6, 21-5, 27-13)."""

SHORT = {20: 60, 40: 120, 80: 240, 160: 492}
"""Those of the first three segments of an HE symbol, N_SD,short (table 27-30)."""

RUS = {242: (234, 60), 484: (468, 120), 996: (980, 240), 1992: (1960, 492), 2988: (2940, 732), 3984: (3920, 984)}
"""Both of an EHT resource unit by its subcarriers (tables 36-19 ff., 36-46); of several together, the sum."""

PIECES = {
    (20, 0): (242,),
    (40, 0): (484,),
    (80, 0): (996,),
    (160, 0): (1992,),
    (320, 0): (3984,),
    (80, 20): (484, 242),
    (160, 20): (996, 484, 242),
    (160, 40): (996, 484),
    (320, 40): (2988, 484),
    (320, 80): (2988,),
    (320, 120): (1992, 484),
}
"""The resource units of one user by width and what is punctured of it (table 36-30)."""

LTFS = (0, 1, 2, 4, 4)
"""Long training fields by streams (tables 19-13, 21-13)."""

OFDM = {6: 24, 9: 36, 12: 48, 18: 72, 24: 96, 36: 144, 48: 192, 54: 216}
"""Data bits per symbol of 802.11a by Mbit/s (table 17-4)."""


@dataclass(frozen=True)
class Ppdu:
    """What there is to choose of a PPDU; times in microseconds."""

    standard: str
    mpdu: int
    count: int = 1
    mcs: int = 0
    streams: int = 1
    width: int = 20
    guard: Fraction = Fraction("0.8")
    ltf: int = 2
    padding: int = 16
    code: str = "ldpc"
    mbps: str = ""
    preamble: str = "long"
    punctured: int = 0

    @property
    def psdu(self) -> int:
        """Bytes of the PSDU: with delimiters and padding, of one MPDU alone only in VHT and HE (9.7.1, 10.12.7)."""
        if self.count == 1 and self.standard not in BOUND:
            return self.mpdu
        return (self.count - 1) * 4 * ceil((4 + self.mpdu) / 4) + 4 + self.mpdu

    @property
    def name(self) -> str:
        """What was chosen, as a line of the table begins."""
        if self.mbps:
            short = " short" if self.preamble == "short" else ""
            return f"{self.standard} {self.mbps} Mbit/s{short}, {self.mpdu} bytes"
        ending = f" {self.ltf}x padding {self.padding}"
        left_out = f" without {self.punctured} MHz" if self.punctured else ""
        more = {"802.11n": "", "802.11ac": f" {self.code}", "802.11ax": ending, "802.11be": ending + left_out}
        chosen = f"MCS {self.mcs} x{self.streams} {self.width} MHz {float(self.guard)} us{more[self.standard]}"
        return f"{self.standard} {chosen}, {self.count} x {self.mpdu} bytes"

    @property
    def coded(self) -> int:
        """Coded bits per symbol, N_CBPS."""
        return self.carriers[0] * BITS[self.mcs] * self.streams

    @property
    def carriers(self) -> tuple[int, int]:
        """Subcarriers with data, and from HE on those of the first three segments of a symbol."""
        if self.standard == "802.11be":
            units = [RUS[unit] for unit in PIECES[self.width, self.punctured]]
            return sum(of for of, _ in units), sum(short for _, short in units)
        return CARRIERS[self.standard][self.width], SHORT.get(self.width, 0)

    @property
    def data(self) -> int:
        """Data bits per symbol, N_DBPS, rounded down."""
        return int(self.coded * RATES[self.mcs])

    def rate(self, guard: Fraction) -> Fraction:
        """Mbit/s with a guard interval."""
        return self.data / (Fraction("3.2") + guard)


def duration(ppdu: Ppdu) -> tuple[str, Fraction]:
    """The working and the duration in microseconds."""
    if ppdu.mbps:
        return dsss(ppdu) if ppdu.standard == "802.11b" else ofdm(ppdu)
    return {"802.11n": ht, "802.11ac": vht, "802.11ax": he, "802.11be": eht}[ppdu.standard](ppdu)


def dsss(ppdu: Ppdu) -> tuple[str, Fraction]:
    """16.3.4: the PLCP preamble and header, then whole microseconds."""
    head = 96 if ppdu.preamble == "short" else 192
    data = ceil(8 * ppdu.psdu / Fraction(ppdu.mbps))
    return f"{head} + ceil({8 * ppdu.psdu} / {ppdu.mbps})", Fraction(head + data)


def ofdm(ppdu: Ppdu) -> tuple[str, Fraction]:
    """Equation 17-29."""
    bits, each = 16 + 8 * ppdu.psdu + 6, OFDM[int(ppdu.mbps)]
    return f"20 + 4 x ceil({bits} / {each})", Fraction(20 + 4 * ceil(Fraction(bits, each)))


def ht(ppdu: Ppdu) -> tuple[str, Fraction]:
    """Equation 19-90; a second encoder above 300 Mbit/s (19.3.11.4)."""
    encoders = 2 if ppdu.rate(ppdu.guard) > 300 else 1
    symbols = ceil(Fraction(8 * ppdu.psdu + 16 + 6 * encoders, ppdu.data))
    return in_fours(ppdu, 32 + 4 * LTFS[ppdu.streams], symbols)


def vht(ppdu: Ppdu) -> tuple[str, Fraction]:
    """Equations 21-62, 21-65 and 21-106."""
    if ppdu.code == "bcc":
        # Tables 21-30 ff. up to four streams: the frontier of 600 Mbit/s at 400 ns, and one rate with six.
        six = (ppdu.width, ppdu.streams, ppdu.mcs) == (160, 4, 7)
        encoders = 6 if six else ceil(ppdu.rate(Fraction("0.4")) / 600)
        symbols = ceil(Fraction(8 * ppdu.psdu + 16 + 6 * encoders, ppdu.data))
    else:
        symbols = ceil(Fraction(8 * ppdu.psdu + 16, ppdu.data))
        symbols += punctured_too_much(symbols * ppdu.data, symbols * ppdu.coded, RATES[ppdu.mcs])
    return in_fours(ppdu, 36 + 4 * LTFS[ppdu.streams], symbols)


def in_fours(ppdu: Ppdu, head: int, symbols: int) -> tuple[str, Fraction]:
    """A preamble and symbols, which with the short guard interval end at a multiple of 4 us."""
    each = Fraction("3.2") + ppdu.guard
    body = 4 * ceil(symbols * each / 4)
    return f"{head} + 4 x ceil({symbols} x {float(each)} / 4)", Fraction(head + body)


def he(ppdu: Ppdu) -> tuple[str, Fraction]:
    """Equation 27-135, with 27.3.12.1, 27.3.12.5.2 and table 27-46."""
    return in_segments(ppdu, 36)


def eht(ppdu: Ppdu) -> tuple[str, Fraction]:
    """Equation 36-110, with 36.3.13.3.5 and table 36-61: U-SIG has 8 us as HE-SIG-A, and EHT-SIG 8 us more."""
    return in_segments(ppdu, 44)


def in_segments(ppdu: Ppdu, head: int) -> tuple[str, Fraction]:
    """A preamble but for its long training fields, these, and symbols of which the last is filled by quarters."""
    bits, rate = 8 * ppdu.psdu + 16, RATES[ppdu.mcs]
    short_coded = ppdu.carriers[1] * BITS[ppdu.mcs] * ppdu.streams
    short_data = int(short_coded * rate)
    symbols = ceil(Fraction(bits, ppdu.data))
    excess = bits % ppdu.data
    factor = min(ceil(Fraction(excess, short_data)), 4) if excess else 4
    last = (factor * short_data, factor * short_coded) if factor < 4 else (ppdu.data, ppdu.coded)
    payload, room = (symbols - 1) * ppdu.data + last[0], (symbols - 1) * ppdu.coded + last[1]
    if punctured_too_much(payload, room, rate):
        symbols, factor = (symbols + 1, 1) if factor == 4 else (symbols, factor + 1)
    extension = {0: (0, 0, 0, 0), 8: (0, 0, 4, 8), 16: (4, 8, 12, 16), 20: (8, 12, 16, 20)}[ppdu.padding][factor - 1]
    training = Fraction("3.2") * ppdu.ltf + ppdu.guard
    each = Fraction("12.8") + ppdu.guard
    total = head + LTFS[ppdu.streams] * training + symbols * each + extension
    return f"{head} + {LTFS[ppdu.streams]} x {float(training)} + {symbols} x {float(each)} + {extension}", total


def punctured_too_much(payload: int, room: int, rate: Fraction) -> bool:
    """Whether LDPC asks for more room (table 19-16 and steps c and d of 19.3.11.7.5)."""
    parity = 1 - rate
    if room <= 648:
        words, length = 1, 1296 if room >= payload + 912 * parity else 648
    elif room <= 1296:
        words, length = 1, 1944 if room >= payload + 1464 * parity else 1296
    elif room <= 1944:
        words, length = 1, 1944
    elif room <= 2592:
        words, length = 2, 1944 if room >= payload + 2916 * parity else 1296
    else:
        words, length = ceil(payload / (1944 * rate)), 1944
    coded = words * length
    shortened = max(Fraction(0), coded * rate - payload)
    punctured = max(Fraction(0), coded - room - shortened)
    return (
        punctured > Fraction("0.1") * coded * parity and shortened < Fraction("1.2") * punctured * rate / parity
    ) or punctured > Fraction("0.3") * coded * parity


def chosen() -> Iterator[Ppdu]:
    """The PPDUs of the table: every rate of every standard by turns with widths, streams, guard intervals and sizes."""
    for speed, mpdu in product(OFDM, (100, 1536)):
        yield Ppdu("802.11a", mpdu, mbps=str(speed))
    for mbps, preamble in [("1", "long"), *product(("2", "5.5", "11"), ("long", "short"))]:
        yield Ppdu("802.11b", 1536, mbps=mbps, preamble=preamble)
    short = cycle((Fraction("0.8"), Fraction("0.4")))
    sizes = cycle(((100, 1), (1538, 1), (1538, 6), (1538, 32), (61, 12)))
    for mcs, width in product(range(32), (20, 40)):
        yield Ppdu("802.11n", *next(sizes), mcs % 8, mcs // 8 + 1, width, next(short))
    yield from of_11ac()
    yield from of_11ax()
    yield from of_11be()


def of_11ac() -> Iterator[Ppdu]:
    """Those of 802.11ac."""
    short = cycle((Fraction("0.8"), Fraction("0.4")))
    sizes = cycle(((100, 1), (1540, 1), (1540, 4), (1540, 64), (61, 12)))
    codes = cycle(("ldpc", "ldpc", "bcc"))
    places = [(20, 1), (20, 3), (40, 2), (80, 1), (80, 2), (80, 4), (160, 2), (160, 4)]
    for mcs, (width, streams) in product(range(10), places):
        if (width, streams, mcs) != (20, 1, 9):
            yield Ppdu("802.11ac", *next(sizes), mcs, streams, width, next(short), code=next(codes))


def of_11ax() -> Iterator[Ppdu]:
    """Those of 802.11ax."""
    together = cycle(((2, "0.8"), (1, "0.8"), (2, "1.6"), (4, "3.2"), (4, "0.8")))
    paddings = cycle((16, 0, 8, 16))
    sizes = cycle(((100, 1), (1540, 1), (1540, 4), (1540, 64), (1540, 256), (61, 12), (48, 1)))
    places = [(20, 1), (40, 1), (40, 2), (80, 1), (80, 2), (80, 3), (160, 2), (160, 4)]
    for mcs, (width, streams) in product(range(12), places):
        ltf, guard = next(together)
        yield Ppdu("802.11ax", *next(sizes), mcs, streams, width, Fraction(guard), ltf, next(paddings))
    for count in (1, 64, 256):
        yield Ppdu("802.11ax", 1540, count, 11, 2, 80)


def of_11be() -> Iterator[Ppdu]:
    """Those of 802.11be."""
    together = cycle(((2, "0.8"), (2, "1.6"), (4, "3.2"), (4, "0.8")))
    paddings = cycle((20, 0, 16, 8, 20))
    sizes = cycle(((100, 1), (1540, 1), (1540, 4), (1540, 64), (1540, 1024), (61, 12), (48, 1)))
    for mcs, (width, punctured) in product(range(14), PIECES):
        ltf, guard = next(together)
        streams = 1 + (mcs + width // 20) % 4
        chosen = Ppdu("802.11be", *next(sizes), mcs, streams, width, Fraction(guard), ltf, next(paddings))
        yield replace(chosen, punctured=punctured)


BOUND = {"802.11ac", "802.11ax", "802.11be"}
"""Standards whose PPDUs are bounded by their duration, and whose MPDUs have a delimiter even if they travel alone."""

LONGEST = 5484
"""Of a PPDU of VHT, HE and EHT in microseconds, aPPDUMaxTime (tables 21-29, 27-54 and 36-75)."""


def rows() -> list[Ppdu]:
    """Those of them that may be so long."""
    return [ppdu for ppdu in chosen() if ppdu.standard not in BOUND or duration(ppdu)[1] <= LONGEST]


def lines() -> Iterator[str]:
    """The table."""
    for ppdu in rows():
        working, total = duration(ppdu)
        yield f"{ppdu.name}: {working} = {float(total):g} us"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines())
