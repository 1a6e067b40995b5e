# SPDX-License-Identifier: MIT
"""Ada programs whose protected objects have ceilings.

GNAT's run-time system locks with mutexes of PTHREAD_PRIO_PROTECT, for which the C library makes two
calls in each section.
"""

import re
from collections.abc import Callable
from pathlib import Path
from statistics import median

from plafond.bench.programs.calls import FUTEX, SCHEDULING, YIELD, calls_a_round, count_calls
from plafond.bench.programs.model import CallsRow, OperationRow, Pair
from plafond.bench.programs.trial import (
    ROOT,
    Command,
    on_one_cpu,
    refuse_missing,
    run,
    with_drop_in,
)
from plafond.errors import PlafondError

# The operations that operations.adb knows by name, and their descriptions.
OPERATIONS = {
    "action": "protected procedure",
    "nested": "nested protected procedures",
    "open_entry": "entry, barrier open",
    "closed_entry": "entry, hand-over to a waiting task",
    "delay_until": "delay until",
    "suspension": "suspension objects, there and back",
    "rendezvous": "rendezvous with a less urgent task",
    "set_priority": "Set_Priority of itself",
}
# Operations that change a priority by other means than ceilings, even with the drop-in.
CHANGE_PRIORITY = ("rendezvous", "set_priority")
COUNTED_ROUNDS, TIMED_ROUNDS = 100, 1000
NS = re.compile(r"ns a round: (\d+)\n")


def build(name: str, folder: Path) -> Path:
    """Compile bench/ada/NAME.adb; RefusedError without a compiler."""
    refuse_missing("gnatmake", "gnat")
    source = ROOT / "bench" / "ada" / f"{name}.adb"
    run(("gnatmake", "-q", "-O2", "-D", folder, source, "-o", folder / name))
    return folder / name


class Controller:
    """A whole program, whose scheduling calls are counted."""

    program = "controller"
    counted = "scheduling calls"
    output = "events: 700\n"

    def __init__(self, folder: Path) -> None:
        """Build the program; RefusedError if a tool is missing."""
        self._command = on_one_cpu((build(self.program, folder),))

    def pair(self) -> Pair:
        """Count the calls of the C library, and the calls that remain with the drop-in."""
        return Pair(
            plain=self._count(self._command), drop_in=self._count(with_drop_in(self._command))
        )

    def _count(self, command: Command) -> int:
        counted = count_calls(command, SCHEDULING)
        if counted.output != self.output:
            raise PlafondError(
                f"{self.program}: found the output {counted.output!r}; expected {self.output!r}"
            )
        (made,) = counted.made
        if not made:
            raise PlafondError(f"{self.program}: found no calls; expected some from its start")
        return made


class Operations:
    """Measures the system calls and the processor time of single operations."""

    program = "operations"

    def __init__(self, folder: Path) -> None:
        """Build the program; RefusedError if a tool is missing."""
        self._program = build(self.program, folder)

    def measure(self, operation: str, pairs: int) -> OperationRow:
        """Measure an operation; PlafondError if the drop-in leaves calls that it should save."""

        def plain(rounds: int) -> Command:
            return on_one_cpu((self._program, operation, str(rounds)))

        def drop_in(rounds: int) -> Command:
            return with_drop_in(plain(rounds))

        before, after = _calls(plain), _calls(drop_in)
        if after.scheduling and operation not in CHANGE_PRIORITY:
            raise PlafondError(
                f"{operation}: found {after.scheduling} scheduling calls a round with the drop-in; "
                "expected none"
            )
        times = [(_ns(plain(TIMED_ROUNDS)), _ns(drop_in(TIMED_ROUNDS))) for _ in range(pairs)]
        return OperationRow(
            operation=OPERATIONS[operation],
            plain=before,
            drop_in=after,
            plain_ns=median(first for first, _ in times),
            drop_in_ns=median(second for _, second in times),
            ratio=median(second / first for first, second in times),
        )


def _calls(command_of: Callable[[int], Command]) -> CallsRow:
    """Count the calls of a round.

    Futex calls have separate runs, because other tasks continue while a task is stopped at such a
    call.
    """
    scheduling, yields = calls_a_round(command_of, COUNTED_ROUNDS, SCHEDULING, YIELD)
    (futex,) = calls_a_round(command_of, COUNTED_ROUNDS, FUTEX)
    return CallsRow(scheduling=round(scheduling, 1), futex=round(futex, 1), yields=round(yields, 1))


def _ns(command: Command) -> int:
    output = run(command)
    found = NS.fullmatch(output)
    if not found or not int(found[1]):
        raise PlafondError(f"operations: found the output {output!r}; expected the ns of a round")
    return int(found[1])
