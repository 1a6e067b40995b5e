# SPDX-License-Identifier: MIT
"""Rules for alarms that increment counters.

The kernel handles such a tick at once on its own stack; kernel/alarm.h says why these rules bound
that stack.
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
    """Yield each increment that breaks a rule together with the alarms before it."""
    before: dict[str, str] = {}  # incremented counter -> counter of the incrementing alarm
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
    """Return the expected counter if the alarm on `own` must not increment `counter`."""
    if own not in counters or counter not in counters:
        return None  # `own` is reported with the field counter, `counter` with the action
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
    """The counter, then the counter whose alarm increments it, and so on."""
    row = [counter]
    while row[-1] in before:
        row.append(before[row[-1]])
    return row
