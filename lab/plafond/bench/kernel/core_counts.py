# SPDX-License-Identifier: MIT
"""Count the instructions of an image with two cores, by core, in a log of all instructions."""

from collections.abc import Iterable

from plafond.bench.kernel.counts import (
    Counts,
    Round,
    counts_from,
    is_one_way,
    refuse_missing,
    round_of,
    samples_of,
)
from plafond.bench.kernel.log import IRQ
from plafond.bench.kernel.path import path_of
from plafond.bench.kernel.places import Places
from plafond.bench.kernel.windows import Window, instructions, windows_of
from plafond.errors import PlafondError

# The same path twice; the second has LONGER_BY more instructions: bench/kernel/mueller.
THERE_AND_BACK, LONGER = "to-there-and-back", "to-there-and-back-longer"
LONGER_BY = 1000
# The path ends on the core on which it begins, and only that core counts. A core that it signals
# continues at the same time.
LOCAL = "to-local-"


def counts_by_core(variant: str, console: str, log: Iterable[str], places: Places) -> Counts:
    """Return the figures; PlafondError if the log contradicts the console or itself."""
    samples = samples_of(console)
    windows = list(windows_of(log, places))
    refuse_missing(variant, samples, len(windows))
    left = iter(windows)
    procedures: dict[str, list[Round]] = {}
    for name, counted in samples.items():
        of_rounds = [next(left) for _ in counted]
        _refuse_other_count(name, counted, of_rounds)
        procedures[name] = [_round(name, window, places) for window in of_rounds]
    counts = counts_from(variant, procedures)
    _refuse_wrong_length(counts)
    return counts


def _refuse_other_count(name: str, counted: list[int], windows: Iterable[Window]) -> None:
    """Raise PlafondError unless the counter and the log count the same instructions."""
    logged = [window.instructions for window in windows]
    if logged != counted:
        raise PlafondError(f"{name}: the counter has {counted} instructions, the log {logged}")


def _round(name: str, window: Window, places: Places) -> Round:
    """Return a round: all cores' parts of a one-way path, else the steps of the first core."""
    if name.startswith(LOCAL) and window.ends_on != window.begins_on:
        raise PlafondError(f"{name} ends on core {window.ends_on}, expected {window.begins_on}")
    if name.startswith(LOCAL) or not is_one_way(name):
        return round_of(instructions(window.own_steps), window.own_steps)
    legs = [round_of(instructions(leg), leg) for leg in path_of(window, places)]
    return Round(
        instructions=sum(leg.instructions for leg in legs),
        calls=sum(leg.calls for leg in legs),
        others=tuple(kind for leg in legs for kind in leg.others if kind != IRQ),
        legs=tuple(legs) if len(legs) > 1 else (),
    )


def _refuse_wrong_length(counts: Counts) -> None:
    figures = {row.benchmark: row.instructions for row in counts.rows}
    if LONGER not in figures:
        return
    found = figures[LONGER] - figures[THERE_AND_BACK]
    if found != LONGER_BY:
        raise PlafondError(f"{LONGER} has {found} instructions more, not {LONGER_BY}")
