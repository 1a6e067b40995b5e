# SPDX-License-Identifier: MIT
"""The bounds under the protocols of a target, without and with its overheads."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from plafond.analyse.analysis import analyse
from plafond.analyse.model import Verdict, verdict_of
from plafond.analyse.overheads import Costs, GlobalMutex, Overheads
from plafond.describe.system import System
from plafond.protocols import analysed
from plafond.rows import Column, duration

COSTS = ("interrupt", "activation", "switch", "pair", "preempted", "disturbed")


def _cost(name: str) -> Column:
    return duration(name, of=lambda row: getattr(row.costs, f"{name}_ns"))


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class TargetRow(_Part):
    """The bounds of one task under one protocol; None if there is no bound."""

    task: Annotated[str, Column("task", place=-2)]
    protocol: Annotated[str, Column("protocol", place=-2)]
    response_bound_ns: Annotated[int | None, duration("bound")]  # without overheads
    blocking_with_overheads_ns: Annotated[int | None, duration("blocking", place=-1)]
    response_with_overheads_ns: int | None
    deadline_ns: Annotated[int | None, duration("deadline", place=2)]
    schedulable: bool | None  # with overheads
    no_bound_yet: str | None  # why a later analysis is needed

    @property
    def overheads_ns(self) -> Annotated[int | None, duration("+ overheads", place=1)]:
        """The time that the overheads add to the bound."""
        if self.response_bound_ns is None or self.response_with_overheads_ns is None:
            return None
        return self.response_with_overheads_ns - self.response_bound_ns

    @property
    def verdict(self) -> Annotated[Verdict, Column("verdict", place=3)]:
        """Whether the deadline holds for every job, overheads included."""
        return verdict_of(self.schedulable, self.no_bound_yet)


class CostsRow(_Part):
    """The costs of a protocol on the target."""

    protocol: Annotated[str, Column("protocol")]
    costs: Annotated[Costs, *map(_cost, COSTS)]
    step_ns: Annotated[int, duration("step")]
    # The costs of its mutexes across CPUs, if the description has any.
    global_mutex: GlobalMutex | None = Field(default=None, exclude_if=lambda value: value is None)


class TargetReport(_Part):
    """All rows, the costs that they include, and notes that explain them."""

    name: str
    target: str
    rows: tuple[TargetRow, ...]
    costs: tuple[CostsRow, ...]
    ticks: tuple[tuple[int, int], ...]  # Overheads.noise
    notes: tuple[str, ...]


def analyse_on(target: str, system: System, overheads: Mapping[str, Overheads]) -> TargetReport:
    """Bound every task under each protocol of a target.

    `overheads` has the overheads of each protocol, by the name that the target has for it.
    """
    across_cpus = bool(system.global_resources)
    rows: list[TargetRow] = []
    notes: dict[str, None] = {}  # in order, each once
    for name, added in overheads.items():
        protocol = analysed(name, across_cpus=across_cpus)
        theory = analyse(system, [protocol])
        real = analyse(system, [protocol], added)
        for row, real_row in zip(theory.rows, real.rows, strict=True):
            rows.append(
                TargetRow(
                    task=row.task,
                    protocol=name,
                    response_bound_ns=row.response_bound_ns,
                    blocking_with_overheads_ns=real_row.blocking_bound_ns,
                    response_with_overheads_ns=real_row.response_bound_ns,
                    deadline_ns=row.deadline_ns,
                    schedulable=real_row.schedulable,
                    no_bound_yet=row.no_bound_yet,
                )
            )
        notes |= dict.fromkeys(real.notes)
    order = {task.name: index for index, task in enumerate(system.tasks)}
    return TargetReport(
        name=system.name,
        target=target,
        rows=tuple(sorted(rows, key=lambda row: order[row.task])),
        costs=tuple(
            CostsRow(
                protocol=name,
                costs=added.costs[analysed(name)],
                step_ns=added.step_ns,
                global_mutex=added.global_mutex,
            )
            for name, added in overheads.items()
        ),
        ticks=next((added.noise for added in overheads.values()), ()),
        notes=tuple(notes),
    )
