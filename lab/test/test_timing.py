# SPDX-License-Identifier: MIT
"""Timing protection of a description, in TOML and in OIL: the values read, and every mistake."""

from pathlib import Path

import pytest

from plafond.build.image import build_image
from plafond.describe import load
from plafond.describe.linux import needs_kernel
from plafond.describe.problems import DescriptionError
from plafond.describe.read import read
from plafond.describe.system import System

KERNEL = '[kernel]\nhooks = ["protection"]\nsources = ["tasks.c"]\ntrusted = ["hooks.c"]\n'
BUDGET = '[task.A]\npriority = 1\nautostart = true\nexecution_budget = "2ms"\n'
LOCKS = BUDGET.replace("execution_budget", "os_interrupt_lock_budget")
HELD = BUDGET.replace(
    'execution_budget = "2ms"', 'resources = ["R"]\nresource_lock_budgets = { R = "2ms" }'
)
FRAME = BUDGET.replace('execution_budget = "2ms"', 'time_frame = "10ms"')
OIL = """CPU c {{
  OS o {{ APP_SRC = "tasks.c"; TRUSTED_SRC = "hooks.c"; USERESSCHEDULER = FALSE; }};
  TASK A {{ PRIORITY = 1; TIMING_PROTECTION = {timing}; }};
  {other}
}};
"""


def file_of(folder: Path, name: str, text: str) -> Path:
    for each in ("tasks.c", "hooks.c"):
        (folder / each).touch()
    file = folder / name
    file.write_text(text)
    return file


def system_of(folder: Path, *tables: str) -> System:
    return load(file_of(folder, "some.toml", "".join(tables)))


def limits_of(system: System) -> list[int | None]:
    task = system.tasks[0]
    return [task.budget_ns, task.frame_ns, task.all_lock_ns, task.os_lock_ns]


def test_those_of_resources_are_read(tmp_path: Path) -> None:
    task = '[task.A]\npriority = 1\nautostart = true\nresources = ["Q", "R"]\n'
    budgets = 'resource_lock_budgets = { R = "50us", Q = "1ms" }\n'
    tables = (KERNEL, "[resource]\nQ = {}\nR = {}\n", task)
    system = system_of(tmp_path, *tables, budgets)
    assert system.tasks[0].resource_locks == (("R", 50_000), ("Q", 1_000_000))
    assert system.tasks[0].has_budgets
    assert not system_of(tmp_path, *tables).tasks[0].has_budgets


def test_they_are_read(tmp_path: Path) -> None:
    assert limits_of(system_of(tmp_path, BUDGET, KERNEL)) == [2_000_000, None, None, None]
    assert limits_of(system_of(tmp_path, LOCKS, KERNEL)) == [None, None, None, 2_000_000]
    assert limits_of(system_of(tmp_path, FRAME, KERNEL)) == [None, 10_000_000, None, None]


@pytest.mark.parametrize(
    ("table", "field"),
    [
        (BUDGET, "execution_budget"),
        (FRAME, "time_frame"),
        (LOCKS, "os_interrupt_lock_budget"),
        (LOCKS.replace("os_int", "all_int"), "all_interrupt_lock_budget"),
        (HELD, "resource_lock_budgets"),
    ],
)
def test_they_need_the_kernel(tmp_path: Path, table: str, field: str) -> None:
    table = table.replace("autostart = true", 'arrival = "periodic 1s"\nbody = ["run 1us"]')
    assert needs_kernel(system_of(tmp_path, table, "[resource.R]\n")) == field


def test_under_irq_off(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError) as caught:
        build_image(system_of(tmp_path, KERNEL, BUDGET), "a53", "irq-off", None)
    assert "expected another one: with irq-off tasks hold back the end of their own budgets" in str(
        caught.value
    )


def test_beside_interrupts_that_nest(tmp_path: Path) -> None:
    isrs = "".join(f"[isr.I{i}]\nsource = {i}\npriority = {i}\n" for i in (1, 2))
    with pytest.raises(DescriptionError) as caught:
        build_image(system_of(tmp_path, KERNEL, BUDGET, isrs), "a53", "syscall", None)
    found = "isr: found different priorities, with execution_budget; expected interrupts of one"
    assert found in str(caught.value)


LOCKING = "LOCKINGTIME = RESOURCELOCK {{ RESOURCE = {}; RESOURCELOCKTIME = {}; }}; "


def oil_with_resources(limits: str) -> str:
    others = "RESOURCE N { RESOURCEPROPERTY = INTERNAL; }; RESOURCE Q { }; RESOURCE R { };"
    return OIL.format(timing=f"TRUE {{ {limits} }}; RESOURCE = Q; RESOURCE = R", other=others)


