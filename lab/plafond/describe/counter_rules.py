# SPDX-License-Identifier: MIT
"""What a description must keep where alarms increment counters.

The kernel handles such a tick at once, on its stack: kernel/alarm.h says what that relies on.
"""

from collections.abc import Iterator, Mapping

from plafond.describe.alarm import Alarm
from plafond.describe.body import Increment
from plafond.describe.counter import Counter
from plafond.describe.problems import Problem

MOST_IN_A_ROW = 8


def problems_of_increments(
    alarms: Mapping[str, Alarm], counters: Mapping[str, Counter]
) -> Iterator[Problem]:
    """Each alarm that increments, after those before it."""
    before: dict[str, str] = {}  # by counter that is incremented: the counter of that alarm
    alarm_of: dict[str, str] = {}
    for name, alarm in alarms.items():
        if not isinstance(alarm.action, Increment):
            continue
        counter = alarm.action.counter
        expected = _wrong_counter(alarm.counter, counter, counters) or (
            _wrong_row(alarm.counter, counter, before, alarm_of)
        )
        if expected:
            yield Problem(("alarm", name, "action"), str(alarm.action), expected)
        else:
            before[counter], alarm_of[counter] = alarm.counter, name
    for counter, name in alarm_of.items():
        if len(_row(counter, before)) == MOST_IN_A_ROW + 1:
            expected = f"at most {MOST_IN_A_ROW} counters in a row, each incremented by the last"
            yield Problem(("alarm", name, "action"), f"increment {counter}", expected)


def _wrong_counter(own: str, counter: str, counters: Mapping[str, Counter]) -> str | None:
    """What was expected instead of a counter that no alarm of another one may increment."""
    if own not in counters or counter not in counters:
        return None  # reported with its field, or there
    if counters[counter].tick_ns:
        return f"a counter without tick: {counter} counts time"
    if counters[counter].cpu != counters[own].cpu:
        return f"a counter of CPU {counters[own].cpu}, which drives {own}"
    return None


def _wrong_row(
    own: str, counter: str, before: Mapping[str, str], alarm_of: Mapping[str, str]
) -> str | None:
    if counter in before:
        return f"a counter that no other alarm increments: {alarm_of[counter]} does"
    row = _row(own, before)
    if counter in row:
        circle = ", ".join([counter, *reversed(row[: row.index(counter)]), counter])
        return f"no circle of counters, each incremented by the last: {circle}"
    return None


def _row(counter: str, before: Mapping[str, str]) -> list[str]:
    """The counter, that whose alarm increments it, and so on."""
    row = [counter]
    while row[-1] in before:
        row.append(before[row[-1]])
    return row
