# SPDX-License-Identifier: MIT
"""OSPERT 2010, 8, Figures 4 to 6 up to 110, derived by hand: the running tasks and the events.

A unit of the paper is a microsecond. Each task of Table II arrives once.
"""

from dataclasses import dataclass

from kernel_runs import EXAMPLES
from server_model import Happening, Stretch

from plafond.describe import System, load
from plafond.run.arrivals import with_activations
from plafond.units import UNIT_NS

US = UNIT_NS["us"]


@dataclass(frozen=True)
class Figure:
    """The content of a figure."""

    stretches: str
    happenings: str
    sections: str
    ends: str


# t2 holds its resource until the instant at which its server's budget ends. t4 runs beyond its
# budget from 40 to 50, so S2 pays back 10 at 60.
OVERRUN = Figure(
    stretches="0 t2 20, 20 t3 30, 30 t4 50, 50 t1 60, 60 t2 65, 70 t4 75",
    happenings="40 overrun s2, 60 payback s2",
    sections="5 t2 20, 35 t4 50",
    ends="30 t3, 60 t1, 65 t2, 75 t4",
)
# At 5 and at 35 at most 15 is left, but a section of 15 needs more than that. The paper's text
# gives the wait of t2 as "(10,20]", from the arrival of t1. By its pseudo code 2 it is (5,20].
SKIP = Figure(
    stretches="0 t2 5, 20 t3 30, 30 t4 35, 50 t2 65, 65 t1 70, 70 t4 90, 100 t1 105, 105 t2 110",
    happenings="5 skip t2, 35 skip t4",
    sections="50 t2 65, 70 t4 85",
    ends="30 t3, 90 t4, 105 t1, 110 t2",
)
BOTH = Figure(
    stretches="0 t2 5, 20 t3 30, 30 t4 50, 50 t2 65, 65 t1 70, 70 t4 75, 100 t1 105, 105 t2 110",
    happenings="5 skip t2, 40 overrun s2, 60 payback s2",
    sections="35 t4 50, 50 t2 65",
    ends="30 t3, 75 t4, 105 t1, 110 t2",
)
FIGURES = {4: OVERRUN, 5: SKIP, 6: BOTH}


def figure(number: int) -> System:
    """Return the system of a figure."""
    file = EXAMPLES / f"vandenheuvel-2010-figure-{number}.toml"
    return with_activations(load(file), 1)


def stretches(text: str) -> list[Stretch]:
    """Turn `0 t2 20, 20 t3 30` into stretches. The times are in us."""
    parts = (part.split() for part in text.split(", "))
    return [(name, int(begin) * US, int(end) * US) for begin, name, end in parts]


def happenings(text: str) -> list[Happening]:
    """Turn `40 overrun s2` into events. The times are in us."""
    parts = (part.split() for part in text.split(", ") if part)
    return [(int(time) * US, what, name) for time, what, name in parts]


def ends(text: str) -> list[tuple[str, int]]:
    """Turn `30 t3, 60 t1` into tasks and their ends. The times are in us."""
    parts = (part.split() for part in text.split(", "))
    return [(name, int(time) * US) for time, name in parts]
