# SPDX-License-Identifier: MIT
"""The report of an image before it runs."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel

from plafond.board.layout import Structure, structures_of
from plafond.build.conformance import ConformanceClass, conformance_class
from plafond.build.image import Image
from plafond.build.sizes import Sizes, sizes_of
from plafond.build.stacks import Stacks
from plafond.rows import Column

STRUCTURES = (
    "plf_task",
    "plf_context",
    "plf_page",
    "plf_words",
    "plf_lazy_global",
    "plf_resource_words",
    "plf_global_words",
)


class StackRow(BaseModel):
    """A stack of a task, in bytes: its usual stack, or the stack for another application."""

    task: Annotated[str, Column("task")]  # or "task in APPLICATION"
    given: Annotated[int | None, Column("given", missing="-")]  # None: the board provides it
    # Need of the longest chain of calls; None: not known.
    by_compiler: Annotated[int | None, Column("by the compiler", missing="-")]


def _offset(row: "WordRow") -> str:
    return f"{row.offset} + {row.stride}n" if row.stride else str(row.offset)


class WordRow(BaseModel):
    """A word that tasks share with the kernel or with each other; sizes in bytes."""

    word: Annotated[str, Column("word")]
    # Offset in the shared memory; for resources, the offset of the first resource.
    offset: Annotated[int, Column("offset", of=_offset)]
    stride: int | None  # from a resource to the next
    size: Annotated[int, Column("size")]


class ImageReport(BaseModel):
    """An image; all sizes in bytes."""

    file: str
    board: str
    scheduler: str
    protocol: str
    conformance_class: ConformanceClass | None  # of OSEK; None under EDF
    image: str
    nesting: int  # most handlers begun at once on a core, nested in each other; 0: none nest
    sizes: list[Sizes]  # by part
    stacks: list[StackRow]
    activations: int  # most at once, over all tasks; under EDF the size of the kernel's queue
    task_block: int  # bytes of the kernel for each task
    saved_registers: int  # bytes of the port for each task
    page_tables: int  # bytes for all tasks and the kernel
    shared: list[WordRow]


def report_of(image: Image) -> ImageReport:
    """Return the report of a built image."""
    sizes = sizes_of(image)
    stacks = Stacks(image)
    structures = structures_of(image.path, STRUCTURES)
    return ImageReport(
        file=str(image.system.file),
        board=image.board.name,
        scheduler=image.system.scheduler,
        protocol=image.configuration.protocol,
        conformance_class=conformance_class(image.system.scheduler, image.configuration.tasks),
        image=str(image.path),
        nesting=image.configuration.nesting,
        sizes=sizes.parts,
        stacks=[*_stacks(image, stacks), *_stacks_of_callees(image, stacks)],
        activations=sum(task.activations for task in image.configuration.tasks),
        task_block=structures["plf_task"].size,
        saved_registers=structures["plf_context"].size,
        page_tables=sizes.page_tables,
        shared=list(_shared(structures)),
    )


def _stacks(image: Image, stacks: Stacks) -> Iterator[StackRow]:
    for task in image.configuration.tasks:
        needed = stacks.bytes_of(f"plf_task_{task.name}")
        yield StackRow(task=task.name, given=task.stack_bytes or None, by_compiler=needed)


def _stacks_of_callees(image: Image, stacks: Stacks) -> Iterator[StackRow]:
    """Yield a row for each task in each other application; the deepest function counts."""
    needs: dict[str, list[int | None]] = {}
    for function in image.configuration.protected:
        needed = stacks.bytes_of(f"FUNCTION_{function.name}")
        needs.setdefault(function.application, []).append(needed)
    for domain in image.configuration.callees:
        known = [each for each in needs[domain.application] if each is not None]
        yield StackRow(
            task=f"{domain.task} in {domain.application}",
            given=domain.stack_bytes or None,
            by_compiler=max(known) if len(known) == len(needs[domain.application]) else None,
        )


def _shared(structures: dict[str, Structure]) -> Iterator[WordRow]:
    """Yield the words of struct plf_page: of the running task, and of resources if it has some."""
    parts = {
        "words": "plf_words",
        "global": "plf_lazy_global",
        "resources": "plf_resource_words",
        "globals": "plf_global_words",
    }
    for part in structures["plf_page"].members:
        structure = structures[parts[part.name]]
        stride = None if part.name in ("words", "global") else structure.size
        for member in structure.members:
            yield WordRow(
                word=f"{part.name}{'[]' if stride else ''}.{member.name}",
                offset=part.offset + member.offset,
                stride=stride,
                size=member.size,
            )
