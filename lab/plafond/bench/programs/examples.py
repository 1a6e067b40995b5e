# SPDX-License-Identifier: MIT
"""Programs of examples/ that know only pthreads, under each kind of lock.

Of several runs the run counts in which the most urgent thread waited least. All runs release the
same work at the same times, so the rest of the machine can only add to the wait.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plafond.bench.programs.calls import SCHEDULING, calls_a_round
from plafond.bench.programs.model import ExampleTable, LockRow
from plafond.bench.programs.trial import PRELOAD, ROOT, Command, on_one_cpu, run, with_drop_in
from plafond.errors import PlafondError
from plafond.preload.ceilings import table_of

LEARN_ROUNDS = COUNTED_ROUNDS = 10
OUTPUT = re.compile(
    r"callbacks (\d+), missed (\d+), worst wait (\d+) us; [a-z]+ \d+ of (\d+) ns, torn 0\n"
)


@dataclass(frozen=True)
class Lock:
    """The kind of lock: the protocol that the program gets, and the change of its command."""

    name: str
    protocol: str
    launch: Callable[[Command], Command] = tuple
    lazy: bool = False


class Example:
    """A built program, and the locks under which it is measured."""

    def __init__(self, name: str, step: str, callbacks: int, folder: Path) -> None:
        """`step`: the heading of its last figure; `callbacks`: the callbacks of a round."""
        self.name = name
        self._step = step
        self._callbacks = callbacks
        self._program = folder / name
        source = ROOT / "examples" / f"{name}.c"
        run(("cc", "-O2", "-pthread", source, "-o", self._program))
        ceilings = self._learn(folder)
        self.locks: tuple[Lock, ...] = (
            Lock("none", "none"),
            Lock("inherit", "inherit"),
            Lock("protect", "protect"),
            Lock("protect, drop-in", "protect", with_drop_in, lazy=True),
            Lock(
                "inherit, learned ceilings",
                "inherit",
                partial(with_drop_in, ceilings=ceilings),
                lazy=True,
            ),
        )

    def _learn(self, folder: Path) -> Path:
        """Observe the program under inheritance; return the table of the learned ceilings."""
        learned, report = folder / f"{self.name}.toml", folder / f"{self.name}.txt"
        learn = (*PRELOAD, "--learn", learned, "--report", report, "--")
        run((*learn, *self._command(Lock("", "inherit"), LEARN_ROUNDS)))
        ceilings = folder / f"{self.name}.ceilings"
        ceilings.write_text(table_of(learned))
        return ceilings

    def measure(self, rounds: int, runs: int, done: Callable[[], None]) -> ExampleTable:
        """Run the program under every lock in turn, `runs` times; call `done` after each turn."""
        calls = {lock: self._calls_a_callback(lock) for lock in self.locks}
        found: dict[Lock, list[LockRow]] = {lock: [] for lock in self.locks}
        for _ in range(runs):
            for lock, rows in found.items():
                rows.append(self._row(lock, rounds, calls[lock]))
            done()
        best = [min(rows, key=lambda row: row.worst_wait_us) for rows in found.values()]
        return ExampleTable(program=self.name, step=self._step, rows=best)

    def _command(self, lock: Lock, rounds: int) -> Command:
        return lock.launch(on_one_cpu((self._program, lock.protocol, str(rounds))))

    def _calls_a_callback(self, lock: Lock) -> float:
        """Count the calls that change a priority; PlafondError if the drop-in leaves any."""
        (made,) = calls_a_round(lambda n: self._command(lock, n), COUNTED_ROUNDS, SCHEDULING)
        if lock.lazy and made:
            raise PlafondError(
                f"{self.name}, {lock.name}: found {made} scheduling calls a round; expected none"
            )
        return made / self._callbacks

    def _row(self, lock: Lock, rounds: int, scheduling: float) -> LockRow:
        output = run(self._command(lock, rounds))
        found = OUTPUT.fullmatch(output)
        if not found or int(found[1]) != rounds * self._callbacks:
            raise PlafondError(
                f"{self.name}, {lock.name}: found the output {output!r}; expected "
                f"{rounds * self._callbacks} callbacks, and nothing torn"
            )
        callbacks, missed, worst_wait_us, step_ns = map(int, found.groups())
        return LockRow(
            lock=lock.name,
            callbacks=callbacks,
            missed=missed,
            worst_wait_us=worst_wait_us,
            scheduling=scheduling,
            step_ns=step_ns,
        )
