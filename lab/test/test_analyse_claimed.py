# SPDX-License-Identifier: MIT
"""Bounds of tasks in C whose longest run the description claims."""

from pathlib import Path
from random import Random

import pytest

from plafond.analyse.analysis import analyse
from plafond.analyse.table import print_report
from plafond.describe import load
from plafond.describe.problems import DescriptionError
from plafond.protocols import Protocol

IN_C = """
{cpus}
[kernel]
sources = ["t.c"]
{kernel}
[task.high]
priority = 30
run = "1ms"
{owner}
{high}
[task.mid]
priority = 20
run = "{run}"
{owner}
{mid}
[task.low]
priority = 10
{owner}
{low}
[resource.R]
[counter.clock]
{owner}
tick = "1ms"
[alarm.A]
{application}
counter = "clock"
action = "activate high"
autostart = [3, 10]
{tables}
"""
OIL = """
CPU board {
  OS one { APP_SRC = "t.c"; };
  APPMODE always { };
  TASK T { PRIORITY = 2; MAXEXECUTIONTIME = 0.0025; };
  TASK U { PRIORITY = 1; MAXEXECUTIONTIME = 0.003; };
  COUNTER clock { SECONDSPERTICK = 0.001; MAXALLOWEDVALUE = 99; };
  ALARM A {
    COUNTER = clock; ACTION = ACTIVATETASK { TASK = T; };
    AUTOSTART = TRUE { ALARMTIME = 5; CYCLETIME = 10; APPMODE = always; };
  };
  SCHEDULETABLE S {
    COUNTER = clock; DURATION = 50; REPEATING = TRUE;
    AUTOSTART = RELATIVE { OFFSET = 1; APPMODE = always; };
    EXPIRY_POINT first { OFFSET = 7; ACTION = ACTIVATETASK { TASK = U; }; };
  };
};
"""
ARRIVES = 'arrival = "sporadic 20ms"'
MS = 1_000_000


def bounds(
    folder: Path, *, code: str = "", run: str = "2ms", **parts: str
) -> tuple[dict[str, float | None], str]:
    """Return the responses in ms, and the notes."""
    (folder / "t.c").write_text(code)
    file = folder / "system.toml"
    empty = dict.fromkeys(("cpus", "kernel", "owner", "application", "high", "tables"), "")
    empty |= {"mid": ARRIVES, "low": "autostart = true"}
    file.write_text(IN_C.format(**empty | parts, run=run))
    report = analyse(load(file), [Protocol.CEILING])
    found = {
        row.task: None if row.response_bound_ns is None else row.response_bound_ns / MS
        for row in report.rows
    }
    return found, "\n".join(report.notes)


def test_claims_and_an_alarm_bound_tasks_in_c(tmp_path: Path) -> None:
    """The least urgent task has no limit, and neither blocks nor preempts the others."""
    found, notes = bounds(tmp_path)
    assert found == {"high": 1, "mid": 3, "low": None}
    assert "claimed and not proved: the longest run of high 1ms, mid 2ms" in notes
    assert "high: the alarm A activates it, 10ms apart or more" in notes
    assert (
        "no bound for low: C files are not analysed, and low has neither execution_budget" in notes
    )


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("SetRelAlarm(A, 1, 5);", "the C files name services that set alarms or move tables"),
        ("SetAbsAlarm(A, 1, 5);", "only the alarm A activates high, and the C files name"),
        ("StopScheduleTable(S);", "the C files name services that set alarms or move tables"),
        ("CancelAlarm(A);", None),
    ],
)
def test_code_that_changes_alarms_takes_their_bounds(
    tmp_path: Path, code: str, why: str | None
) -> None:
    found, notes = bounds(tmp_path, code=code)
    assert found["high"] == (None if why else 1)
    assert why is None or why in notes


def test_an_alarm_of_another_core_has_no_exact_times(tmp_path: Path) -> None:
    """Code on that core may hold the interrupt of its timer back."""
    found, notes = bounds(tmp_path, owner="cpu = 1", mid=f"{ARRIVES}", cpus="cpus = 2")
    assert found == {"high": 1, "mid": 3, "low": None}
    found, notes = bounds(tmp_path, high="cpu = 1", cpus="cpus = 2")
    assert found == {"high": None, "mid": 2, "low": None}
    assert "code on CPU 0 may hold its interrupts back" in notes


def test_tasks_in_c_in_servers_have_no_bounds(tmp_path: Path) -> None:
    server = '[server.S]\nkind = "idling"\npriority = 1\nperiod = "10ms"\nbudget = "5ms"'
    inside = dict.fromkeys(("high", "mid", "low"), 'server = "S"')
    inside["mid"] += f"\n{ARRIVES}"
    inside["low"] += "\nautostart = true"
    found, notes = bounds(tmp_path, tables=server, **inside)
    assert set(found.values()) == {None}
    assert "servers do not limit" in notes


