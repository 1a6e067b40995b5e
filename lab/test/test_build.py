# SPDX-License-Identifier: MIT
"""The files that `plafond build` generates, and its refusals. Nothing here is compiled."""

import re
from pathlib import Path

import pytest

from plafond.board.boards import BOARDS, KERNEL, board_of
from plafond.board.recording import Recording
from plafond.build.configuration import (
    Configuration,
    TaskDeadlines,
    TaskLevels,
    configuration_of,
)
from plafond.build.generate import write_files
from plafond.build.image import build_image, default_folder
from plafond.build.kernel_files import OPTIONAL, kernel_files
from plafond.build.locks import Locks, locks_of, protocol_of
from plafond.build.objects import OF_APPLICATION, Part, include_folders, joined, units_of
from plafond.build.refuse import refuse_unfit
from plafond.cli import main
from plafond.describe import load
from plafond.describe.kernel import Scheduler
from plafond.describe.problems import DescriptionError
from plafond.describe.system import System
from plafond.errors import ArgumentError, RefusedError
from plafond.protocols import KernelProtocol

WHOLE = """
[kernel]
status = "extended"
hooks = ["error"]
sources = ["tasks.c"]
trusted = ["tasks/tasks.c"]
mixed = ["both/tasks.c"]
[task.low]
priority = 10
queue = 3
internal = "I"
arrival = "periodic 1s"
body = ["lock R1", "lock R2", "run 3us", "unlock R2", "unlock R1", "activate high"]
[task.high]
priority = 70
events = ["EV1", "EV2"]
autostart = true
body = ["wait EV1", "clear EV1", "set high EV2", "chain low"]
[task.peer]
priority = 10
schedule = "non"
arrival = "periodic 1s"
resources = ["RES_SCHEDULER"]
stack = 5000
[resource.R1]
ceiling = 80
[resource.R2]
[resource.unused]
ceiling = 90
[resource.I]
internal = true
ceiling = 30
[counter.C]
tick = "1ms"
[alarm.A]
counter = "C"
action = "set high EV1"
autostart = [3, 5]
[alarm.B]
counter = "C"
action = "activate low"
[isr.button]
source = 7
"""

UNDER_EDF = """
scheduler = "edf"
[task.slow]
deadline = "30ms"
arrival = "periodic 50ms"
queue = 3
body = ["lock R", "lock S", "run 1ms", "unlock S", "unlock R"]
[task.fast]
arrival = "sporadic 10ms"
events = ["E"]
body = ["wait E", "clear E", "lock S", "run 1ms", "unlock S"]
[task.alone]
deadline = "7ms"
autostart = true
body = ["lock RES_SCHEDULER", "run 1us", "unlock RES_SCHEDULER"]
[resource.R]
floor = "8ms"
[resource.S]
"""

BY_HARDWARE = """
cpus = 2
scheduler = "hardware"
[kernel]
trusted = ["tasks.c"]
[task.high]
priority = 20
arrival = "periodic 10ms"
body = ["run 1ms"]
[task.low]
priority = 10
queue = 2
autostart = true
body = ["run 1ms"]
[task.other]
cpu = 1
priority = 5
autostart = true
body = ["run 1ms"]
[isr.weak]
source = 7
priority = 15
[isr.strong]
source = 8
[counter.C]
tick = "1us"
[counter.D]
tick = "1us"
cpu = 1
[alarm.A]
counter = "C"
action = "activate low"
[alarm.B]
counter = "D"
action = "activate high"
"""

T = '[task.T]\npriority = 1\narrival = "periodic 1ms"\nbody = ["run 1us"]\n'


