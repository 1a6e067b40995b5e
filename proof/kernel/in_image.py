# SPDX-License-Identifier: MIT
"""A fault of the kernel, and the image of a program of kernel/test that has to fail with it."""

from __future__ import annotations

from dataclasses import dataclass

from proof.mutation import ByHand


@dataclass(frozen=True, slots=True)
class Fault:
    """And the image that finds it."""

    fault: ByHand
    image: str


def fault_in(file: str, name: str, old: str, new: str, image: str) -> Fault:
    """Of a file of the kernel: this text for that one."""
    return Fault(ByHand(name, f"kernel/{file}", old, new), image)
