# SPDX-License-Identifier: MIT
"""Mueller 2014: tasks scheduled by the interrupt controller, beside ours by software."""

from collections.abc import Mapping
from dataclasses import dataclass

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import TransitionRow
from plafond.bench.kernel.variants import SCHEDULED, Variant


@dataclass(frozen=True)
class Transition:
    """A row, and the paper's cycles: in a system of basic tasks (Table I), of extended (Table II).

    The cycles in Table II are those with a switch of stacks, as our tasks have one each.
    """

    words: str
    basic: int | None = None
    extended: int | None = None


DISTURBED = "disturbed-work"
TRANSITIONS = {
    "activate": Transition("ActivateTask, no dispatch", 65, 65),
    "to-activated": Transition("ActivateTask, it runs", 87, 168),
    "activate-and-return": Transition("the same, with end and return"),
    "to-chained": Transition("ChainTask, it runs", 97),
    "to-next": Transition("TerminateTask, the next runs", 20, 121),
    "get": Transition("GetResource", 36, 38),
    "release": Transition("ReleaseResource, no dispatch", 19, 19),
    "to-kept-out": Transition("ReleaseResource, another runs", 41, 122),
    "section": Transition("GetResource + ReleaseResource", 55, 57),
    "clear": Transition("ClearEvent", None, 17),
    "to-woken": Transition("SetEvent, it goes on", None, 215),
    "event-round": Transition("SetEvent, ClearEvent, WaitEvent", None, 466),
    DISTURBED: Transition("an alarm of a less urgent task"),
}
# What is taken off.
UNDISTURBED = {
    DISTURBED: "work",
    "disturbed-by-core": "work-beside",
    "disturbed-by-device": "work-beside",
}
# What the hardware scheduler shall cost at most, and the variant that is asked.
LIMITS = {
    ("activate", Variant.HARDWARE_MASK): 50,
    ("to-activated", Variant.HARDWARE_MASK): 90,
    ("activate-and-return", Variant.HARDWARE_MASK): 165,
    ("to-chained", Variant.HARDWARE_MASK): 117,
    ("section", Variant.HARDWARE_MASK): 90,
    ("section", Variant.HARDWARE_UPRIO_KPRIO): 12,
    ("event-round", Variant.HARDWARE_MASK): 260,
    (DISTURBED, Variant.HARDWARE_MASK): 0,
}


def cost(figures: Figures, name: str, variant: Variant) -> int:
    """Return the instructions of a transition."""
    without = figures.count(UNDISTURBED[name], variant) if name in UNDISTURBED else 0
    return figures.count(name, variant) - without


def transition_rows(figures: Figures, transitions: Mapping[str, Transition]) -> list[TransitionRow]:
    """Return the rows of a table."""
    return [
        TransitionRow(
            transition=transition.words,
            instructions={variant: cost(figures, name, variant) for variant in SCHEDULED},
            paper_basic=transition.basic,
            paper_extended=transition.extended,
        )
        for name, transition in transitions.items()
    ]