def system_of(folder: Path, text: str) -> System:
    file = folder / "some.toml"
    file.write_text(text)
    for name in ("tasks.c", "tasks/tasks.c", "both/tasks.c"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    return load(file)


def generated(
    folder: Path, text: str, board: str = "a53", recording: bool = False
) -> tuple[Configuration, dict[str, str]]:
    """Return the configuration and the generated files, without extra spaces."""
    system = system_of(folder, text)
    arrivals = {task.name: [0, 5] for task in system.tasks if task.interval}
    configuration = configuration_of(
        system,
        BOARDS[board],
        locks_of(system, BOARDS[board], None),
        Recording(system, arrivals) if recording else None,
    )
    out = folder / "out"
    out.mkdir(exist_ok=True)
    write_files(system, configuration, units_of(system, configuration), out)
    return configuration, {file.name: _plain(file.read_text()) for file in out.iterdir()}


def _plain(text: str) -> str:
    return re.sub(r"[ \t\n]+", " ", text)


def test_names_and_switches(tmp_path: Path) -> None:
    _, files = generated(tmp_path, WHOLE)
    for expected in (
        "#define PLF_TASKS 3 #define PLF_RESOURCES 4 #define PLF_GLOBALS 0",
        "#define PLF_SERVERS 0",
        "#define PLF_COUNTERS 1",
        "#define PLF_ALARMS 2",
        "#define PLF_EXTENDED_STATUS 1 #define PLF_INTERNAL_RESOURCES 1",
        "#define PLF_STARTUP_HOOK 0 #define PLF_SHUTDOWN_HOOK 0 #define PLF_ERROR_HOOK 1",
        "#define PLF_TRACE 0 #define PLF_ARRIVALS 0",
        "enum { high, low, peer };",
        "enum { R1, R2, unused, RES_SCHEDULER };",
        "enum { A, B };",
        "EV1 = UINT64_C(0x1), EV2 = UINT64_C(0x2), plf_all_events = UINT64_MAX };",
    ):
        assert expected in files["system.h"]


def test_modes_are_bits_of_autostart(tmp_path: Path) -> None:
    text = WHOLE.replace('hooks = ["error"]', 'hooks = ["error"]\nmodes = ["RUN", "FIX", "TRY"]')
    text = text.replace("autostart = true", 'autostart = true\nmodes = ["TRY", "RUN"]')
    _, files = generated(tmp_path, text)
    assert "#define PLF_MODES 3 " in files["system.h"]
    assert "enum { RUN = 0 }; enum { FIX = 1 }; enum { TRY = 2 };" in files["system.h"]
    assert ".entry = plf_task_high, " in files["system.c"]
    assert ".activations = 1, .modes = 5, " in files["system.c"]
    assert ".task = high, .modes = 7, .first" in files["system.c"]


def test_counters_have_constants(tmp_path: Path) -> None:
    more = "[counter.soft]\nhighest = 9\nticks_per_base = 4\n"
    _, files = generated(tmp_path, more + WHOLE)
    for expected in (
        "#define OSMAXALLOWEDVALUE_C 65535U #define OSTICKSPERBASE_C 1U #define OSMINCYCLE_C 1U",
        "#define OSMAXALLOWEDVALUE_soft 9U #define OSTICKSPERBASE_soft 4U",
        "#define OSMAXALLOWEDVALUE OSMAXALLOWEDVALUE_C #define OSTICKSPERBASE OSTICKSPERBASE_C",
        "#define OSMINCYCLE OSMINCYCLE_C #define OSTICKDURATION UINT64_C(1000000)",
    ):
        assert expected in files["system.h"]


def test_what_alarms_do(tmp_path: Path) -> None:
    more = """
[counter.soft]
[alarm.X]
counter = "C"
action = "call late"
[alarm.Y]
counter = "C"
action = "increment soft"
[alarm.Z]
counter = "soft"
action = "call late"
[alarm.W]
counter = "soft"
action = "call early"
"""
    _, files = generated(tmp_path, WHOLE + more)
    assert "#define PLF_CALLBACKS 2 " in files["system.h"]
    assert "#define PLF_INCREMENTS 1 " in files["system.h"]
    for expected in (
        "void plf_callback_late(void); void plf_callback_early(void);",
        "[X] = { .counter = C, .action = PLF_ALARM_CALLS, .object = 0, }",
        "[Y] = { .counter = C, .action = PLF_ALARM_INCREMENTS, .object = soft, }",
        "[Z] = { .counter = soft, .action = PLF_ALARM_CALLS, .object = 0, }",
        "[W] = { .counter = soft, .action = PLF_ALARM_CALLS, .object = 1, }",
        "(*const plf_callbacks[PLF_CALLBACKS + 1])(void) = { plf_callback_late, plf_callback",
    ):
        assert expected in files["system.c"]


def test_callbacks_are_above_the_tasks_of_a_core_by_hardware(tmp_path: Path) -> None:
    (tmp_path / "tasks.c").touch()
    _, files = generated(tmp_path, BY_HARDWARE)
    assert "plf_timer_levels[PLF_CPUS][PLF_TIMERS] = { { 1, 4 }," in files["system.c"]
    _, files = generated(tmp_path, BY_HARDWARE.replace('"activate low"', '"call late"'))
    assert "plf_timer_levels[PLF_CPUS][PLF_TIMERS] = { { 4, 4 }," in files["system.c"]


def test_levels_have_no_gaps(tmp_path: Path) -> None:
    configuration, files = generated(tmp_path, WHOLE)
    # The levels are 10, 30, 70 and 80. The ceiling of 90 has no users, so it is no level.
    assert "#define PLF_LEVELS 5 " in files["system.h"]
    assert "#define PLF_CEILINGS { 4, 1, 1, 3 }" in files["system.h"]
    levels = {task.name: task.urgency for task in configuration.tasks}
    assert levels == {
        "high": TaskLevels(3, 3, 3),
        "low": TaskLevels(1, 2, 4),
        "peer": TaskLevels(1, 3, 3),
    }


def test_every_task_may_enter_the_scheduler(tmp_path: Path) -> None:
    configuration, _ = generated(tmp_path, WHOLE)
    assert [task.resource_names for task in configuration.tasks] == [
        ("RES_SCHEDULER",),
        ("R1", "R2", "RES_SCHEDULER"),
        ("RES_SCHEDULER",),
    ]
    text = WHOLE.replace('["RES_SCHEDULER"]', "[]").replace("ceiling = 80\n", "")
    configuration, _ = generated(tmp_path, text)
    levels = [task.urgency for task in configuration.tasks]
    assert levels == [TaskLevels(3, 3, 3), TaskLevels(1, 2, 1), TaskLevels(1, 3, 1)]


def test_the_scheduler_is_above_all_tasks_whichever_locks_it(tmp_path: Path) -> None:
    for resources in ('["RES_SCHEDULER"]', "[]"):
        text = WHOLE.replace('["RES_SCHEDULER"]', resources) + "[resource.RES_SCHEDULER]\n"
        _, files = generated(tmp_path, text)
        assert "#define PLF_CEILINGS { 4, 1, 1, 3 }" in files["system.h"]


def test_tables_of_the_kernel(tmp_path: Path) -> None:
    _, files = generated(tmp_path, WHOLE)
    for expected in (
        ".entry = plf_task_high, .events = EV1 | EV2, .resources = 0x8, /* RES_SCHEDULER */ "
        ".stack_low = (uintptr_t)plf_stack_low_high",
        ".urgency = { .base = 1, /* priority 10 */ .internal = 2, .highest = 4, }, "
        ".activations = 3",
        # Four activations at level 1: the next power of two is 8.
        "static struct plf_task *ring_0_1[8]; static struct plf_task *ring_0_3[2];",
        "[0][1] = { ring_0_1, 7 }, /* priority 10 */ [0][3] = { ring_0_3, 1 },",
        "[A] = { .events = EV1, .counter = C, .task = high, .modes = 1, .first = 3U,",
        "[B] = { .counter = C, .task = low, },",
        "[C] = { .tick_ns = UINT64_C(1000000), .highest = 65535U,",
        "[button] = { plf_isr_button, 7, 0, 1 },",
    ):
        assert expected in files["system.c"]
    assert "inbox" not in files["system.c"]


SEVERAL = """
cpus = 2
[kernel]
trusted = ["isr.c"]
[counter.C]
tick = "1ms"
cpu = 1
[isr.I]
source = 7
cpu = 1
[resource.R]
[task.A]
priority = 90
body = ["run 1us"]
autostart = true
[task.B]
priority = 5
cpu = 1
queue = 3
resources = ["R", "RES_SCHEDULER"]
body = ["run 1us"]
autostart = true
[task.C1]
priority = 7
cpu = 1
resources = ["R"]
body = ["run 1us"]
autostart = true
"""


def test_each_core_has_its_own_levels_rings_and_inbox(tmp_path: Path) -> None:
    (tmp_path / "isr.c").touch()
    configuration, files = generated(tmp_path, SEVERAL)
    # RES_SCHEDULER is above 5 and 7 on the second core; on the first core 90 is its own ceiling.
    levels = {task.name: task.urgency for task in configuration.tasks}
    assert levels == {
        "A": TaskLevels(1, 1, 3),
        "B": TaskLevels(1, 1, 3),
        "C1": TaskLevels(2, 2, 3),
    }
    for expected in ("CPUS 2", "LEVELS 4 ", "CEILINGS { 2, 3 }"):
        assert f"#define PLF_{expected}" in files["system.h"]
    for expected in (
        "[0][1] = { ring_0_1, 1 }, /* priority 90 */ [1][1] = { ring_1_1, 3 }, /* priority 5 */",
        "[1][2] = { ring_1_2, 1 },",
        # Four activations of the second core: the next power of two is 8.
        "static uint32_t inbox_0[2]; static uint32_t inbox_1[8];",
        "[0] = { inbox_0, 1 }, [1] = { inbox_1, 7 },",
        ".activations = 3, .modes = 1, .core = 1, .name",
        ".min_cycle = 1U, .core = 1,",
        "[I] = { plf_isr_I, 7, 1, 1 },",
    ):
        assert expected in files["system.c"]


@pytest.mark.parametrize(("board", "call"), [("sim", "plf_spend("), ("a53", "plf_spend_by_clock(")])
def test_run_steps_burn_the_clock_where_cores_share_instructions(
    tmp_path: Path, board: str, call: str
) -> None:
    (tmp_path / "isr.c").touch()
    _, files = generated(tmp_path, SEVERAL, board, recording=True)
    assert f"{call}UINT64_C(1000));" in files["tasks.c"]
    _, files = generated(tmp_path, SEVERAL, board)
    assert "plf_spend(UINT64_C(1000));" in files["tasks.c"]


@pytest.mark.parametrize(("cpus", "folder"), [(1, "one"), (2, "several")])
def test_an_image_has_the_files_of_one_core_or_of_several(
    tmp_path: Path, cpus: int, folder: str
) -> None:
    text = f"cpus = {cpus}\n{T}"
    configuration = generated(tmp_path, text)[0]
    units = units_of(system_of(tmp_path, text), configuration)
    own = KERNEL / "cores" / folder
    assert {unit.source for unit in units if unit.source.parent.parent == own.parent} == set(
        own.glob("*.c")
    )
    assert own in include_folders(Part.KERNEL, configuration)


def test_optional_files_of_the_kernel_are_there_and_are_known() -> None:
    of_kernel = [*KERNEL.glob("*.c"), *(KERNEL / "global").glob("*.c")]
    assert {file.name for file in of_kernel} >= OPTIONAL
    with pytest.raises(ValueError, match=r"found alarms\.c; expected some of OPTIONAL"):
        kernel_files(scheduler="priority", resource="syscall", optional=frozenset({"alarms.c"}))


def test_tasks_interrupts_and_timers_have_one_space_of_levels_under_hardware(
    tmp_path: Path,
) -> None:
    configuration, files = generated(tmp_path, BY_HARDWARE)
    assert configuration.isr_levels == (2, 4)
    assert configuration.timer_levels == ((1, 4), (2, 2))  # alarms, arrivals: above all
    assert "[0][3] = { .only = high + 1 }, /* priority 20 */" in files["system.c"]
    assert "[0][1] = { .places = ring_0_1, .mask = 3 }, /* priority 10 */" in files["system.c"]
    assert "[1][1] = { .only = other + 1 }, /* priority 5 */" in files["system.c"]
    assert "#define PLF_RINGS 1 " in files["system.h"]
    assert "inbox" not in files["system.c"]


def test_under_edf_there_are_deadlines_and_floors_instead_of_levels(tmp_path: Path) -> None:
    configuration, files = generated(tmp_path, UNDER_EDF)
    assert {task.name: task.urgency for task in configuration.tasks} == {
        "alone": TaskDeadlines(7_000_000, 7_000_000),
        "fast": TaskDeadlines(10_000_000, 7_000_000),
        "slow": TaskDeadlines(30_000_000, 7_000_000),
    }
    for expected in (
        "#define PLF_ACTIVATIONS 5 ",
        "#define PLF_INTERNAL_RESOURCES 0",
        "#define PLF_CEILINGS { UINT64_C(8000000), UINT64_C(10000000), UINT64_C(7000000) }",
        "enum { alone, fast, slow }; enum { R, S, RES_SCHEDULER };",
    ):
        assert expected in files["system.h"]
    assert "PLF_LEVELS" not in files["system.h"]
    slow = (
        ".resources = 0x7, /* R, S, RES_SCHEDULER */ .stack_low = (uintptr_t)plf_stack_low_slow, "
        ".stack_high = (uintptr_t)plf_stack_high_slow, .urgency = { "
        ".deadline_ns = UINT64_C(30000000), .least_ns = UINT64_C(7000000), }, .activations = 3,"
    )
    assert slow in files["system.c"]
    assert "ring" not in files["system.c"]
    assert "base" not in files["system.c"]


def test_a_run_under_edf_has_room_for_all_arrivals(tmp_path: Path) -> None:
    text = UNDER_EDF.replace("queue = 3\n", "")
    # `slow` has 255; a task with events has 1.
    assert (
        "#define PLF_ACTIVATIONS 257 " in generated(tmp_path, text, recording=True)[1]["system.h"]
    )


@pytest.mark.parametrize("scheduler", Scheduler)
def test_an_image_has_one_scheduler(tmp_path: Path, scheduler: Scheduler) -> None:
    text = {
        Scheduler.PRIORITY: WHOLE,
        Scheduler.HARDWARE: BY_HARDWARE,
        Scheduler.EDF: UNDER_EDF,
    }[scheduler]
    system = system_of(tmp_path, text)
    configuration = generated(tmp_path, text)[0]
    folder = KERNEL / "scheduler" / scheduler
    for part in Part:
        folders = include_folders(part, configuration)
        assert [each for each in folders if each.parent == folder.parent] == [folder]
    sources = [unit.source for unit in units_of(system, configuration) if unit.part is Part.KERNEL]
    assert {source for source in sources if source.parent.parent == folder.parent} == set(
        folder.glob("*.c")
    )
    assert folder / "schedule.c" in sources


@pytest.mark.parametrize("mixed", ["", "mixed = ['c.c']\n"])
def test_joined_units_hold_the_same_files(tmp_path: Path, mixed: str) -> None:
    for name in "abcde":
        (tmp_path / f"{name}.c").touch()
    text = f"{T}[kernel]\nsources = ['a.c', 'b.c']\ntrusted = ['d.c', 'e.c']\n{mixed}"
    configuration = generated(tmp_path, text)[0]
    system = system_of(tmp_path, text)
    units = units_of(system, configuration)
    together = joined(units)
    files = [file for unit in together for file in (unit.includes or [unit.source])]
    assert sorted(files) == sorted(unit.source for unit in units)
    parts = {Part.KERNEL, Part.PORT, Part.TRUSTED, Part.USER}
    assert {unit.part for unit in together if unit.includes} == parts
    # Mixed files take the headers beside them, which have the names of other headers.
    for unit in together:
        assert not any(file.parent.name == "mixed" for file in unit.includes)
    write_files(system, configuration, together, tmp_path / "out")
    included = (tmp_path / "out/joined_kernel.c").read_text()
    assert f'#include "{KERNEL / "task.c"}"\n' in included
    write_files(system, configuration, units, tmp_path / "out")
    assert not (tmp_path / "out/joined_kernel.c").exists()


OF_TIME = {"alarm.c", "counter.c", "event.c"}  # an alarm can set events


@pytest.mark.parametrize(
    ("objects", "files"),
    [
        ("", set()),
        ("[kernel]\nconsole = true\n", {"console.c"}),
        ("[counter.C]\nhighest = 9\n", OF_TIME),
        (
            '[counter.C]\nhighest = 9\n[schedule_table.S]\ncounter = "C"\nduration = 5\n'
            '[[schedule_table.S.points]]\nat = 1\ndo = ["activate T"]\n',
            {*OF_TIME, "schedule_table.c", "table_sync.c"},
        ),
        ('[kernel]\ntrusted = ["isr.c"]\n[isr.I]\nsource = 0\n', {"routine.c"}),
    ],
)
def test_only_what_a_system_has_is_compiled(tmp_path: Path, objects: str, files: set[str]) -> None:
    (tmp_path / "isr.c").touch()
    text = f"{T}{objects}"
    units = units_of(system_of(tmp_path, text), generated(tmp_path, text)[0])
    compiled = {unit.source for unit in units}
    of_objects = {
        *OF_TIME,
        "console.c",
        "routine.c",
        "schedule_table.c",
        "table_sync.c",
        "message.c",
    }
    assert {KERNEL / name for name in of_objects} <= set(KERNEL.glob("*.c"))
    assert {name for name in of_objects if KERNEL / name in compiled} == files
    assert {KERNEL / name for name in ("task.c", "calls.c", "os.c", "error.c")} <= compiled


def test_stacks_are_whole_pages_where_memory_is_protected(tmp_path: Path) -> None:
    stacks = {task.name: task.stack_bytes for task in generated(tmp_path, WHOLE)[0].tasks}
    assert stacks == {"high": 4096, "low": 4096, "peer": 8192}
    configuration, files = generated(tmp_path, WHOLE, "sim")
    assert {task.stack_bytes for task in configuration.tasks} == {0}
    assert "stack" not in files["system.c"]
    assert "link.ld" not in files


def test_bodies_are_c(tmp_path: Path) -> None:
    text = _plain("""
        TASK(high)
        {
            WaitEvent(EV1);
            ClearEvent(EV1);
            SetEvent(high, EV2);
            ChainTask(low);
            TerminateTask();
        }
        TASK(low)
        {
            GetResource(R1);
            GetResource(R2);
            plf_spend(UINT64_C(3000));
            ReleaseResource(R2);
            ReleaseResource(R1);
            ActivateTask(high);
            TerminateTask();
        }
    """).strip()
    _, files = generated(tmp_path, WHOLE)
    assert text in files["tasks.c"]
    assert "TASK(peer)" not in files["tasks.c"]


def test_a_recording_notes_sections(tmp_path: Path) -> None:
    configuration, files = generated(tmp_path, WHOLE, recording=True)
    assert "#define PLF_TRACE 1 #define PLF_ARRIVALS " in files["system.h"]
    assert "plf_arrival_config" in files["recording.c"]
    assert "PLF_NOTES(low, " in files["tasks.c"]
    assert (
        "plf_note(low, PLF_NOTE_REQUEST, R1); GetResource(R1); plf_note(low, PLF_NOTE_GRANT, R1);"
        in files["tasks.c"]
    )
    assert "plf_note(low, PLF_NOTE_UNLOCK, R1); ReleaseResource(R1);" in files["tasks.c"]
    # Arrivals queue, unless the description gives the number of activations.
    activations = {task.name: task.activations for task in configuration.tasks}
    assert activations == {"high": 1, "low": 3, "peer": 255}
    # A file that another image left in the folder is removed.
    assert "recording.c" not in generated(tmp_path, WHOLE)[1]


def test_objects_lie_by_the_code_that_executes_them(tmp_path: Path) -> None:
    system = system_of(tmp_path, WHOLE)
    configuration = generated(tmp_path, WHOLE)[0]
    units = units_of(system, configuration)
    own = {unit.object: unit.source for unit in units if unit.part in OF_APPLICATION}
    assert own == {
        "trusted/tasks.o": tmp_path / "tasks/tasks.c",
        "mixed/tasks.o": tmp_path / "both/tasks.c",
        "user/tasks.o": Path("tasks.c"),
        "user/tasks-2.o": tmp_path / "tasks.c",
    }
    kernel = [unit.object for unit in units if unit.part not in OF_APPLICATION]
    assert all(name.startswith("kernel/") for name in kernel)
    assert len(set(kernel)) == len(kernel)


def test_masks_are_constants_and_events_of_no_task_need_no_code(tmp_path: Path) -> None:
    _, files = generated(tmp_path, T + "[event.E]\nmask = 0x8000000000000001\n[event.F]\n")
    assert "#define PLF_EVENTS 0 " in files["system.h"]
    expected = "E = UINT64_C(0x8000000000000001), F = UINT64_C(0x2),"
    assert expected in files["system.h"]
    _, files = generated(tmp_path, T + 'events = ["F"]\n[event.E]\nmask = 3\n')
    assert "#define PLF_EVENTS 1 " in files["system.h"]
    assert "F = UINT64_C(0x4), E = UINT64_C(0x3)," in files["system.h"]
    assert ".events = F, " in files["system.c"]


def test_a_description_of_little_needs_little(tmp_path: Path) -> None:
    _, files = generated(tmp_path, T)
    assert "#define PLF_CEILINGS { 0 }" in files["system.h"]
    assert files["system.h"].count("enum {") == 1
    assert "plf_alarm_config[PLF_ALL_ALARMS + 1] = { { 0 }, };" in files["system.c"]
    assert "#define PLF_INTERNAL_RESOURCES 0" in files["system.h"]


def test_a_title_stays_in_its_comment(tmp_path: Path) -> None:
    _, files = generated(tmp_path, 'name = "a */ b"\n' + T)
    assert files["system.h"].startswith("/* a * / b: the configuration of Plafond's kernel")


def test_files_that_stay_the_same_keep_their_dates(tmp_path: Path) -> None:
    generated(tmp_path, WHOLE)
    dates = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "out").iterdir()}
    generated(tmp_path, WHOLE)
    assert dates == {file.name: file.stat().st_mtime_ns for file in (tmp_path / "out").iterdir()}


