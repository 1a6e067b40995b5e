# SPDX-License-Identifier: MIT
"""What only a build needs, and a description in a foreign form lacks."""

from dataclasses import dataclass

from plafond.describe.problems import DescriptionError

TITLE = "to build it, add:"


@dataclass(frozen=True)
class Needs:
    """The error of a build, and the lines to add to the description."""

    error: DescriptionError
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The lines below a title."""
        return "\n".join([TITLE, *(f"  {line}" for line in self.lines)])
