# SPDX-License-Identifier: MIT
"""Build the report from the counts of the images."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plafond.bench.kernel.almatary import function_rows, saving_rows
from plafond.bench.kernel.counts import Counts
from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.growth import growth_rows
from plafond.bench.kernel.model import (
    Conditions,
    Footprint,
    Gain,
    KernelReport,
    Parameter,
    SharingSetRow,
)
from plafond.bench.kernel.mpcp import global_rows, spinlock_rows, users_rows
from plafond.bench.kernel.mueller import ACROSS, TRANSITIONS, transition_rows
from plafond.bench.kernel.papers import papers
from plafond.bench.kernel.programs import BUILDS, SMALL, Build
from plafond.bench.kernel.ready import ready_rows
from plafond.bench.kernel.sections import section_rows
from plafond.bench.kernel.servers import server_rows, sharing_rows
from plafond.bench.kernel.targets import targets
from plafond.bench.kernel.variants import COMPARED, LAZY, Variant
from plafond.bench.kernel.zuepke import TABLE_II, TABLE_III, gain
from plafond.build.generate import LEVEL
from plafond.build.report import ImageReport

NOTES = [
    "Instructions, of tasks and kernel together. They are not cycles: a load, a branch and a "
    "write to a system register count alike, and there is neither pipeline nor cache.",
    "An exception costs nothing by itself here, nor does the return from it. On a processor "
    "both do, so a system call that is saved is worth more there than in these tables.",
    "Each procedure is a function of its own, less an empty one; each round begins with the same "
    "ready queue, and whatever is activated ends at once.",
    "System calls are those of all tasks, from QEMU's log of exceptions in the same run.",
    "In braces: relative to syscall; beside them what the paper has there, of cycles.",
    "Schedule of the paper queues the caller and takes it out again; ours looks whether a task "
    "above it is ready.",
    "T1, T2, T3 are before the sections, in the outer and in the inner one; T*: no task is "
    "activated, so all of them are one procedure.",
    "irq-off is no protocol of the kernel's but a build for this table alone, in which user mode "
    "may mask interrupts. A section must call no service then: no task is activated at T2 or T3.",
    "The task between (B) is above the outer ceiling, not the inner one: at T3 it too is one of "
    "medium priority in the paper's sense, so the paper's figure of that stands there again.",
    "Almatary's Standard is syscall under fixed priorities (IPCP) and deadline-floor under EDF "
    "(DFP), his New is lazy-ceiling and lazy-floor. The paper measured IPCP alone, on Linux: its "
    "nanoseconds stand beside our instructions, and are in no sum with them.",
    "Under EDF every kernel entry reads the clock; deadline-floor has two for a section, "
    "lazy-floor none, so without contention no clock is read.",
    "Unlock, contended: a task above the ceiling came and went, so the holder was raised; no task "
    "waits. Until the waiter runs: up to the first instruction of a task below the ceiling.",
    "The raise of New, as it is: what an activation costs more in a section than under Standard.",
    "Lazy, simple is the scheme of the paper's Section V, where each enter and leave calls once "
    "the task was raised. Its calls are without those of activation; saved: simple less lazy.",
    "Mueller's tables: each priority has one task, on one core. The paper's tasks run in the "
    "kernel's mode without memory of their own, so their calls are functions; its cycles of an "
    "extended system are those with a switch of stacks. It runs, the next, another: up to the "
    "first instruction of the task that gets the core. The measurement enters the kernel inside "
    "the section of a lone ReleaseResource, after which uprio-kprio calls. An alarm: what the task "
    "that runs pays for the activation of a less urgent one, by the timer of its core.",
    "Two cores: one executes at a time, so neither contention nor overlap is measured. QEMU "
    "logs each instruction with its core. To another core and back: of the first core from the "
    "call up to the store or write that has the interrupt controller signal the other; of that "
    "from its exception entry, or from behind its wfi, up to its own signal; and of the first "
    "again up to the first instruction of a task. What follows on a core after its signal, and "
    "all waiting, is beside this path. Both cores are idle, or both run a task that is "
    "preempted. Activates below it: what the task that runs pays for the activation of a less "
    "urgent one, by another core, or by an interrupt of low priority.",
    "Grows: so many tasks, on two cores, of which up to five share a priority, for there are "
    "31. Such a priority has a ring under the hardware scheduler; those of the measured tasks "
    "have it in each of the systems. Activated: it does not run. Starts there: on the other "
    "core, which is idle.",
    "Mueller's Table III: what the core of the call executes, as in the paper; the other core "
    "goes on beside it. Get with blocking: the other core is inside, and the next task here, a "
    "new one, runs: up to its first instruction. Remote unblock: a task of the other core waits, "
    "and Release returns. Local unblock: one of this core waits, less urgent than the caller, "
    "and goes on above it: up to the first instruction behind its Get. For both to be in the "
    "queue the caller has waited, too. No unblock, dispatch: a more urgent task was activated in "
    "the section, and runs: up to its first instruction. The paper has one row more, with local "
    "dispatch, and does not say of what unblock: here of a remote one, as no other row has both. "
    "As above, the measurement enters the kernel inside the section of a lone Release. Users: of "
    "the resource, on two cores; under the hardware scheduler several of a core share a ring. "
    "Spinlocks: under hardware, over lazy-ceiling; no other task wants the lock.",
    "Servers: on one core. It runs: up to the first instruction of the task that gets the core. "
    "Until its budget ends: the task runs on, and its budget of 1,000 instructions, which are not "
    "counted, ends; up to the return of the caller's ActivateTask. An alarm: what the task that "
    "runs pays when an alarm of a less urgent server is due.",
    "Resources of several servers: of two. The budget test: what skipping adds to a pair, with the "
    "ceilings of its own. An overrun begins, a replenishment: what the task inside pays. "
    "ReleaseResource: from its begin up to the first instruction of a task of the other server, so "
    "with a system call, the switch of servers and the start of the task; what the paper's 966 "
    "contains of these it does not say. Payback, extra: to overrun without it.",
    "Ready: activations that wait, all behind the running task, made in the order of rising or "
    "falling deadlines. Queued: one more, the last or the first of them. Preempts, next: up to "
    "the first instruction, from ActivateTask, and from TerminateTask of the running task.",
    "Asberg's Table I: his systems are not published, ours are drawn by his recipe, and run on the "
    "simulated processor under uprio-nprio. Scheduler: of the servers, called by an unlock that "
    "ends an overrun or lets in a server that was kept out. His skipping suspends a task by a call "
    "of VxWorks, which he does not count; ours calls the kernel when the test of the budget fails. "
    "All calls: those of failed tests and of all leaves, also for a task of the same server.",
]
# Parts of an image that belong to the kernel, in contrast to tasks and the printing hook.
KERNEL_PARTS = ("kernel", "port", "tables")


@dataclass(frozen=True)
class Machine:
    """The tools that built the images, and the machine that ran them."""

    board: str
    emulator: str
    compiler: str
    flags: str


def make_report(
    counts: Mapping[Build, Counts],
    machine: Machine,
    images: Mapping[Variant, ImageReport],
    schedulers: Mapping[Variant, ImageReport],
    two_cores: Mapping[Variant, ImageReport],
    sharing_sets: Sequence[SharingSetRow],
) -> KernelReport:
    """Build the tables of a measurement.

    `images`: uprio-nprio and the lazy forms. `schedulers`: Mueller's system. `two_cores`: the same
    with two cores.
    """
    rows = [row for build in BUILDS if build.level == LEVEL for row in counts[build].rows]
    figures = Figures(rows)
    footprint = _footprint(images, schedulers, two_cores)
    return KernelReport(
        board=machine.board,
        conditions=Conditions(
            emulator=machine.emulator,
            compiler=machine.compiler,
            flags=f"{LEVEL} {machine.flags}",
            rounds=counts[BUILDS[0]].rounds,
            unequal=[figure for build in BUILDS for figure in counts[build].unequal],
            notes=NOTES,
        ),
        parameters=_parameters(machine),
        rows=rows,
        small_rows=[row for build in BUILDS if build.level == SMALL for row in counts[build].rows],
        gains=_gains(figures),
        functions=function_rows(figures),
        savings=saving_rows(figures),
        sections=section_rows(figures),
        ready=ready_rows(figures),
        transitions=transition_rows(figures, TRANSITIONS),
        across_cores=transition_rows(figures, ACROSS),
        growth=growth_rows(figures),
        across_locks=global_rows(figures),
        spinlocks=spinlock_rows(figures),
        users=users_rows(figures),
        servers=server_rows(figures),
        sharing=sharing_rows(figures),
        sharing_sets=list(sharing_sets),
        footprint=footprint,
        targets=targets(figures, footprint),
    )


def _gains(figures: Figures) -> list[Gain]:
    baseline = Variant.SYSCALL
    others = list(dict.fromkeys([*COMPARED[1:], *LAZY[1:]]))
    return [
        Gain(
            benchmark=row.benchmark,
            variant=variant,
            gain=row.cost(figures, variant) / row.cost(figures, baseline) - 1,
            tms570=gain(row, variant, "TMS570"),
            am3359=gain(row, variant, "AM3359"),
        )
        for row in (*TABLE_II.rows, *TABLE_III.rows)
        for variant in others
    ]


def _parameters(machine: Machine) -> list[Parameter]:
    table = papers()["zuepke-1"]
    ours = {
        "emulator": machine.emulator.partition(",")[0],
        "compiler": machine.compiler.split()[-1],
        "level": LEVEL,
    }
    return [
        Parameter(name=row.row, tms570=tms570, am3359=am3359, board=row.ours.format(**ours))
        for row in table.rows
        for tms570, am3359 in [table.texts(row)]
    ]


def _footprint(
    images: Mapping[Variant, ImageReport],
    schedulers: Mapping[Variant, ImageReport],
    two_cores: Mapping[Variant, ImageReport],
) -> Footprint:
    image = images[Variant.UPRIO_NPRIO]
    return Footprint(
        kernel_text=_kernel_text(image),
        scheduler_texts=_kernel_texts(schedulers),
        two_core_texts=_kernel_texts(two_cores),
        task_block=image.task_block,
        lazy_task_blocks={
            variant: other.task_block for variant, other in images.items() if other is not image
        },
        saved_registers=image.saved_registers,
        page_tables=image.page_tables,
    )


def _kernel_texts(images: Mapping[Variant, ImageReport]) -> dict[str, int]:
    return {variant: _kernel_text(image) for variant, image in images.items()}


def _kernel_text(image: ImageReport) -> int:
    return sum(part.text for part in image.sizes if part.part in KERNEL_PARTS)
