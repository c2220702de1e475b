"""`airloom schema`."""

from airloom import _engine
from airloom.cli.terminal import print_file


def schema() -> None:
    """Print the JSON Schema of scenario files, for editors."""
    print_file(_engine.schema())
