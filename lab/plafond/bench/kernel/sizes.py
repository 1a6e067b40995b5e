# SPDX-License-Identifier: MIT
"""Measure how much features of a description, and services, add to an image."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel

from plafond.bench.kernel.report import KERNEL_PARTS
from plafond.bench.kernel.services import ServiceRow, measure_services
from plafond.board.boards import ROOT
from plafond.build.generate import LEVEL
from plafond.build.image import Image, build_image
from plafond.build.sizes import sizes_of
from plafond.describe.loading import load
from plafond.errors import ArgumentError
from plafond.programs import own_folder
from plafond.progress import progress_by_step
from plafond.rows import Column

BOARD = "a53"
PROTOCOL = "uprio-nprio"
TRUSTED = ROOT / "bench/kernel/sizes/trusted.c"


@dataclass(frozen=True)
class Feature:
    """The lines of a description for a feature, and the feature that it needs."""

    name: str
    kernel: str = ""  # lines of [kernel]
    tables: str = ""
    task: str = ""  # fields of the second, less urgent task
    both: str = ""  # fields of both tasks
    top: str = ""  # lines before all tables
    protocol: str = PROTOCOL
    beside: str = ""  # the feature that it needs; "": none

    def description(self, needed: "Feature") -> str:
        """Return the description in TOML."""
        return "\n".join(
            [
                *(needed.top, self.top),
                *("[kernel]", needed.kernel, self.kernel),
                "[task]",
                'FIRST = { priority = 2, autostart = true, body = ["run 1ms"]'
                f"{needed.both}{self.both} }}",
                f'SECOND = {{ priority = 1, autostart = true, body = ["run 1ms"]'
                f"{needed.task}{self.task}{needed.both}{self.both} }}",
                *(needed.tables, self.tables, ""),
            ]
        )


NOTHING = Feature("two basic tasks")
_COUNTER = "[counter]\nC = { highest = 99 }\n"
_ALARM = 'A = { counter = "C", action = "activate SECOND" }\n'
_MESSAGE = '[message]\nM = { type = "uint32_t" }\nIN = { from = "M" }\n'
_IOC = "[ioc.I]\ntype = 'uint32_t'\nreceiver = 'FIRST'\n"
_APPLICATION = "[application]\nA = {}\n"
THIRD = "one task more"
COUNTER = "a software counter"
CORES = "a second core"
HARDWARE = "scheduled by hardware"
ALARM = "an alarm of a software counter"
HOOK = "ErrorHook"
_TRUSTED = "trusted = [{trusted}]"


def _hook(name: str, word: str) -> Feature:
    return Feature(name, kernel=f'hooks = ["{word}"]\n{_TRUSTED}')


def _sourced(text: str, folder: Path) -> str:
    return text.replace("{trusted}", f'"{os.path.relpath(TRUSTED, folder)}"')


FEATURES = (
    Feature("extended status", kernel='status = "extended"'),
    Feature(THIRD, tables="[task.THIRD]\npriority = 1\nautostart = true\nbody = ['run 1ms']\n"),
    Feature("8 activations of a task", task=", queue = 8"),
    Feature("a non-preemptive task", task=', schedule = "non"'),
    Feature(
        "an internal resource", both=', internal = "R"', tables="[resource.R]\ninternal = true"
    ),
    Feature("a resource", both=', resources = ["R"]', tables="[resource]\nR = {}\n"),
    Feature(
        "a resource, and one linked to it",
        both=', resources = ["R", "L"]',
        tables='[resource]\nR = {}\nL = { linked = "R" }\n',
    ),
    Feature("RES_SCHEDULER", tables="[resource]\nRES_SCHEDULER = {}\n"),
    Feature("an event", task=', events = ["E"]'),
    Feature(COUNTER, tables=_COUNTER),
    Feature("another software counter", tables="D = { highest = 99 }\n", beside=COUNTER),
    Feature(ALARM, tables=f"{_COUNTER}[alarm]\n{_ALARM}"),
    Feature(
        "an alarm of the timer",
        tables='[counter]\nC = { tick = "1ms" }\n[alarm]\n' + _ALARM,
    ),
    Feature(
        "an alarm that calls a function",
        kernel=_TRUSTED,
        tables='B = { counter = "C", action = "call called" }\n',
        beside=ALARM,
    ),
    Feature(
        "an alarm that increments a counter",
        tables='B = { counter = "C", action = "increment D" }\n[counter.D]\nhighest = 99\n',
        beside=ALARM,
    ),
    Feature(
        "a schedule table",
        tables='[schedule_table.T]\ncounter = "C"\nduration = 5\n'
        'points = [{ at = 1, do = ["activate SECOND"] }]\n',
        beside=COUNTER,
    ),
    Feature("a message", tables=_MESSAGE),
    Feature("a message with a queue", tables=_MESSAGE.replace('"M"', '"M", queue = 2')),
    Feature("an IOC with a queue", tables=f'{_IOC}senders = ["SECOND"]\nqueue = 2\n'),
    Feature("an IOC with a last value", tables=f'{_IOC}senders = ["SECOND"]\n'),
    Feature(
        "an IOC with queues of two senders",
        tables=f'{_IOC}senders = ["SECOND", "THIRD"]\nqueue = 2\n',
        beside=THIRD,
    ),
    Feature(
        "an IOC with last values of two senders",
        tables=f'{_IOC}senders = ["SECOND", "THIRD"]\n',
        beside=THIRD,
    ),
    Feature("two application modes", kernel='modes = ["ONE", "TWO"]'),
    _hook("StartupHook", "startup"),
    _hook("ShutdownHook", "shutdown"),
    _hook(HOOK, "error"),
    Feature("parameters for ErrorHook", kernel="parameters = true", beside=HOOK),
    _hook("PreTaskHook", "pretask"),
    _hook("PostTaskHook", "posttask"),
    _hook("ProtectionHook", "protection"),
    Feature("an interrupt", kernel=_TRUSTED, tables="[isr]\nCOMES = { source = 40 }\n"),
    Feature(
        "an interrupt of category 1",
        kernel=_TRUSTED,
        tables="[isr]\nCOMES = { source = 40, category = 1 }\n",
    ),
    Feature("an application", both=', application = "A"', tables=_APPLICATION),
    Feature(
        "a deferrable server",
        both=', server = "S"',
        tables="[server.S]\nkind = 'deferrable'\npriority = 1\nperiod = '10ms'\nbudget = '1ms'\n",
    ),
    Feature("a console", kernel="console = true"),
    Feature("resources as system calls", protocol="syscall"),
    Feature("lazy ceilings", protocol="lazy-ceiling"),
    Feature(HARDWARE, top='scheduler = "hardware"', protocol="lazy-ceiling"),
    Feature(CORES, top="cpus = 2"),
    Feature(
        "an application that is not terminated",
        both=', application = "A"',
        tables=_APPLICATION,
        protocol="lazy-ceiling",
        beside=HARDWARE,
    ),
)


def _beside(row: "SizeRow") -> str:
    return f"{row.feature}, beside {row.beside}" if row.beside else row.feature


class SizeRow(BaseModel):
    """The bytes that a feature adds to kernel, port and tables; the first row is all of them."""

    feature: Annotated[str, Column("feature", of=_beside)]
    text: Annotated[int, Column("text", "bytes", ",")]  # code and constants
    data: Annotated[int, Column("data", "bytes", ",")]  # initialised and zeroed data
    beside: str  # the feature of the system to which it was added


class SizesReport(BaseModel):
    """All features, each added alone, and all services, from an image that has them all."""

    board: str
    protocol: str
    flags: str
    rows: list[SizeRow]
    services: list[ServiceRow]


def measure_sizes(board: str) -> SizesReport:
    """Build an image without features, and an image with each; show a progress bar."""
    if board != BOARD:
        raise ArgumentError(
            f"--board: found {board!r}; expected {BOARD}, the only board whose images are alone"
        )
    rows = []
    images: dict[str, tuple[int, int]] = {}
    with progress_by_step("building", 2 + len(FEATURES)) as step:
        for done, (feature, needed) in enumerate(_with_needed()):
            step(f"building {feature.name}", done)
            image = _build(feature, needed, done)
            images[feature.name] = _sizes(image)
            before = images[needed.name] if done else (0, 0)
            text, data = (a - b for a, b in zip(images[feature.name], before, strict=True))
            row = SizeRow(feature=feature.name, text=text, data=data, beside=feature.beside)
            rows.append(row)
        step("building all services", 1 + len(FEATURES))
        services = measure_services(board)
    return SizesReport(
        board=board,
        protocol=PROTOCOL,
        flags=f"{LEVEL} {image.board.flags}",
        rows=rows,
        services=services,
    )


def _with_needed() -> Iterator[tuple[Feature, Feature]]:
    """Yield each feature, with the feature that it needs."""
    named = {feature.name: feature for feature in FEATURES}
    yield NOTHING, NOTHING
    yield from ((feature, named.get(feature.beside, NOTHING)) for feature in FEATURES)


def _build(feature: Feature, needed: Feature, number: int) -> Image:
    folder = own_folder("kernel") / f"bench-sizes-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder.parent / f"bench-sizes-{number}.toml"
    file.write_text(_sourced(feature.description(needed), file.parent))
    return build_image(load(file), BOARD, feature.protocol, folder, for_tools=False)


def _sizes(image: Image) -> tuple[int, int]:
    """Return text and data of the kernel, its port and its tables."""
    parts = [part for part in sizes_of(image).parts if part.part in KERNEL_PARTS]
    return sum(part.text for part in parts), sum(part.data + part.bss for part in parts)
