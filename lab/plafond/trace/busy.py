# SPDX-License-Identifier: MIT
"""Measure how long a processor had work without a break."""

from collections.abc import Iterable

from plafond.trace.activations import activations
from plafond.trace.model import TaskTrace


def longest_busy_ns(tasks: Iterable[TaskTrace]) -> int:
    """Return the longest time during which an activation of the tasks was unfinished."""
    longest = since_ns = until_ns = 0
    spans = sorted(
        (activation.release_ns, activation.end_ns)
        for task in tasks
        for activation in activations(task)
        if activation.end_ns is not None
    )
    for release_ns, end_ns in spans:
        if release_ns > until_ns:
            since_ns = release_ns
        until_ns = max(until_ns, end_ns)
        longest = max(longest, until_ns - since_ns)
    return longest