@pytest.mark.parametrize("attribute", ["LOCKINGTIME", "RESOURCE"])
def test_those_of_resources_in_oil(tmp_path: Path, attribute: str) -> None:
    from plafond.describe.toml_text import toml_text

    limits = LOCKING.format("R", "0.00005") + LOCKING.format("Q", 2)
    limits = limits.replace("LOCKINGTIME", attribute)
    file = file_of(tmp_path, "some.oil", oil_with_resources(limits))
    source = read(file)
    assert load(file).tasks[0].resource_locks == (("R", 50_000), ("Q", 2_000_000_000))
    assert source.notes == ()
    again = load(file_of(tmp_path, "again.toml", toml_text(source.raw)))
    assert again.tasks == load(file).tasks


def test_those_of_resources_where_sections_are_user_code(tmp_path: Path) -> None:
    text = oil_with_resources(LOCKING.format("R", 1)).replace("Q", "BUFFER")
    systems = {
        "some.toml:9: task.A.resource_lock_budgets": system_of(
            tmp_path, KERNEL, HELD, "[resource.R]\n"
        ),
        "some.oil:3: TASK.A.TIMING_PROTECTION.LOCKINGTIME": load(
            file_of(tmp_path, "some.oil", text)
        ),
    }
    for place, system in systems.items():
        with pytest.raises(DescriptionError) as caught:
            build_image(system, "a53", "uprio-nprio", None)
        assert str(caught.value).endswith(
            f"/{place}: found a limit, with uprio-nprio; expected none, or the protocol syscall: "
            "the kernel does not see sections of user code"
        )


@pytest.mark.parametrize(
    ("timing", "limits"),
    [
        ("FALSE", [None, None, None, None]),
        ("TRUE { EXECUTIONBUDGET = 0.002; }", [2_000_000, None, None, None]),
        (
            "TRUE { TIMEFRAME = 1; EXECUTIONBUDGET = 0.000000001; "
            "MAXOSINTERRUPTLOCKTIME = 0.000000002; MAXALLINTERRUPTLOCKTIME = 0.000000003; }",
            [1, 1_000_000_000, 3, 2],
        ),
    ],
)
def test_of_oil(tmp_path: Path, timing: str, limits: list[int | None]) -> None:
    file = file_of(tmp_path, "some.oil", OIL.format(timing=timing, other=""))
    assert limits_of(load(file)) == limits
    assert read(file).notes == ()


def test_that_handlers_and_applications_have_none_may_be_said(tmp_path: Path) -> None:
    none = "TIMING_PROTECTION = FALSE;"
    others = f"ISR I {{ INTERRUPT = 4; {none} }}; APPLICATION P {{ TASK = A; ISR = I; {none} }};"
    source = read(file_of(tmp_path, "some.oil", OIL.format(timing="FALSE", other=others)))
    assert source.notes == ()


def test_only_what_is_limited_is_in_the_tables(tmp_path: Path) -> None:
    from plafond.board.boards import BOARDS
    from plafond.build.configuration import configuration_of
    from plafond.build.generate import write_files
    from plafond.build.locks import locks_of
    from plafond.build.objects import units_of

    def generated(*tables: str) -> tuple[str, str, set[str]]:
        system, board = system_of(tmp_path, KERNEL, *tables), BOARDS["sim"]
        configuration = configuration_of(system, board, locks_of(system, board, "syscall"), None)
        units = units_of(system, configuration)
        out = tmp_path / "out"
        out.mkdir(exist_ok=True)
        write_files(system, configuration, units, out)
        names = {unit.source.name for unit in units}
        return (out / "system.h").read_text(), (out / "system.c").read_text(), names

    other = "[task.B]\npriority = 2\n"
    header, tables, sources = generated(BUDGET, other)
    assert "#define PLF_BUDGETS 1 " in header
    assert "#define PLF_TIME_FRAMES 0 " in header
    assert "[A] = {\n\t\t.budget_ns = UINT64_C(2000000),\n\t\t.frame_ns = UINT64_C(0)," in tables
    assert "[B] = {\n\t\t.budget_ns" not in tables
    assert {"timing.c", "alarm.c", "counter.c"} <= sources
    header, _, sources = generated(LOCKS)
    assert "#define PLF_BUDGETS 1 " in header
    assert "#define PLF_LOCK_BUDGETS 1 " in header
    assert {"timing.c", "alarm.c", "counter.c"} <= sources
    header, tables, sources = generated(HELD, other, "[resource]\nQ = {}\nR = {}\n")
    assert "#define PLF_RESOURCE_LOCKS 1 " in header
    assert "{ .budget_ns = UINT64_C(2000000), .resource = 1 }," in tables
    assert "plf_first_resource_lock[PLF_TASKS + 1] = { 0, 0, 1 };" in tables
    assert {"timing.c", "alarm.c", "counter.c"} <= sources
    header, _, sources = generated(FRAME)
    assert "#define PLF_RESOURCE_LOCKS 0 " in header
    assert ("timing.c" in sources, "alarm.c" in sources) == (True, False)
    header, tables, sources = generated(other)
    assert "#define PLF_BUDGETS 0 " in header
    assert ("plf_timing_config" in tables, "timing.c" in sources) == (False, False)
