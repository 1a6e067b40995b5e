# SPDX-License-Identifier: MIT
"""Descriptions for Plafond's own kernel: the values that are read, and every mistake with its
place."""

from itertools import pairwise
from pathlib import Path

import pytest

from plafond.describe import load
from plafond.describe.alarm import Alarm
from plafond.describe.body import (
    Activate,
    CallBack,
    Chain,
    ClearEvent,
    Increment,
    Run,
    SetEvent,
    WaitEvent,
)
from plafond.describe.counter import Counter
from plafond.describe.isr import Isr
from plafond.describe.kernel import Hook, Status
from plafond.describe.kernel_table import KERNEL
from plafond.describe.linux import needs_kernel
from plafond.describe.system import System
from plafond.protocols import KernelProtocol

WHOLE = """
[kernel]
status = "extended"
protocol = "uprio-kprio"
hooks = ["error", "startup"]
sources = ["tasks.c"]
trusted = ["hooks.c"]

[task.high]
priority = 9
events = ["GO", "STOP"]
autostart = true
body = ["wait GO", "clear GO", "activate low", "set high STOP", "chain low"]

[task.low]
priority = 3
internal = "I"
queue = 4
resources = ["R"]
stack = 8192

[task.single]
priority = 3
schedule = "non"
arrival = "periodic 5ms"
body = ["lock RES_SCHEDULER", "run 1us", "unlock RES_SCHEDULER"]

[resource.R]
[resource.I]
internal = true
ceiling = 5

[counter.C]
highest = 1000
ticks_per_base = 10
min_cycle = 2
tick = "1ms"
[counter.soft]

[alarm.A]
counter = "C"
action = "set high GO"
autostart = [3, 0]
[alarm.B]
counter = "soft"
action = "activate low"

[isr.button]
source = 7
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "some.toml"
    file.write_text(text)
    for name in ("tasks.c", "hooks.c"):
        (folder / name).touch()
    return file


def system_of(folder: Path, text: str) -> System:
    return load(write(folder, text))


def test_a_whole_description(tmp_path: Path) -> None:
    system = system_of(tmp_path, WHOLE)
    high, low, single = system.tasks
    assert high.body == (
        WaitEvent("GO"),
        ClearEvent("GO"),
        Activate("low"),
        SetEvent("high", "STOP"),
        Chain("low"),
    )
    assert (high.interval, high.deadline_ns, high.autostart) == (None, None, True)
    assert (high.events, high.queue) == (("GO", "STOP"), None)
    assert (low.body, low.queue, low.internal, low.stack) == ((), 4, "I", 8192)
    assert low.resources == {"R"}
    assert (single.is_preemptable, single.deadline_ns) == (False, 5_000_000)
    kernel = system.kernel
    assert (kernel.status, kernel.protocol) == (Status.EXTENDED, KernelProtocol.UPRIO_KPRIO)
    assert kernel.hooks == (Hook.STARTUP, Hook.ERROR)
    assert not kernel.console
    assert (kernel.sources, kernel.trusted) == (("tasks.c",), ("hooks.c",))
    assert system.c_files == (tmp_path / "tasks.c", tmp_path / "hooks.c")
    assert system.counters == (
        Counter.made("C", highest=1000, ticks_per_base=10, min_cycle=2, tick_ns=1_000_000),
        Counter.made("soft"),
    )
    assert system.alarms == (
        Alarm.made("A", counter="C", action=SetEvent("high", "GO"), autostart=(3, 0)),
        Alarm.made("B", counter="soft", action=Activate("low")),
    )
    assert system.isrs == (Isr.made("button", source=7),)


def test_ceilings_of_all_kinds_of_resources(tmp_path: Path) -> None:
    resources = {r.name: r for r in system_of(tmp_path, WHOLE).resources}
    assert (resources["R"].ceiling, resources["R"].users) == (3, ("low",))
    assert (resources["I"].ceiling, resources["I"].internal) == (5, True)
    scheduler = resources["RES_SCHEDULER"]
    assert (scheduler.ceiling, scheduler.users) == (9, ("single",))


def test_unrequested_features_are_not_there(tmp_path: Path) -> None:
    text = '[task.T]\npriority = 1\narrival = "periodic 1ms"\nbody = ["run 1us"]\n'
    system = system_of(tmp_path, text)
    assert (system.resources, system.kernel) == ((), KERNEL)
    assert system.tasks[0].body == (Run(1000),)
    assert needs_kernel(system) is None


def test_autostart_may_be_of_some_modes(tmp_path: Path) -> None:
    text = WHOLE.replace("hooks =", 'modes = ["RUN", "FIX"]\nparameters = true\nhooks =')
    text = text.replace("autostart = true", 'autostart = true\nmodes = ["FIX"]')
    system = system_of(tmp_path, text)
    assert (system.kernel.modes, system.kernel.parameters) == (("RUN", "FIX"), True)
    assert {task.name: task.modes for task in system.tasks if task.autostart} == {"high": ("FIX",)}
    assert system.alarms[0].modes == ()
    assert needs_kernel(system) == "kernel.hooks"


def test_counters_may_be_incremented_in_a_row(tmp_path: Path) -> None:
    text = WHOLE.replace('"set high GO"', '"increment soft"')
    text = text.replace('"activate low"\n\n', '"call ready"\n\n')
    system = system_of(tmp_path, text)
    assert [alarm.action for alarm in system.alarms] == [Increment("soft"), CallBack("ready")]
    assert [alarm.task for alarm in system.alarms] == [None, None]


def test_a_row_of_counters_may_have_eight(tmp_path: Path) -> None:
    counters = "".join(f"[counter.{name}]\n" for name in "ABCDEFGH")
    alarms = "".join(
        f'[alarm.{one}]\ncounter = "{one}"\naction = "increment {other}"\n'
        for one, other in pairwise("ABCDEFGH")
    )
    assert len(system_of(tmp_path, ON_LINUX.format("", "") + counters + alarms).counters) == 8


def test_callbacks_may_be_in_mixed_files(tmp_path: Path) -> None:
    alarm = '[counter.A]\n[alarm.X]\ncounter = "A"\naction = "call f"\n'
    text = ON_LINUX.format("", "") + alarm + "[kernel]\nmixed = ['tasks.c']\n"
    assert isinstance(system_of(tmp_path, text).alarms[0].action, CallBack)


LONELY = "[task.T]\npriority = 1\n{}\n"


@pytest.mark.parametrize(
    "more",
    [
        'autostart = true\nbody = ["run 1us"]',
        'body = ["activate T"]',
        'body = ["run 1us", "chain T"]',
        'body = ["run 1us"]\n[counter.C]\n[alarm.A]\ncounter = "C"\naction = "activate T"',
        '[kernel]\nsources = ["tasks.c"]',
        '[kernel]\nmixed = ["tasks.c"]\nhooks = ["error"]\n[isr.I]\nsource = 1',
    ],
)
def test_a_task_may_be_activated_by_others(tmp_path: Path, more: str) -> None:
    assert system_of(tmp_path, LONELY.format(more)).tasks[0].interval is None


ON_LINUX = '[task.T]\npriority = 1\narrival = "periodic 1ms"\n{}\nbody = ["run 1us"{}]\n'


@pytest.mark.parametrize(
    ("more", "steps", "tables", "first"),
    [
        ("", "", "", None),
        ("stack = 9000", "", '[kernel]\nprotocol = "syscall"\nstatus = "extended"', None),
        ("", ', "lock RES_SCHEDULER", "unlock RES_SCHEDULER"', "", None),
        ("autostart = true", "", "", "task.T.autostart"),
        ("queue = 1", "", "", "task.T.queue"),
        ('schedule = "non"', "", "", "T, which is not preempted"),
        ('events = ["E"]', "", "", "task.T.events"),
        ('internal = "I"', "", "[resource.I]\ninternal = true", "the internal resource I"),
        ("", ', "activate T"', "", 'task.T.body[1] "activate T"'),
        ("", "", '[kernel]\nsources = ["tasks.c"]', "kernel.sources"),
        ("", "", "[kernel]\nconsole = true", "kernel.console"),
        ("", "", "[counter.C]", "[counter.C]"),
        ("", "", "[isr.I]\nsource = 1\n[kernel]\ntrusted = ['hooks.c']", "kernel.trusted"),
        ("", "", "[kernel]\nmixed = ['hooks.c']", "kernel.mixed"),
    ],
)
def test_what_linux_cannot_do_is_named(
    tmp_path: Path, more: str, steps: str, tables: str, first: str | None
) -> None:
    system = system_of(tmp_path, f"{ON_LINUX.format(more, steps)}{tables}\n")
    assert needs_kernel(system) == first


def test_a_task_without_arrival_needs_the_kernel(tmp_path: Path) -> None:
    tables = (
        '[task.U]\npriority = 2\nbody = ["run 1us"]\n'
        '[counter.C]\n[alarm.A]\ncounter = "C"\naction = "activate U"\n'
    )
    text = ON_LINUX.format("", "") + tables
    assert needs_kernel(system_of(tmp_path, text)) == "task.U without arrival"
