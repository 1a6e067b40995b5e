# SPDX-License-Identifier: MIT
"""Bounds of tasks in C, as the kernel's timing protection limits them."""

from pathlib import Path
from random import Random

import pytest

from plafond.analyse.analysis import analyse
from plafond.analyse.overheads import Costs, Overheads
from plafond.describe import load
from plafond.protocols import Protocol

LIMITED = """
scheduler = "priority"
[kernel]
sources = ["t.c"]
protocol = "syscall"
{kernel}
[task.T]
priority = 2
resources = ["R", "S"]
execution_budget = "2ms"
time_frame = "10ms"
{t}
[task.U]
priority = 1
resources = ["R", "S"]
execution_budget = "5ms"
time_frame = "20ms"
{u}
[resource.R]
[resource.S]
{tables}
"""
OIL = """
CPU one {{ OS os {{ APP_SRC = "t.c"; }}; APPMODE normal;
  RESOURCE R {{ RESOURCEPROPERTY = STANDARD; }};
  TASK T {{ PRIORITY = 2; RESOURCE = R; TIMING_PROTECTION = TRUE {{
    EXECUTIONBUDGET = 0.002; TIMEFRAME = 0.010;
    LOCKINGTIME = RESOURCELOCK {{ RESOURCE = R; RESOURCELOCKTIME = 0.0005; }};
  }}; }};
  TASK U {{ PRIORITY = 1; RESOURCE = R; TIMING_PROTECTION = TRUE {{
    EXECUTIONBUDGET = 0.005; TIMEFRAME = 0.020; {locking}
  }}; }};
}};
"""
LOCKING = "LOCKINGTIME = RESOURCELOCK { RESOURCE = R; RESOURCELOCKTIME = 0.001; };"
BOTH = 'resource_lock_budgets = { R = "1ms", S = "1500us" }'


def bounds(
    folder: Path,
    *,
    code: str = "",
    protocol: Protocol = Protocol.CEILING,
    overheads: Overheads | None = None,
    **parts: str,
) -> tuple[dict[str, int | None], str]:
    """Return the responses in us, and the notes."""
    (folder / "t.c").write_text(code)
    file = folder / "system.toml"
    file.write_text(LIMITED.format(**{"kernel": "", "t": "", "u": "", "tables": ""} | parts))
    report = analyse(load(file), [protocol], overheads)
    found = {
        row.task: None if row.response_bound_ns is None else row.response_bound_ns // 1000
        for row in report.rows
    }
    return found, "\n".join(report.notes)


@pytest.mark.parametrize(("locking", "response_ms"), [(LOCKING, 3), ("", 7)])
def test_bounds_of_oil_alone(tmp_path: Path, locking: str, response_ms: int) -> None:
    """AUTOSAR OS 4.x, SWS_Os 7.7.2: T runs 2 ms, and U keeps R for its LOCKINGTIME or all of its
    EXECUTIONBUDGET."""
    (tmp_path / "t.c").write_text("TASK(T) { TerminateTask(); }\nTASK(U) { TerminateTask(); }\n")
    file = tmp_path / "plafond.oil"
    file.write_text(OIL.format(locking=locking))

    report = analyse(load(file), [Protocol.CEILING])

    ms = 1_000_000
    assert [(row.response_bound_ns, row.deadline_ns) for row in report.rows] == [
        (response_ms * ms, 10 * ms),
        ((5 + 2) * ms, 20 * ms),
    ]
    assert any("execution_budget is the longest run" in note for note in report.notes)


def test_the_longest_of_two_holds_blocks(tmp_path: Path) -> None:
    assert bounds(tmp_path, u=BOTH)[0] == {"T": 2000 + 1500, "U": 5000 + 2000}
    only_r = 'resource_lock_budgets = { R = "1ms" }'
    assert bounds(tmp_path, u=only_r)[0]["T"] == 2000 + 5000
    all_of_it = 'resource_lock_budgets = { R = "5ms", S = "5ms" }'
    assert bounds(tmp_path, u=all_of_it)[0]["T"] == 2000 + 5000
    more_than_it_can = 'resource_lock_budgets = { R = "6ms", S = "1ms" }'
    assert bounds(tmp_path, u=more_than_it_can)[0]["T"] == 2000 + 5000


