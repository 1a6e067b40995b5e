# SPDX-License-Identifier: MIT
"""The settings of the command line for threads of rt-app that lack them."""

from dataclasses import dataclass

REAL_TIME = ("SCHED_FIFO", "SCHED_RR")
IN_BACKGROUND = ("SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE")
RESERVED = "SCHED_DEADLINE"
POLICIES = (*REAL_TIME, *IN_BACKGROUND, RESERVED)


@dataclass(frozen=True)
class Defaults:
    """The policy of threads without one, and the CPUs that they take in turn.

    Without a policy: as the file says. Without CPUs: each thread must have one.
    """

    policy: str | None = None
    cpus: tuple[int, ...] = ()

    @property
    def option(self) -> str:
        """The option of the command line that was given."""
        return "--default-cpu" if self.policy is None else "--default-policy"


NO_DEFAULTS = Defaults()
