"""`airloom schema`."""

from airloom import _engine


def schema() -> None:
    """Print the JSON Schema of scenario files, for editors."""
    print(_engine.schema())
