# SPDX-License-Identifier: MIT
"""The figures to reach, and whether this run reached them."""

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.growth import marked
from plafond.bench.kernel.model import Footprint
from plafond.bench.kernel.mpcp import GROWING, LOCKS, SPIN_LIMITS, SPINLOCK, SPINNING
from plafond.bench.kernel.mueller import LIMITS, TRANSITIONS, cost
from plafond.bench.kernel.procedures import NESTED, NON_NESTED, TABLE_III
from plafond.bench.kernel.servers import LIMITS as SERVER_LIMITS
from plafond.bench.kernel.servers import ROWS as SERVER_ROWS
from plafond.bench.kernel.servers import served
from plafond.bench.kernel.sharing import LIMITS as SHARING_LIMITS
from plafond.bench.kernel.sharing import ROWS as SHARING_ROWS
from plafond.bench.kernel.sharing import shared
from plafond.bench.kernel.two_cores import ACROSS, LIMITS_ACROSS
from plafond.bench.kernel.variants import Variant
from plafond.bench.model import Target
from plafond.bench.targets import judge

NULL = "null-syscall"
BASELINE, OURS, EXTENDED = Variant.SYSCALL, Variant.UPRIO_NPRIO, Variant.UPRIO_NPRIO_EXTENDED


def targets(figures: Figures, footprint: Footprint) -> list[Target]:
    """Judge a run by the limits that the project has set itself."""
    added = figures.count(NULL, OURS) - figures.count(NULL, BASELINE)
    pair = "GetResource + ReleaseResource"
    return [
        judge(f"{pair}, {OURS}", figures.count(NON_NESTED, OURS), 12),
        judge("the same nested, two of each", figures.count(NESTED, OURS), 24),
        judge("the same, extended status", figures.count(NON_NESTED, EXTENDED)),
        judge("the same nested, extended status", figures.count(NESTED, EXTENDED)),
        judge(f"{pair}, {Variant.LAZY_CEILING}", figures.count("flat", Variant.LAZY_CEILING), 14),
        judge(f"{pair}, {Variant.LAZY_FLOOR}", figures.count("flat", Variant.LAZY_FLOOR), 14),
        judge(f"null system call, {BASELINE}", figures.count(NULL, BASELINE), 45),
        judge(f"null system call, {OURS} less {BASELINE}", added, 0),
        judge(f"Table III, {OURS} less {BASELINE}, the worst row", _worst_row(figures), 0),
        *(
            target
            for variant in (BASELINE, OURS)
            for target in (
                judge(
                    f"activation to the first instruction, {variant}",
                    figures.count("activate-first", variant),
                    100,
                ),
                judge(
                    f"activation, end and return, {variant}",
                    figures.count("activate-high", variant),
                    180,
                ),
            )
        ),
        *(
            judge(f"{transitions[name].words}, {variant}", cost(figures, name, variant), most)
            for transitions, limits in ((TRANSITIONS, LIMITS), (ACROSS, LIMITS_ACROSS))
            for (name, variant), most in limits.items()
        ),
        *(
            judge(f"{lock.words}, {variant}", figures.count(name, variant), lock.limit)
            for name, lock in LOCKS.items()
            for variant in GROWING
            if lock.limit
        ),
        *(
            judge(
                f"GetSpinlock + ReleaseSpinlock, {protocol}",
                figures.count(marked(SPINLOCK, protocol), SPINNING),
                most,
            )
            for protocol, most in SPIN_LIMITS.items()
        ),
        *(
            judge(f"servers: {SERVER_ROWS[name]}, {OURS}", served(figures, name, OURS), most)
            for name, most in SERVER_LIMITS.items()
        ),
        *(
            judge(
                f"several servers: {SHARING_ROWS[name]}, {OURS}", shared(figures, name, OURS), most
            )
            for name, most in SHARING_LIMITS.items()
        ),
        judge("bytes of kernel text and constants", footprint.kernel_text, 12 << 10),
        *(
            judge(f"the same of Mueller's system, {variant}", size)
            for variant, size in footprint.scheduler_texts.items()
        ),
        *(
            judge(f"the same with two cores, {variant}", size)
            for variant, size in footprint.two_core_texts.items()
        ),
        judge("bytes of a task control block", footprint.task_block, 128),
        *(
            judge(f"the same, {variant}", size)
            for variant, size in footprint.lazy_task_blocks.items()
        ),
        judge("bytes of saved registers, a task", footprint.saved_registers),
        judge("bytes of page tables, all tasks", footprint.page_tables),
    ]


def _worst_row(figures: Figures) -> int:
    return max(
        figures.count(section.name, OURS) - figures.count(section.name, BASELINE)
        for section in TABLE_III
    )
