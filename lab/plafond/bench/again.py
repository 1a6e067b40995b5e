# SPDX-License-Identifier: MIT
"""Repeat each measurement in which the machine stopped a thread.

The program is run again with the rows that lack repetitions, because it cannot redo a single
repetition.
"""

from collections.abc import Callable, Mapping, Sequence

from plafond.bench.samples import Output, Run

MOST_AGAIN = 4  # the most times that the program is run again
# Measures these rows, or all if there are none, with this number of repetitions each.
Measure = Callable[[Sequence[str], int], Output]


def measure_without_stops(measure: Measure, repetitions: int) -> Output:
    """Return the given number of repetitions of each row.

    If a row still has too few repetitions without a stop, it keeps some with a stop.
    """
    output = measure((), repetitions)
    found = _by_row(output)
    again = 0
    for _ in range(MOST_AGAIN):
        counts = {row: repetitions - _without_stop(runs) for row, runs in found.items()}
        missing = {row: count for row, count in counts.items() if count > 0}
        if not missing:
            break
        again += sum(missing.values())
        for rows in _alike(missing):
            more = measure(rows, max(missing[row] for row in rows))
            for row, runs in _by_row(more).items():
                place = found[row][0].family_index  # each run of the program numbers its rows anew
                found[row] += [run.model_copy(update={"family_index": place}) for run in runs]
    kept = [run for runs in found.values() for run in _best(runs, repetitions)]
    return output.model_copy(update={"benchmarks": kept, "again": again})


def _alike(missing: Mapping[str, int]) -> list[list[str]]:
    """Return the rows in groups; in a group no row lacks more than twice as many as another."""
    groups: dict[int, list[str]] = {}
    for row, count in missing.items():
        groups.setdefault(count.bit_length(), []).append(row)
    return list(groups.values())


def filter_of(rows: Sequence[str]) -> str:
    """Return a filter of Google Benchmark for rows; full names have iterations at the end."""
    return f"^({'|'.join(rows)})(/iterations|$)"


def _by_row(output: Output) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = {}
    for run in output.benchmarks:
        if run.run_type == "iteration":
            found.setdefault(run.row, []).append(run)
    return found


def _without_stop(runs: Sequence[Run]) -> int:
    return sum(not run.has_stop for run in runs)


def _best(runs: Sequence[Run], repetitions: int) -> list[Run]:
    """Return the first runs without a stop, filled up with runs that have a stop."""
    return sorted(runs, key=lambda run: run.has_stop)[:repetitions]
