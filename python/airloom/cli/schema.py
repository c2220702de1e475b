"""`airloom schema`."""

from airloom import _engine
from airloom.cli.terminal import print_file


def schema(*, summary: bool = False) -> None:
    """Print the JSON Schema of scenario files, for editors.

    Args:
        summary: Print that of summary.json instead: what a run found out, with the meaning and the unit of each value.
    """
    print_file(_engine.summary_schema() if summary else _engine.schema())
