# SPDX-License-Identifier: MIT
"""A certificate of the kernel counts only for the files of kernel/ that its proof compiled."""

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from plafond.build.kernel_files import KernelFiles, kernel_files

import proof.cores.variant as of_cores
import proof.kernel.variant as of_kernel


def variants() -> tuple[of_kernel.Variant, of_cores.Variant]:
    """Return a kernel of each room, made as in the room."""
    return of_kernel.Variant("syscall", of_kernel.SYSCALL.rules), of_cores.Variant("edf", "syscall")


@pytest.mark.parametrize(
    ("changed", "is_changed"),
    [
        ({}, (False, False)),
        ({"sources": ("new.c",)}, (True, False)),
        ({"headers": ()}, (True, True)),
    ],
)
def test_other_files_are_another_question(
    changed: dict[str, tuple[str, ...]], is_changed: tuple[bool, bool]
) -> None:
    """kernel.c of two cores includes its C files, so only the folders are chosen for it."""

    def chosen(**folders: Any) -> KernelFiles:
        return replace(kernel_files(**folders), **changed)

    before = variants()
    with (
        patch.object(of_kernel, "kernel_files", chosen),
        patch.object(of_cores, "kernel_files", chosen),
    ):
        now = variants()
    # The repr() of the played variant is a part of each question: see proof/boundary.
    assert tuple(repr(a) != repr(b) for a, b in zip(before, now, strict=True)) == is_changed
