# SPDX-License-Identifier: MIT
"""How figures of a measurement stand in the cells of a table."""

from plafond.bench.model import Target

TARGET_COLUMNS = ("figure", "value", "at most", "verdict")


def target_cells(target: Target) -> tuple[str, ...]:
    """Return a row of the figures to reach."""
    verdict = {True: "reached", False: "not reached", None: ""}[target.reached]
    value = "not counted" if target.value is None else f"{target.value:.2f}"
    return (target.name, value, "" if target.limit is None else f"{target.limit:g}", verdict)


def ns(value: float) -> str:
    """Return a time in nanoseconds."""
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def count(value: float | None) -> str:
    """Return what was counted."""
    return "not counted" if value is None else f"{value:.4g}"


def share(value: float | None) -> str:
    """Return a break-even; see BreakEven."""
    words = {1.0: "always", 0.0: "never", None: "only above some share"}
    return words.get(value) or f"{value:.1%}"
