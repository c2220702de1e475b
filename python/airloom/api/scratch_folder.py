"""What lies in a temporary folder of its own, if it was made without `out`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from airloom.support.scratch import Scratch


class InScratch:
    """Results that may lie in a temporary folder, which goes with them: by `close` or at the end of a `with` block."""

    _scratch: Scratch | None

    def close(self) -> None:
        """Removes the temporary folder, if there is one; what was read from it stays."""
        if self._scratch is not None:
            self._scratch.close()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Removes the temporary folder, if there is one."""
        self.close()