def test_a_range_claims_its_longest_run(tmp_path: Path) -> None:
    assert bounds(tmp_path, run="1ms..4ms")[0]["mid"] == 5


def test_a_run_of_exactly_the_interval_just_fits(tmp_path: Path) -> None:
    """The level is busy for ever at 1/10 + 18/20 of the processor, and its first job ends last."""
    assert bounds(tmp_path, run="18ms")[0]["mid"] == 20
    assert bounds(tmp_path, run="18001us")[0]["mid"] is None


def test_a_resource_may_be_held_for_the_whole_run(tmp_path: Path) -> None:
    user = f'{ARRIVES}\nresources = ["R"]'
    assert bounds(tmp_path, high='resources = ["R"]', mid=user)[0]["high"] == 1 + 2
    assert bounds(tmp_path, mid=user)[0]["high"] == 1
    limited = f'{user}\nresource_lock_budgets = {{ R = "500us" }}'
    kernel = 'protocol = "syscall"'
    found, _ = bounds(tmp_path, kernel=kernel, high='resources = ["R"]', mid=limited)
    assert found["high"] == 1.5


@pytest.mark.parametrize(
    ("code", "low", "why"),
    [
        (
            "",
            'autostart = true\nresources = ["R"]',
            "low has neither execution_budget nor run, and h",
        ),
        ("", 'autostart = true\nschedule = "non"', "and high does not preempt it"),
        ("SuspendAllInterrupts();", "autostart = true", "and may hold interrupts back"),
        ("GetResource(RES_SCHEDULER);", "autostart = true", "and holds RES_SCHEDULER"),
    ],
)
def test_a_task_without_limits_that_may_block_leaves_no_bound(
    tmp_path: Path, code: str, low: str, why: str
) -> None:
    table = "[resource.RES_SCHEDULER]" if "RES_SCHEDULER" in code else ""
    found, notes = bounds(tmp_path, code=code, low=low, high='resources = ["R"]', tables=table)
    assert found["high"] is None
    assert why in notes


def test_a_resource_below_a_task_does_not_block_it(tmp_path: Path) -> None:
    shared = f'{ARRIVES}\nresources = ["R"]'
    found, _ = bounds(tmp_path, mid=shared, low='autostart = true\nresources = ["R"]')
    assert found == {"high": 1, "mid": None, "low": None}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("ActivateTask(mid);", {"high": 1, "mid": None, "low": None}),
        ("ChainTask( mid );", {"high": 1, "mid": None, "low": None}),
        ("ActivateTask(low);", {"high": 1, "mid": 3, "low": None}),
        ("ActivateTask(high);", {"high": None, "mid": None, "low": None}),
        ("ActivateTask(next());", {"high": None, "mid": None, "low": None}),
        ("go = ActivateTask;", {"high": None, "mid": None, "low": None}),
        ("#define GO(t) ActivateTask(t)", {"high": None, "mid": None, "low": None}),
    ],
)
def test_code_that_activates_a_task_takes_its_bound(
    tmp_path: Path, code: str, expected: dict[str, float | None]
) -> None:
    assert bounds(tmp_path, code=code)[0] == expected


def test_a_restart_activates_a_task(tmp_path: Path) -> None:
    end = "TerminateApplication(own, RESTART);"
    owner, table = 'application = "own"', '[application.own]\nrestart = "{}"'
    found, _ = bounds(tmp_path, owner=owner, application=owner, tables=table.format("mid"))
    assert found == {"high": 1, "mid": 3, "low": None}
    found, _ = bounds(
        tmp_path, owner=owner, application=owner, tables=table.format("low"), code=end
    )
    assert found == {"high": 1, "mid": 3, "low": None}
    found, notes = bounds(
        tmp_path, owner=owner, application=owner, tables=table.format("mid"), code=end
    )
    assert found == {"high": 1, "mid": None, "low": None}
    assert "TerminateApplication() activates mid besides its arrivals" in notes


def test_a_time_frame_holds_for_all_activations(tmp_path: Path) -> None:
    frame = f'{ARRIVES}\ntime_frame = "5ms"'
    found, _ = bounds(tmp_path, code="ActivateTask(mid);", mid=frame)
    assert found["mid"] == 3


def test_a_budget_counts_before_a_claim(tmp_path: Path) -> None:
    found, notes = bounds(tmp_path, mid=f'{ARRIVES}\nexecution_budget = "1ms"')
    assert found["mid"] == 2
    assert "the longest run of high 1ms;" in notes


