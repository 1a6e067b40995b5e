# SPDX-License-Identifier: MIT
"""Count with strace how many system calls of some names a program makes in all its threads.

Tracing slows the program down, so times must come from another run.
"""

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plafond.bench.programs.trial import Command, refuse_missing, run

SCHEDULING = ("sched_setscheduler", "sched_setparam", "sched_setattr")
FUTEX = ("futex",)
YIELD = ("sched_yield",)
MADE = re.compile(r"^\d+ +(\w+)\(", re.MULTILINE)

Kind = Sequence[str]  # names of system calls that are counted together


@dataclass(frozen=True)
class Counted:
    """The output of a traced program, and the number of its calls of each kind."""

    output: str
    made: list[int]


def count_calls(command: Command, *kinds: Kind) -> Counted:
    """Run the command to its end; RefusedError if there is no strace."""
    refuse_missing("strace", "strace")
    calls = ",".join(name for kind in kinds for name in kind)
    with tempfile.NamedTemporaryFile("r", prefix="plafond-calls-") as trace:
        tracer = ("strace", "--follow-forks", "--seccomp-bpf", f"--trace={calls}")
        output = run((*tracer, f"--output={trace.name}", *command))
        made = calls_in(Path(trace.name).read_text())
    return Counted(output, [sum(made[name] for name in kind) for kind in kinds])


def calls_in(trace: str) -> Counter[str]:
    """Return the number of calls in a trace; a call that is interrupted has two lines."""
    return Counter(MADE.findall(trace))


def calls_a_round(command_of: Callable[[int], Command], rounds: int, *kinds: Kind) -> list[float]:
    """Return the calls of a round by kind: in 2 * `rounds` rounds minus in `rounds` rounds.

    So calls at the start and the end of the program do not count.
    """
    once, twice = (count_calls(command_of(n), *kinds).made for n in (rounds, 2 * rounds))
    return [(more - less) / rounds for less, more in zip(once, twice, strict=True)]