@pytest.mark.parametrize(
    ("service", "field"),
    [
        ("DisableAllInterrupts", "all"),
        ("SuspendAllInterrupts", "all"),
        ("SuspendOSInterrupts", "os"),
    ],
)
def test_code_that_may_hold_interrupts_back_blocks_for_that_too(
    tmp_path: Path, service: str, field: str
) -> None:
    """Without a budget of its own that may be the whole execution; with one, both holds add up."""
    code = f"TASK(U) {{ {service}(); }}"
    found, notes = bounds(tmp_path, code=code, u=BOTH)
    assert found == {"T": 2000 + 5000, "U": 5000 + 2000}
    assert "T, U may do so for the whole execution" in notes

    limit = f'{field}_interrupt_lock_budget = "200us"'
    found, notes = bounds(tmp_path, code=code, t=limit, u=f"{BOTH}\n{limit}")
    assert found == {"T": 2000 + 1500 + 200, "U": 5000 + 2000}
    assert "may do so" not in notes


def test_headers_and_flags_are_read_too(tmp_path: Path) -> None:
    """A header that is not there may have any call."""
    (tmp_path / "near.h").write_text('#include "far.h"\n')
    (tmp_path / "far.h").write_text("#define QUIET() SuspendAllInterrupts()\n")
    near, missing = '#include "near.h"\nTASK(U) { QUIET(); }', '  # include "none.h"\n'
    assert bounds(tmp_path, code=near, u=BOTH)[0]["T"] == 2000 + 5000
    assert bounds(tmp_path, code=missing, u=BOTH)[0]["T"] == 2000 + 5000
    assert bounds(tmp_path, code="#include <none.h>\n", u=BOTH)[0]["T"] == 2000 + 1500
    flags = 'flags = ["-DQUIET=SuspendAllInterrupts"]'
    assert bounds(tmp_path, kernel=flags, u=BOTH)[0]["T"] == 2000 + 5000


def test_the_scheduler_as_a_resource_counts_if_the_code_names_it(tmp_path: Path) -> None:
    table = "[resource.RES_SCHEDULER]"
    code = "TASK(U) { GetResource(RES_SCHEDULER); }"
    assert bounds(tmp_path, u=BOTH, tables=table)[0]["T"] == 2000 + 1500
    assert bounds(tmp_path, u=BOTH, tables=table, code=code)[0]["T"] == 2000 + 5000


def test_all_activations_are_a_frame_apart(tmp_path: Path) -> None:
    alarm = '[counter.C]\n[alarm.A]\ncounter = "C"\naction = "activate T"\n'
    third = '[task.V]\npriority = 3\nexecution_budget = "3ms"\ntime_frame = "6ms"\n'
    found, _ = bounds(tmp_path, t="autostart = true", u=BOTH, tables=alarm + third)
    assert found == {"V": 3000, "T": 2000 + 1500 + 2 * 3000, "U": 5000 + 2 * 2000 + 3 * 3000}
    found, _ = bounds(tmp_path, u=BOTH, tables=third.replace("3ms", "2ms"))
    assert found == {"V": 2000, "T": 2000 + 1500 + 2000, "U": 5000 + 2 * 2000 + 3 * 2000}


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        (
            {"tables": '[task.V]\npriority = 3\ntime_frame = "9ms"'},
            "V has neither execution_budget nor run",
        ),
        (
            {"tables": '[task.V]\npriority = 3\nexecution_budget = "9ms"'},
            "V has neither time_frame nor arrival",
        ),
        (
            {"tables": "[task.V]\npriority = 3"},
            "V has neither execution_budget nor run, and V has neither time_frame nor arrival",
        ),
        ({"tables": "[isr.I]\nsource = 3"}, "the handler of I has no budget"),
        (
            {
                "tables": '[application.A]\ntrusted = true\nfunctions = ["F"]\n',
                "of_task": 'application = "A"',
            },
            "no budget ends inside the trusted function F",
        ),
        ({"kernel": 'hooks = ["pretask"]'}, "the pretask hook has no budget"),
        ({"kernel": 'hooks = ["error", "posttask"]'}, "the posttask hook has no budget"),
        (
            {"tables": '[counter.C]\n[alarm.A]\ncounter = "C"\naction = "call f"'},
            "the callback of A has no budget",
        ),
    ],
)
def test_work_without_a_limit_leaves_no_bound(
    tmp_path: Path, parts: dict[str, str], why: str
) -> None:
    (tmp_path / "k.c").touch()
    kernel = 'trusted = ["k.c"]\n' + parts.get("kernel", "")
    of_task = parts.get("of_task", "")
    tables = parts.get("tables", "")
    found, notes = bounds(tmp_path, kernel=kernel, tables=tables, t=of_task, u=of_task)
    assert set(found.values()) == {None}
    assert f"C files are not analysed, and {why}" in notes


