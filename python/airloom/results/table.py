"""A table: named columns of equal length, for any library that knows Arrow."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from airloom import _engine
from airloom.errors import AirloomError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pandas as pd
    import polars as pl
    from arro3 import core

Kind = Literal["text", "number", "integer", "natural", "truth"]
"""What a column holds, or None: text, 64-bit floats, 64-bit integers with and without a sign, True or False."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        name: Its name.
        kind: What it holds.
        values: A value for each row, None where there is none.
        unit: The unit of its values, if they have one.
    """

    name: str
    kind: Kind
    values: Sequence[Any]
    unit: str = ""


class Table:
    """Named columns of equal length.

    polars, DuckDB, pyarrow and whatever else knows Arrow's PyCapsule interface take a table as it is.

    >>> table = Table([Column("flow", "text", ["up", "down"]), Column("goodput_mbps", "number", [3.5, 4.0])])
    >>> table["goodput_mbps"]
    [3.5, 4.0]
    >>> table.to_pylist()[0]
    {'flow': 'up', 'goodput_mbps': 3.5}
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        """Takes columns in their order."""
        self.columns = tuple(columns)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in their order."""
        return [column.name for column in self.columns]

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        return len(self.columns[0].values) if self.columns else 0

    def column(self, name: str) -> Column:
        """A column.

        Raises:
            KeyError: The table has none of this name.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def __getitem__(self, name: str) -> list[Any]:
        """The values of a column."""
        return list(self.column(name).values)

    def __len__(self) -> int:
        """How many rows there are."""
        return self.num_rows

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, by the names of the columns."""
        names = self.column_names
        for row in zip(*(column.values for column in self.columns), strict=True):
            yield dict(zip(names, row, strict=True))

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows, by the names of the columns."""
        return list(self)

    def to_polars(self) -> pl.DataFrame:
        """The table as a data frame of polars.

        Raises:
            AirloomError: polars is not installed.
        """
        try:
            import polars as pl
        except ImportError:
            raise AirloomError("polars is not installed; `pip install polars` brings it") from None
        return pl.DataFrame(self)

    def to_pandas(self) -> pd.DataFrame:
        """The table as a data frame of pandas.

        Raises:
            AirloomError: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError:
            raise AirloomError("pandas is not installed; `pip install pandas` brings it") from None
        return pd.DataFrame({column.name: column.values for column in self.columns})

    def to_arrow(self) -> core.Table:
        """The table as one of Arrow."""
        from arro3 import core

        fields, arrays = [], []
        for column in self.columns:
            kind = arrow_type(column.kind)
            fields.append(core.Field(column.name, kind, metadata={"unit": column.unit} if column.unit else None))
            if isinstance(column.values, memoryview):
                arrays.append(core.Array.from_buffer(column.values))
            else:
                arrays.append(core.Array(column.values, kind))
        return core.Table.from_arrays(arrays, schema=core.Schema(fields))

    def __arrow_c_schema__(self) -> object:
        """The types of the columns, for whatever knows Arrow."""
        return self.to_arrow().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows, for whatever knows Arrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def write(self, file: Path) -> None:
        """Writes the table as a Parquet file, whose metadata has the units of columns under `units`, as JSON."""
        columns = [(column.name, column.kind, column.values) for column in self.columns]
        units = {column.name: column.unit for column in self.columns if column.unit}
        _engine.write_table(file, columns, [("units", json.dumps(units))])

    def __repr__(self) -> str:
        """The size and the columns."""
        return f"<airloom.Table of {self.num_rows:,} rows: {', '.join(self.column_names)}>"


def arrow_type(kind: Kind) -> core.DataType:
    """The type of a column, as Arrow has it."""
    from arro3.core import DataType

    types = {
        "text": DataType.string,
        "number": DataType.float64,
        "integer": DataType.int64,
        "natural": DataType.uint64,
        "truth": DataType.bool,
    }
    return types[kind]()
