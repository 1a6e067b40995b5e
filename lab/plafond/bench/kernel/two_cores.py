# SPDX-License-Identifier: MIT
"""Mueller 2014, what cores do to each other: bench/kernel/mueller/cores.toml."""

from plafond.bench.kernel.core_counts import THERE_AND_BACK
from plafond.bench.kernel.counts import leg_of
from plafond.bench.kernel.mueller import Transition
from plafond.bench.kernel.variants import Variant

PREEMPTING = "to-there-and-back-preempting"
BY_CORE, BY_DEVICE = "disturbed-by-core", "disturbed-by-device"
LEGS = (
    "  the call, up to the signal",
    "  the other core, to its signal",
    "  the first core, to the task",
)


def _legs(name: str) -> dict[str, Transition]:
    return {leg_of(name, number): Transition(words) for number, words in enumerate(LEGS)}


ACROSS = {
    THERE_AND_BACK: Transition("to another core and back", 135, 171),
    **_legs(THERE_AND_BACK),
    PREEMPTING: Transition("the same, preempting on both", None, 299),
    **_legs(PREEMPTING),
    "activate-there": Transition("ActivateTask there, the caller"),
    BY_CORE: Transition("another core activates below it"),
    BY_DEVICE: Transition("an interrupt activates below it"),
}
LIMITS_ACROSS = {
    (THERE_AND_BACK, Variant.HARDWARE_MASK): 240,
    (PREEMPTING, Variant.HARDWARE_MASK): 240,
    (BY_CORE, Variant.HARDWARE_MASK): 0,
    (BY_DEVICE, Variant.HARDWARE_MASK): 0,
}
