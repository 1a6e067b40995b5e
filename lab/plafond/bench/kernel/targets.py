# SPDX-License-Identifier: MIT
"""The figures to reach, and whether this run reached them."""

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import Footprint
from plafond.bench.kernel.papers import papers
from plafond.bench.model import Target
from plafond.bench.targets import judge


def targets(figures: Figures, footprint: Footprint) -> list[Target]:
    """Judge a run by the limits that the project has set itself."""
    return [
        *(target for table in papers().values() for target in table.targets(figures)),
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