def refusals(folder: Path, text: str, board: str) -> list[str]:
    system = system_of(folder, text)
    with pytest.raises(DescriptionError) as caught:
        refuse_unfit(system, board_of(board), locks_of(system, board_of(board), None))
    return str(caught.value).replace(f"{folder}/", "").splitlines()


def tasks(count: int, more: str = "") -> str:
    return "".join(
        T.replace("T]", f"T{i}]").replace("= 1\n", f"= {i % 98 + 1}\n{more}") for i in range(count)
    )


@pytest.mark.parametrize(
    ("text", "board", "message"),
    [
        ("cpus = 5\n" + T, "sim", "1: cpus: found 5; expected at most 4: sim has no more"),
        (
            'cpus = 2\nscheduler = "edf"\n' + T.replace("priority = 1", 'deadline = "1ms"'),
            "a53",
            '1: cpus: found 2, with scheduler = "edf"; expected 1: EDF has one core',
        ),
        (T.replace('1us"', '1us", "sleep 1ms"'), "a53", "4: task.T.body[1]: found sleep; expecte"),
        (tasks(251), "a53", "1: task: found 251; expected at most 250 on a53"),
        (T + "".join(f"[resource.R{i}]\n" for i in range(65)), "sim", "found 65; expected at mo"),
        (tasks(64), "sim", "1: task: found 64 different priorities and ceilings; expected at mo"),
        (tasks(250, "stack = 1048576\n"), "a53", "found stacks of 255 MiB in all; expected at m"),
        (
            T + "[kernel]\ntrusted = ['tasks.c']\n[isr.I]\nsource = 900",
            "a53",
            "8: isr.I.source: found 900; expected below 256, as many as a53 has",
        ),
        (
            'scheduler = "hardware"\n' + tasks(32),
            "sim",
            "1: scheduler: found 32 different levels of tasks, ceilings and interrupts; expected "
            "at most 31 on a CPU, as the interrupt controller has: give tasks equal priorities, "
            'move some to another CPU, or take scheduler = "priority"',
        ),
        (
            f'scheduler = "hardware"\n{T}[kernel]\ntrusted = ["tasks.c"]\n[isr.I]\nsource = 96',
            "a53",
            "9: isr.I.source: found 96; expected below 96: the others are those of tasks under",
        ),
        (T + "[kernel]\nprotocol = 'irq-off'", "sim", "6: kernel.protocol: found irq-off; expect"),
        (T.replace("T]", "while]"), "a53", "1: task.while: found while; expected another name: C"),
        (T.replace("T]", "GetResource]"), "a53", "found GetResource; expected another name: C o"),
        (T.replace("T]", "plf_x]"), "a53", "found plf_x; expected another name: C or the kernel"),
        (T.replace("T]", "RUNNING]"), "a53", "found RUNNING; expected another name: C or the ke"),
        (T.replace("T]", "uint8_t]"), "a53", "found uint8_t; expected another name: C or the ke"),
        (T + 'events = ["E", "E_OK"]', "a53", "5: task.T.events[1]: found E_OK; expected anot"),
        (T + "[resource.T]", "a53", "5: resource.T: found T; expected another name: there is a t"),
    ],
)
def test_what_a_board_cannot_hold_is_named(
    tmp_path: Path, text: str, board: str, message: str
) -> None:
    found = refusals(tmp_path, text, board)
    assert any(message in line for line in found), found