def test_a_task_that_waits_has_no_bound(tmp_path: Path) -> None:
    found, notes = bounds(tmp_path, mid=f'{ARRIVES}\nevents = ["E"]')
    assert found == {"high": 1, "mid": None, "low": None}
    assert "mid waits for events without a time_frame" in notes


@pytest.mark.parametrize(("code", "response"), [("", 3), ("Schedule();", None)])
def test_a_task_that_no_task_preempts_must_not_yield(
    tmp_path: Path, code: str, response: float | None
) -> None:
    found, _ = bounds(tmp_path, code=code, mid=f'{ARRIVES}\nschedule = "non"')
    assert found == {"high": 3, "mid": response, "low": None}


def test_an_activation_besides_the_arrivals_takes_the_bound(tmp_path: Path) -> None:
    found, notes = bounds(tmp_path, mid=f"{ARRIVES}\nautostart = true")
    assert found["mid"] is None
    assert "its autostart activates mid besides its arrivals" in notes


def test_a_body_excludes_a_claim(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match="no run beside a body"):
        bounds(tmp_path, mid=f'{ARRIVES}\nbody = ["run 1ms"]')


@pytest.mark.parametrize("run", ["2", "0ms", "3ms..2ms", "2ms..2ms", "run 2ms", "1ms..2ms..3ms"])
def test_a_wrong_claim_is_named(tmp_path: Path, run: str) -> None:
    with pytest.raises(DescriptionError, match=r"task.mid.run: found"):
        bounds(tmp_path, run=run)


def test_the_table_marks_claims(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bounds(tmp_path)
    print_report(analyse(load(tmp_path / "system.toml"), [Protocol.CEILING]))
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    heading = ["task", "protocol", "blocking", "response", "deadline", "claimed", "run", "verdict"]
    assert heading in lines
    assert ["mid", "ceiling", "0ns", "3ms", "20ms", "2ms", "schedulable"] in lines
    assert ["low", "ceiling", "-", "-", "-", "-", "no", "bound"] in lines


def test_offsets_do_not_keep_tasks_in_c_apart(tmp_path: Path) -> None:
    periodic = 'arrival = "periodic 20ms"'
    later = f'run = "1ms"\n{periodic}\noffset = "10ms"'
    found, _ = bounds(tmp_path, mid=periodic, low=later)
    assert found == {"high": 1, "mid": 3, "low": 1 + 2 + 1}


def responses(folder: Path, text: str) -> list[int]:
    """Return the bound of each task in ns; all tasks have one."""
    (folder / "drawn.toml").write_text(text)
    rows = analyse(load(folder / "drawn.toml"), [Protocol.CEILING]).rows
    return [row.response_bound_ns for row in rows if row.response_bound_ns is not None]


def test_no_code_within_its_claims_takes_longer(tmp_path: Path) -> None:
    """Claims of the runs of random bodies, without a time for any section, bound these bodies."""
    random = Random(46)
    names = ("R", "S")
    (tmp_path / "t.c").touch()
    for _ in range(30):
        bodies, claims = [], []
        for number in range(3):
            steps, total = [], 0
            used = random.sample(names, random.randint(0, 2))
            for name in used:
                before, inside = random.randint(1, 3), random.randint(1, 5)
                steps += [f"run {before}us", f"lock {name}", f"run {inside}us", f"unlock {name}"]
                total += before + inside
            head = f'[task.t{number}]\npriority = {number + 1}\narrival = "sporadic 90us"\n'
            steps += ["run 1us"]
            bodies.append(f"{head}body = {steps}\n")
            claims.append(f'{head}run = "{total + 1}us"\nresources = {used}\n')
        tables = "".join(f"[resource.{name}]\n" for name in names)
        in_c = '[kernel]\nsources = ["t.c"]\n' + "".join(claims)
        found = [responses(tmp_path, text + tables) for text in ("".join(bodies), in_c)]
        of_bodies, of_claims = found
        assert all(body <= claim for body, claim in zip(of_bodies, of_claims, strict=True))


def test_oil_alone_has_bounds(tmp_path: Path) -> None:
    (tmp_path / "t.c").write_text("TASK(T) { TerminateTask(); }\nTASK(U) { TerminateTask(); }\n")
    file = tmp_path / "one.oil"
    file.write_text(OIL)
    rows = analyse(load(file), [Protocol.CEILING]).rows
    found = [(row.response_bound_ns, row.deadline_ns, row.claimed_run_ns) for row in rows]
    assert found == [
        (2_500_000, 10 * MS, 2_500_000),
        (5_500_000, 50 * MS, 3 * MS),
    ]
