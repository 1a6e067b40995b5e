# SPDX-License-Identifier: MIT
"""Events of Plafond's own kernel."""

from typing import Annotated

from pydantic import Field

from plafond.describe.fields import Strict, field


class EventFields(Strict):
    """One [event.NAME]."""

    mask: Annotated[int, Field(ge=1, lt=2**64)] | None = field(
        "a whole number from 1, below 2^64; its bits in the word of each task that has "
        "it; without it, one that is free in all of them",
        None,
    )