def test_a_task_that_waits_has_no_bound_but_counts_for_others(tmp_path: Path) -> None:
    found, notes = bounds(tmp_path, t='events = ["E"]', u=BOTH)
    assert found == {"T": None, "U": 5000 + 2000}
    assert "no bound for T: T waits for events" in notes


@pytest.mark.parametrize("protocol", [Protocol.INHERIT, Protocol.NONE])
def test_only_ceilings_have_bounds(tmp_path: Path, protocol: Protocol) -> None:
    found, notes = bounds(tmp_path, protocol=protocol, u=BOTH)
    assert found == {"T": None, "U": None}
    assert "limits bound no wait for a lock but under ceilings" in notes


def test_overheads_of_calls_in_c_are_not_known(tmp_path: Path) -> None:
    added = Overheads({Protocol.CEILING: Costs(switch_ns=1)})
    found, notes = bounds(tmp_path, overheads=added, u=BOTH)
    assert found == {"T": None, "U": None}
    assert "the overheads of their calls are not known" in notes


def test_no_code_within_its_limits_takes_longer(tmp_path: Path) -> None:
    """The bounds of random bodies are at most those of C code with exactly their limits."""
    random = Random(45)
    names = ("R", "S", "Q1")
    for _ in range(30):
        bodies, limits = [], []
        for number in range(3):
            steps, total, longest = [], 0, dict.fromkeys(names, 0)
            for name in random.sample(names, random.randint(0, 3)):
                before, inside = random.randint(1, 3), random.randint(1, 5)
                steps += [f"run {before}us", f"lock {name}", f"run {inside}us", f"unlock {name}"]
                total, longest[name] = total + before + inside, inside
            steps += ["run 1us"]
            head = f"[task.t{number}]\npriority = {number + 1}\n"
            used = {name: time for name, time in longest.items() if time}
            bodies.append(f'{head}arrival = "sporadic 90us"\nbody = {steps}\n')
            locks = ", ".join(f'{name} = "{time}us"' for name, time in used.items())
            limits.append(
                f'{head}execution_budget = "{total + 1}us"\ntime_frame = "90us"\n'
                f"resources = {[*used]}\nresource_lock_budgets = {{ {locks} }}\n"
            )
        tables = "".join(f"[resource.{name}]\n" for name in names)
        kernel = '[kernel]\nsources = ["t.c"]\nprotocol = "syscall"\n'
        (tmp_path / "t.c").touch()
        found = []
        for text in ("".join(bodies), kernel + "".join(limits)):
            file = tmp_path / "drawn.toml"
            file.write_text(text + tables)
            rows = analyse(load(file), [Protocol.CEILING]).rows
            found.append([row.response_bound_ns for row in rows])
        assert found[0] == found[1]
