# SPDX-License-Identifier: MIT
"""Events of Plafond's own kernel."""

from typing import Annotated

from pydantic import Field

from plafond.describe.fields import Oil, field
from plafond.describe.named import Named


class Event(Named):
    """A table [event.NAME]."""

    table = "event"
    oil_kind = "EVENT"
    oil = """
        UINT64 WITH_AUTO [1..18446744073709551615] MASK = AUTO
          : "AUTO: a bit that is free in each task that has the event";
    """

    mask: Annotated[int, Field(ge=1, lt=2**64)] | None = field(
        "a whole number from 1, below 2^64; its bits in the word of each task that has "
        "it; without it, one that is free in all of them",
        None,
        oil=Oil("MASK"),
    )
