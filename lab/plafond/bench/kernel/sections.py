# SPDX-License-Identifier: MIT
"""Almatary 2015, Section V: the priority changes that the paper's scheme wastes."""

from collections.abc import Iterator
from dataclasses import dataclass

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import SectionRow
from plafond.bench.kernel.variants import Variant

# The arriving task: text and calls; TerminateTask counts if the task ends before the section.
ARRIVALS = {"": ("no task", 0), "low": ("below base", 1), "above": ("above the ceiling", 2)}
INNER = (1, 3)


@dataclass(frozen=True)
class Section:
    """A procedure of bench/kernel/almatary."""

    arrival: str = ""
    at: str = ""
    # of inner sections, relative to the outer section; of a flat section, its own ceiling
    ceiling: str = ""
    inner: int = 0

    @property
    def name(self) -> str:
        """Return the name in the program's table."""
        arrival = f"+{self.arrival}" if self.arrival else ""
        if not self.inner:
            return f"flat{f'-{self.ceiling}' if self.ceiling else ''}{arrival}"
        where = f"@{self.at}-{self.ceiling}" if self.arrival else ""
        return f"nested{arrival}{where}-{self.inner}"


def _sections() -> Iterator[Section]:
    yield Section()
    for ceiling in ("", "own"):
        yield Section("low", ceiling=ceiling)
        yield Section("above", ceiling=ceiling)
    for inner in INNER:
        yield Section(inner=inner)
    for inner in INNER:
        yield Section("low", "outer", "higher", inner)
    for at in ("outer", "inner"):
        for ceiling in ("lower", "equal", "higher"):
            for inner in INNER:
                yield Section("above", at, ceiling, inner)


SECTIONS = list(_sections())


def section_rows(figures: Figures) -> list[SectionRow]:
    """Return the costs of all sections."""
    return [_row(figures, section) for section in SECTIONS]


def _row(figures: Figures, section: Section) -> SectionRow:
    words, its_calls = ARRIVALS[section.arrival]
    standard, simple, lazy = Variant.SYSCALL, Variant.LAZY_CEILING_SIMPLE, Variant.LAZY_CEILING
    flat = "base" if section.ceiling == "own" else ""
    return SectionRow(
        arrival=words,
        at=(section.at or "section") if section.arrival else "",
        inner_ceiling=section.ceiling if section.inner else flat,
        inner_sections=section.inner,
        syscall_calls=figures.calls(section.name, standard) - its_calls,
        simple_calls=figures.calls(section.name, simple) - its_calls,
        lazy_calls=figures.calls(section.name, lazy) - its_calls,
        syscall=figures.count(section.name, standard),
        simple=figures.count(section.name, simple),
        lazy=figures.count(section.name, lazy),
    )
