# SPDX-License-Identifier: MIT
"""A fault of the kernel, and the image of a program of kernel/test that must fail with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from proof.kernel.operators import ImageMutator
from proof.mutation import ByHand, Mutant
from proof.result import ROOT

# Columns in services.h: the places from which hooks and handlers may call a service, and the kind
# of its object.
PLACES, KIND = 3, 5


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, and the image that finds it."""

    fault: ByHand | Mutant
    image: str

    def mutant(self, tree: Path) -> Mutant:
        """The fault, placed in this tree."""
        return self.fault if isinstance(self.fault, Mutant) else self.fault.mutant(tree)

    @property
    def is_generated(self) -> bool:
        """Whether an operator made the fault."""
        return isinstance(self.fault, Mutant)

    @property
    def file(self) -> str:
        """The file with the fault."""
        return self.fault.file

    @property
    def name(self) -> str:
        """The fault's name in tables. With the file's name it is the key of an argument."""
        if isinstance(self.fault, Mutant):
            return self.fault.key.partition(":")[2]
        return self.fault.name


def fault_in(file: str, name: str, old: str, new: str, image: str) -> Fault:
    """A fault in a file of the kernel: `new` instead of `old`."""
    return Fault(ByHand(name, f"kernel/{file}", old, new), image)


def fault_in_row(service: str, column: int, name: str, new: str, image: str) -> Fault:
    """A fault in services.h: `new` in this column of the service's row."""
    rows = (ROOT / "kernel/services.h").read_text()
    match = re.search(rf"^SERVICE\(({service}, .*?)\)$", rows, re.MULTILINE | re.DOTALL)
    if match is None:
        raise ValueError(f"{name}: found no row of {service} in services.h")
    columns = match[1].split(",")
    columns[column] = f" {new}"
    return fault_in("services.h", name, match[0], f"SERVICE({','.join(columns)})", image)


def faults_of(file: str, images: Mapping[str, str], room: str = "kernel") -> Iterator[Fault]:
    """All faults that the operators make in functions. `images`: the image by beginnings of names.

    The longest beginning counts, because another image may find some faults of a function.
    """
    functions = {name.partition(":")[0] for name in images}
    for mutant in ImageMutator(ROOT, f"{room}/{file}", functions).mutants():
        fault = Fault(mutant, "")
        fitting = max((each for each in images if fault.name.startswith(each)), key=len)
        yield Fault(mutant, images[fitting])
