# SPDX-License-Identifier: MIT
"""The figures of the program, found by what they are of."""

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
    """All parts of one run."""

    def __init__(self, parts: Mapping[Loaded, list[Figure]]) -> None:
        """Take the figures of each part."""
        self._by_name = {
            (loaded, figure.group, figure.lock, figure.scene): figure
            for loaded, figures in parts.items()
            for figure in figures
        }

    def locks(self, group: str) -> list[str]:
        """Return the locks that have figures of this group, ours of the module last."""
        names = [lock for _, of_group, lock, _ in self._by_name if of_group == group]
        return list(dict.fromkeys(names))

    def of(self, group: str, lock: str, scene: str) -> Figure:
        """Return a lock's figure, taken with nothing loaded if it needs nothing."""
        for loaded in Loaded:
            if figure := self._by_name.get((loaded, group, lock, scene)):
                return figure
        raise KeyError(group, lock, scene)

    def count(self, group: str, lock: str, scene: str) -> float:
        """Return its instructions."""
        return self.of(group, lock, scene).least

    def average(self, group: str, lock: str, scene: str, loaded: Loaded | None = None) -> float:
        """Return the mean of its samples, of this part or of the first that has it."""
        if loaded is None:
            return self.of(group, lock, scene).mean
        return self._by_name[loaded, group, lock, scene].mean

    def yielding(self, loaded: Loaded, state: str) -> float:
        """Return what one pass through the scheduler costs: a round of the program is two."""
        return self._by_name[loaded, "schedule", "", state].least / 2
