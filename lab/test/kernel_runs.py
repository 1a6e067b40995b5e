# SPDX-License-Identifier: MIT
"""Runs on Plafond's own kernel. Each image is built and run once for all tests."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

from patience import HUNG_S
from quick_images import build_quickly

from plafond.board.boards import BOARDS
from plafond.board.console import parse_console
from plafond.board.image import run_image
from plafond.board.recording import Recording
from plafond.board.trace import trace_of
from plafond.build.image import Image, build_image
from plafond.describe import System, load
from plafond.describe.kernel import Scheduler
from plafond.programs import build_folder
from plafond.protocols import names_of
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.trace.model import Event, Trace
from plafond.units import UNIT_NS

EXAMPLES = Path(__file__).parents[2] / "examples"
PROTOCOLS = names_of(lambda row: row.runs_under("priority"))
PROTOCOLS_EDF = names_of(lambda row: row.runs_under("edf"))
HARDWARE = "hardware "
BY_HARDWARE = (f"{HARDWARE}mask", f"{HARDWARE}lazy-ceiling")  # the paper's way, and the default
MS = UNIT_NS["ms"]


def described(name: str, text: str, sources: Mapping[str, str] | None = None) -> System:
    """Write a description and its C sources into a permanent folder, and return its system."""
    folder = build_folder() / "kernel" / "test"
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in {**(sources or {}), f"{name}.toml": text}.items():
        if not (folder / file).exists() or (folder / file).read_text() != content:
            (folder / file).write_text(content)
    return load(folder / f"{name}.toml")


def image_of(system: System, board: str, protocol: str) -> Image:
    """Build an image with the flags of users' images."""
    return build_image(system, board, protocol, _folder_of(system, board, protocol))


def _folder_of(system: System, board: str, protocol: str) -> Path:
    """Return the folder in which ninja finds the objects of an earlier build."""
    assert system.file
    name = f"{system.file.stem}-{board}-{system.scheduler}-{protocol}"
    return build_folder() / "kernel" / "test" / name


@cache
def trace_on(
    board: str, protocol: str, system: System, scale: str = "1", activations: int | None = None
) -> Trace:
    """Run a system under one protocol, which may be in BY_HARDWARE."""
    if protocol.startswith(HARDWARE):
        protocol = protocol.removeprefix(HARDWARE)
        system = replace(system, scheduler=Scheduler.HARDWARE)
    system = with_activations(system.scaled(Fraction(scale)), activations)
    recording = Recording(system, draw_arrivals(system, system.seed))
    folder = _folder_of(system, board, protocol)
    image = build_quickly(system, board, protocol, folder, recording)
    console = run_image(image.path, BOARDS[board], HUNG_S)
    return trace_of(parse_console(console), recording, protocol)


Moment = tuple[int, str, str]  # time in ns, task, the event with its resource


def moments(trace: Trace, until_ns: int) -> list[Moment]:
    """Return all events before a time in order of time, without arrivals."""
    found = [
        (event.time_ns, task.name, _what(event, trace))
        for task in trace.tasks
        for event in task.events
        if event.time_ns < until_ns
    ]
    return sorted(found, key=lambda moment: moment[0])


def _what(event: Event, trace: Trace) -> str:
    if event.resource is None:
        return event.kind
    return f"{event.kind} {trace.resources[event.resource]}"


def written(schedule: str, unit_ns: int) -> list[Moment]:
    """Turn lines such as `6 T2: unlock R, suspend` into moments. Their times are in `unit_ns`."""
    return list(_written(schedule, unit_ns))


def _written(schedule: str, unit_ns: int) -> Iterator[Moment]:
    for line in schedule.strip().splitlines():
        match = re.fullmatch(r"\s*([\d.]+) (\w+): (.*)", line)
        assert match, line
        for what in match[3].split(", "):
            yield int(float(match[1]) * unit_ns), match[2], what
