# SPDX-License-Identifier: MIT
"""Find the figures of the program by the lock and the scene."""

from collections.abc import Mapping

from plafond.bench.instructions.model import Figure, Loaded

NO_LOCK = "no-lock"
STRICT = "plafond-strict"
ROBUST = "plafond"
MODULE_STRICT = "plafond-module-strict"
MODULE_ROBUST = "plafond-module"
NONE = "none"
INHERIT = "inherit"
PROTECT = "protect"


class Figures:
    """The figures of all parts of a run."""

    def __init__(self, parts: Mapping[Loaded, list[Figure]]) -> None:
        """Take the figures of each part."""
        self._by_name = {
            (loaded, figure.group, figure.lock, figure.scene): figure
            for loaded, figures in parts.items()
            for figure in figures
        }

    def locks(self, group: str) -> list[str]:
        """Return the locks with figures of this group, the module's locks last."""
        names = [lock for _, of_group, lock, _ in self._by_name if of_group == group]
        return list(dict.fromkeys(names))

    def of(self, group: str, lock: str, scene: str) -> Figure:
        """Return a lock's figure from the first part that has it; stock is the first part."""
        for loaded in Loaded:
            if figure := self._by_name.get((loaded, group, lock, scene)):
                return figure
        raise KeyError(group, lock, scene)

    def count(self, group: str, lock: str, scene: str) -> float:
        """Return the least number of instructions."""
        return self.of(group, lock, scene).least

    def average(self, group: str, lock: str, scene: str, loaded: Loaded | None = None) -> float:
        """Return the mean of the samples of `loaded`, or of the first part that has the figure."""
        if loaded is None:
            return self.of(group, lock, scene).mean
        return self._by_name[loaded, group, lock, scene].mean

    def yielding(self, loaded: Loaded, state: str) -> float:
        """Return the cost of a pass through the scheduler; a round has two passes."""
        return self._by_name[loaded, "schedule", "", state].least / 2