def test_under_edf_deadlines_are_no_levels(tmp_path: Path) -> None:
    text = 'scheduler = "edf"\n' + "".join(
        T.replace("T]", f"T{i}]").replace("priority = 1", f'deadline = "{i + 1}ms"')
        for i in range(250)
    )
    system = system_of(tmp_path, text)
    refuse_unfit(system, board_of("a53"), locks_of(system, board_of("a53"), None))


def test_names_that_only_look_dangerous_are_taken(tmp_path: Path) -> None:
    for name in ("high", "low", "level", "T0", "above", "read", "calls", "insert"):
        refuse_unfit(
            system_of(tmp_path, T.replace("T]", f"{name}]")),
            board_of("sim"),
            Locks(KernelProtocol.UPRIO_NPRIO, None),
        )


def test_all_refusals_come_at_once(tmp_path: Path) -> None:
    text = "cpus = 5\n" + T.replace("T]", "int]").replace('1us"', '1us", "sleep 1ms"')
    fields = [line.split(" ")[1] for line in refusals(tmp_path, text, "a53")]
    assert fields == ["cpus:", "task.int:", "task.int.body[1]:"]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    monkeypatch.setattr("sys.argv", ["plafond", "build", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    return caught.value.code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--board", "a35"], "--board: found 'a35'; expected one of sim, a53 (did you mean a53?)"),
        (["--board", "a53", "--protocol", "syscal"], "(did you mean syscall?)"),
        (["--board", "sim", "--protocol", "irq-off"], "expected on sim one of syscall, syscall-b"),
        (["--board", "sim", "--protocol", "lazy-floor"], '(lazy-floor needs scheduler = "edf")'),
        (["--board", "sim", "--out", "{}"], "where the description or its sources are; expected"),
    ],
)
def test_wrong_arguments_are_named(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    system_of(tmp_path, T)
    filled = [argument.format(tmp_path) for argument in arguments]
    assert run(monkeypatch, str(tmp_path / "some.toml"), *filled) == 2
    reported = capsys.readouterr().err
    assert reported.count("\n") == 1
    assert message in reported


def test_help_has_examples(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--help") == 0
    assert "plafond build my.toml --board a53 --format json" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("board", "there", "message"),
    [
        ("a53", [], "aarch64-linux-gnu-gcc is missing: apt install gcc-aarch64-linux-gnu"),
        ("sim", ["gcc"], "ninja is missing: apt install ninja-build"),
    ],
)
def test_a_missing_program_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, board: str, there: list[str], message: str
) -> None:
    system = system_of(tmp_path, T)
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in there:
        (programs / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(programs))
    with pytest.raises(RefusedError, match=re.escape(message)):
        build_image(system, board, folder=tmp_path / "out")


def test_where_an_image_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAFOND_BUILD", str(tmp_path / "b"))
    assert default_folder(system_of(tmp_path, T), "sim") == tmp_path / "b/kernel/some-sim"


def test_a_protocol_by_its_name() -> None:
    board = BOARDS["a53"]
    assert protocol_of("irq-off", board, Scheduler.PRIORITY) is KernelProtocol.IRQ_OFF
    assert protocol_of("lazy-floor", board, Scheduler.EDF) is KernelProtocol.LAZY_FLOOR
    with pytest.raises(ArgumentError, match="found 'inherited'; expected on a53 one of"):
        protocol_of("inherited", board, Scheduler.PRIORITY)
    with pytest.raises(ArgumentError, match=r'\(lazy-floor needs scheduler = "edf"\)$'):
        protocol_of("lazy-floor", board, Scheduler.PRIORITY)
    with pytest.raises(ArgumentError, match=r"one of deadline-floor, lazy-floor .*= .priority"):
        protocol_of("syscall", board, Scheduler.EDF)
