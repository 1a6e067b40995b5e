# SPDX-License-Identifier: MIT
"""What bench/kernel/zuepke measures, by the names of its table."""

from dataclasses import dataclass

# Words, and how often a procedure does it. The paper gives the cycles of one of 16384.
PLATFORM = {
    "nops": ("NOP", 1024),
    "calls": ("function call", 1024),
    "read-constants": ("read 1K of constants, 32-bit", 1),
    "read-variables": ("read 1K of variables, 32-bit", 1),
    "write-variables": ("write 1K of variables, 32-bit", 1),
}
TABLE_II = {
    "null-syscall": "null system call",
    "schedule": "Schedule",
    "chain-task": "ChainTask",
    "activate-low": "activation, low priority",
    "activate-high": "activation, high priority",
    "event-loop": "event loop",
}
# What Zuepke calls the classes D, C, B and A of the task that is activated.
CLASSES = {
    "low": "+ lowprio task",
    "medium": "+ medprio task",
    "between": "+ between (B)",
    "high": "+ highprio task",
}
NON_NESTED, NESTED = "non-nested", "nested"


@dataclass(frozen=True)
class Section:
    """A procedure of Table III."""

    section: str
    activated: str = ""  # a class; nothing: no task is activated
    at: str = "T*"

    @property
    def name(self) -> str:
        """As in the program's table."""
        return f"{self.section}+{self.activated}@{self.at}" if self.activated else self.section

    @property
    def words(self) -> str:
        """As in the paper's table."""
        return CLASSES[self.activated] if self.activated else self.section

    @property
    def calls_of_activation(self) -> int:
        """ActivateTask; and TerminateTask of a task that runs before the procedure ends."""
        if not self.activated:
            return 0
        return 1 if self.activated == "low" else 2


TABLE_III = [
    Section(NON_NESTED),
    *(
        Section(NON_NESTED, activated, at)
        for activated in ("low", "medium", "high")
        for at in ("T1", "T2")
    ),
    Section(NESTED),
    *(Section(NESTED, activated, at) for activated in CLASSES for at in ("T1", "T2", "T3")),
]
