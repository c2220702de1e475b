"""What stands in a scenario in place of a trace, for each key whose value may be one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from airloom.errors import RunError
from airloom.scenario import mahimahi, trace_tables, udp_trace_client
from airloom.scenario.text_file import file_of, text_of
from airloom.scenario.trace_steps import Step, changes, decimal, instant, listed
from airloom.scenario.trace_tables import TIME, Column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from airloom.scenario.trace_tables import Table


def level(cell: str) -> str:
    """A ratio in dB."""
    return f'"{decimal(finite(cell), 6)} dB"'


def rate(cell: str) -> str:
    """A rate as it is written elsewhere, such as MCS 7."""
    if not cell or set(cell) & set('"\\\n'):
        raise ValueError
    return f'"{cell}"'


def mbps(cell: str) -> str:
    """A rate in Mbit/s, to the bit."""
    number = finite(cell)
    if number < 0:
        raise ValueError
    return f'"{decimal(number, 6)} Mbit/s"'


def octets(cell: str) -> str:
    """A number of bytes."""
    number = finite(cell)
    if number < 1 or not number.is_integer():
        raise ValueError
    return str(int(number))


def finite(cell: str) -> float:
    """A number that is one."""
    number = float(cell)
    if not math.isfinite(number):
        raise ValueError
    return number


class Recorded(NamedTuple):
    """A column of a trace.

    Attributes:
        column: The column.
        read: What the scenario says for a cell of it, as TOML; raises ValueError if it is none.
    """

    column: Column
    read: Callable[[str], str]


LEVEL = Recorded(Column("snr_db", "any number", "0,38.5"), level)
RATE = Recorded(Column("rate", "any text", "0,MCS 7"), rate)
MBPS = Recorded(Column("rate_mbps", "any number", "0,24.5"), mbps)
BYTES = Recorded(Column("bytes", "any number", "0.016,120"), octets)


class TraceFile(NamedTuple):
    """A file beside a scenario.

    Attributes:
        name: Its name, as the scenario has it.
        folder: Where the scenario lies.
    """

    name: str
    folder: Path

    @property
    def is_text(self) -> bool:
        """Whether it is no Parquet."""
        return not self.name.endswith(trace_tables.SUFFIX)

    def text(self) -> tuple[str, str]:
        """Its text, and how messages call it."""
        return text_of(self.folder / self.name, "trace")

    def table(self, *recorded: Recorded) -> tuple[Recorded, Table]:
        """The table that it is, and which of these columns that has."""
        columns = [one.column for one in recorded]
        if self.is_text:
            table = trace_tables.of_text(*self.text(), columns)
        else:
            table = trace_tables.of_parquet(*file_of(self.folder / self.name, "trace"), columns)
        return next(one for one in recorded if one.column is table.column), table


def signals(file: TraceFile) -> str:
    """Ratios of a station, each until the next."""
    return listed("snr", changes(ascending(file.name, *file.table(LEVEL))))


def rates(file: TraceFile) -> str:
    """Rates of a station or of a wire, each until the next, or what mahimahi has of a wire."""
    if file.is_text and mahimahi.is_one(file.text()[0]):
        return mahimahi.script(*file.text())
    return listed("rate", changes(ascending(file.name, *file.table(RATE, MBPS))))


def traffic(file: TraceFile) -> str:
    """What a flow hands over at which times, of a table or of ns-3's UdpTraceClient."""
    if file.is_text and udp_trace_client.is_one(file.text()[0]):
        return listed("bytes", udp_trace_client.steps(*file.text()))
    return listed("bytes", in_order(file.name, *file.table(BYTES)))


KEYS: dict[str, Callable[[TraceFile], str]] = {"snr": signals, "rate": rates, "traffic": traffic}
"""The script that a file holds, by the key whose value it is; raises RunError if it holds none."""


def ascending(name: str, recorded: Recorded, table: Table) -> Iterator[Step]:
    """The steps of a table, no two at one time."""
    last = -1.0
    for row, step in each(name, recorded, table):
        if step.at <= last:
            raise RunError(f"{row.place}: {TIME} is {row.time}, which is no later than the line before")
        last = step.at
        yield step


def in_order(name: str, recorded: Recorded, table: Table) -> Iterator[Step]:
    """The steps of a table, of which several may be at one time."""
    last = -1.0
    for row, step in each(name, recorded, table):
        if step.at < last:
            raise RunError(f"{row.place}: {TIME} is {row.time}, which is earlier than the line before")
        last = step.at
        yield step


def each(name: str, recorded: Recorded, table: Table) -> Iterator[tuple[trace_tables.TraceRow, Step]]:
    """The rows of a table with their steps; there is one at least."""
    like = trace_tables.like([recorded.column])
    row = None
    for row in table.rows:
        at = instant(row.time, row.place, TIME)
        try:
            value = recorded.read(row.value)
        except ValueError:
            raise RunError(f"{row.place}: {recorded.column.name} is {row.value!r}", *like) from None
        yield row, Step(at, value)
    if row is None:
        raise RunError(f"{name}: has no line but its first", *like)
