# SPDX-License-Identifier: MIT
"""Measure the bytes of an image that exist for a single service only.

The functions of an image and the branches between them are a graph. A service begins at its
functions in the kernel's tables `services` (for tasks) and `trusted` (for handlers). Its bytes are
those of the functions that are reachable from there, but not from another service or from
elsewhere. Elsewhere are functions without an incoming branch that are not in these tables: the
start, exceptions, and functions that are called by a pointer.
"""

import os
import re
import subprocess
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Symbol, SymbolTableSection
from pydantic import BaseModel

from plafond.board.boards import ROOT, Board
from plafond.build.image import Image, build_image
from plafond.build.services import load_services
from plafond.describe.loading import load
from plafond.programs import own_folder
from plafond.rows import Column

TRUSTED = ROOT / "bench/kernel/sizes/services.c"
# All services of one core; under `syscall` these include the services of resources.
PROTOCOL = "syscall"
EVERYTHING = """\
[kernel]
console = true
trusted = [{trusted}]
[application]
A = {{ trusted = true, functions = ["F"] }}
[task.FIRST]
priority = 2
autostart = true
application = "A"
resources = ["R"]
events = ["E"]
body = ["run 1ms"]
[task.SECOND]
priority = 1
autostart = true
application = "A"
resources = ["R"]
body = ["run 1ms"]
[resource.R]
[counter.C]
highest = 99
application = "A"
[alarm.WAKE]
counter = "C"
action = "activate SECOND"
application = "A"
[schedule_table.T]
counter = "C"
duration = 5
sync = "explicit"
precision = 0
points = [{{ at = 1, do = ["activate SECOND"] }}]
application = "A"
[message]
M = {{ type = "uint32_t" }}
IN = {{ from = "M" }}
[isr.COMES]
source = 40
application = "A"
resources = ["R"]
"""
SEVERAL = "several of them, and nothing else"
SLOT_BYTES = {"services": 8, "trusted": 16}
LABEL = re.compile(r"^([0-9a-f]{16}) <(\S+)>:$", re.MULTILINE)
BRANCHES = r"(?:bl?|b\.\w+|cbn?z|tbn?z)"
BRANCH = re.compile(rf"^ +[0-9a-f]+:\t{BRANCHES}\t(?:.*, )?([0-9a-f]+) <", re.MULTILINE)


class ServiceRow(BaseModel):
    """The size of the code for a single service."""

    service: Annotated[str, Column("service")]
    text: Annotated[int, Column("text", "bytes", ",")]


@dataclass(frozen=True)
class Code:
    """The functions of an image, by address, with their sizes and branches."""

    names: Mapping[int, str]
    sizes: Mapping[int, int]
    calls: Mapping[int, frozenset[int]]

    def reached(self, starts: Iterable[int]) -> set[int]:
        """Return all functions that are reachable from `starts`, with `starts`."""
        found: set[int] = set()
        left = list(starts)
        while left:
            function = left.pop()
            if function not in found:
                found.add(function)
                left += self.calls[function]
        return found


@dataclass(frozen=True)
class Services:
    """The functions in the tables by name of the service, and the other entries of the tables."""

    starts: dict[str, set[int]] = field(default_factory=dict)
    others: set[int] = field(default_factory=set)


def measure_services(board: str) -> list[ServiceRow]:
    """Build an image with all services of one core, and return a row for each service."""
    folder = own_folder("kernel") / "bench-sizes-services"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder.parent / f"{folder.name}.toml"
    trusted = os.path.relpath(TRUSTED, file.parent)
    file.write_text(EVERYTHING.format(trusted=f'"{trusted}"'))
    image = build_image(load(file), board, PROTOCOL, folder, for_tools=False)
    return rows_of(code_of(image.board, image.path), services_of(image))


def rows_of(code: Code, services: Services) -> list[ServiceRow]:
    """Return the services in order of name, and last the row of their common functions."""
    entries = services.others.union(*services.starts.values())
    called = {each for function, own in code.calls.items() for each in own if each != function}
    elsewhere = code.reached((code.names.keys() - called - entries) | services.others)
    reached = {name: code.reached(starts) for name, starts in services.starts.items()}
    rows, alone = [], set[int]()
    for name in sorted(reached):
        rest = elsewhere.union(*(own for other, own in reached.items() if other != name))
        own = reached[name] - rest
        alone |= own
        rows.append(ServiceRow(service=name, text=sum(code.sizes[each] for each in own)))
    common = set[int]().union(*reached.values()) - elsewhere - alone
    shared = sum(code.sizes[each] for each in common)
    return [*rows, ServiceRow(service=SEVERAL, text=shared)]


def code_of(board: Board, image: Path) -> Code:
    """Return the graph of an image, from its disassembly."""
    shown = subprocess.run(
        [f"{board.prefix}objdump", "-d", "--no-show-raw-insn", str(image)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    labels = list(LABEL.finditer(shown))
    starts = [int(label[1], 16) for label in labels]
    names = {start: label[2] for start, label in zip(starts, labels, strict=True)}
    sizes, calls = {}, {}
    ends = [*(label.start() for label in labels[1:]), len(shown)]
    for start, label, end in zip(starts, labels, ends, strict=True):
        text = shown[label.end() : end]
        sizes[start] = 4 * text.count(":\t")
        targets = (int(each[1], 16) for each in BRANCH.finditer(text))
        calls[start] = frozenset(_function_at(starts, target) for target in targets)
    return Code(names, sizes, calls)


def _function_at(starts: list[int], address: int) -> int:
    return starts[bisect_right(starts, address) - 1]


def services_of(image: Image) -> Services:
    """Return the entries of the image's tables for each number of a call."""
    names = _names_by_function()
    services = Services()
    with image.path.open("rb") as opened:
        elf = ELFFile(opened)
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)  # because an image is not stripped
        symbols = list(table.iter_symbols())
        tables = [_pointers(elf, symbols, table, slot) for table, slot in SLOT_BYTES.items()]
    functions = {each["st_value"]: each.name for each in symbols if each.name in names}
    for of_tasks, of_handlers in zip(*tables, strict=True):
        name = names.get(functions.get(of_tasks, ""))
        starts = services.starts.setdefault(name, set()) if name else services.others
        starts |= {of_tasks, of_handlers} - {0}
    return services


def _names_by_function() -> dict[str, str]:
    """Return the standard's name of a service, by its function in the table `services`."""
    groups = load_services().groups
    named = (service for group in groups for service in group.named if not service.same_as)
    return {service.of_tasks: service.name for service in named}


def _pointers(elf: ELFFile, symbols: Iterable[Symbol], table: str, slot: int) -> list[int]:
    """Return the first word of each slot of a table."""
    symbol = next(each for each in symbols if each.name == table)
    address, size = symbol["st_value"], symbol["st_size"]
    section = next(
        each
        for each in elf.iter_sections()
        if each["sh_addr"] <= address < each["sh_addr"] + each["sh_size"]
    )
    first = address - section["sh_addr"]
    data = section.data()[first : first + size]
    return [int.from_bytes(data[at : at + 8], "little") for at in range(0, size, slot)]
