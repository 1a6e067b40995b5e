# SPDX-License-Identifier: MIT
"""Resources with users on several CPUs: the computed levels, the messages and the refusals."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from refusal import refusal
from report_fakes import execution_of, simulate
from test_run_worst import options
from typer.testing import CliRunner

from plafond.analyse.analysis import analyse, protocols_of, protocols_under
from plafond.analyse.model import Verdict
from plafond.analyse.on_target import analyse_on
from plafond.analyse.overheads import Costs, Overheads
from plafond.board.boards import BOARDS
from plafond.build.locks import Locks
from plafond.build.refuse import refuse_unfit
from plafond.cli import app
from plafond.describe import System, load
from plafond.describe.across_cpus import GLOBAL_BAND, problems_across_cpus, refuse_across_cpus
from plafond.describe.kernel import Scheduler
from plafond.describe.lock_order import refuse_deadlock
from plafond.describe.problems import DescriptionError
from plafond.errors import ArgumentError, PlafondError
from plafond.protocols import PROTOCOLS, KernelProtocol, OnLinux, Protocol, names_of
from plafond.report.cells import time_tables
from plafond.report.headline import headline
from plafond.report.summary import summary_table
from plafond.run.bounds import bounds_of
from plafond.run.known_overheads import known_overheads
from plafond.run.targets import refuse_kernel_only, refuse_one_cpu
from plafond.trace.activations import Activation
from plafond.trace.outside import Processor

ROOT = Path(__file__).resolve().parents[2]
MS = 1_000_000
# G has users on the CPUs 0 and 1, L has users on CPU 0 only, and N is on CPU 2.
TEXT = """
cpus = 3
[task.first]
priority = 30
arrival = "periodic 20ms"
body = ["lock G", "run 1ms", "unlock G", "lock L", "run 1ms", "unlock L"]
[task.beside]
priority = 40
arrival = "periodic 20ms"
body = ["lock L", "run 1ms", "unlock L"]
[task.second]
priority = 20
cpu = 1
arrival = "periodic 20ms"
body = ["lock G", "run 3ms", "unlock G"]
[task.alone]
priority = 60
cpu = 2
arrival = "periodic 20ms"
body = ["lock N", "run 1ms", "unlock N"]
[task.below]
priority = 10
cpu = 2
arrival = "periodic 20ms"
body = ["lock N", "run 2ms", "unlock N"]
[resource.G]
[resource.L]
[resource.N]
"""
NESTED = TEXT.replace(
    '"unlock G", "lock L", "run 1ms", "unlock L"', '"lock L", "unlock L", "unlock G"'
)
AROUND = TEXT.replace(
    '"lock G", "run 1ms", "unlock G"', '"lock L", "lock G", "unlock G", "unlock L"'
)


def written(folder: Path, text: str) -> Path:
    file = folder / "some.toml"
    file.write_text(text)
    return file


def described(folder: Path, text: str = TEXT) -> System:
    return load(written(folder, text))


def test_a_resource_is_global_if_its_users_are_on_several_cpus(tmp_path: Path) -> None:
    system = described(tmp_path)
    assert [resource.name for resource in system.global_resources] == ["G"]
    assert system.global_resources[0].cpus == (0, 1)
    assert [len(system.globals_on(cpu)) for cpu in range(3)] == [1, 1, 0]


def test_check_prints_what_is_global_with_its_users_by_cpu(tmp_path: Path) -> None:
    file = str(written(tmp_path, TEXT))
    printed = CliRunner().invoke(app, ["check", file])
    assert printed.exit_code == 0
    assert re.search(r"^G +global +CPU 0: first; CPU 1: second", printed.stdout, re.MULTILINE)
    assert re.search(r"^L +40 +first, beside", printed.stdout, re.MULTILINE)
    report = json.loads(CliRunner().invoke(app, ["check", file, "--format", "json"]).stdout)
    assert report["resources"][0] == {
        "resource": "G",
        "linked": None,
        "ceiling": 30,
        "floor_ns": None,
        "users": ["first", "second"],
        "is_global": True,
        "by_cpu": False,
        "users_by_cpu": {"0": ["first"], "1": ["second"]},
        "server_ceiling": None,
        "by_server": [],
        "routines": [],
    }
    assert not report["resources"][1]["is_global"]


@pytest.mark.parametrize(("users", "by_cpu"), [(64, False), (65, True)])
def test_check_prints_where_a_word_holds_too_few_users(
    tmp_path: Path, users: int, *, by_cpu: bool
) -> None:
    tasks = "".join(
        f'[task.t{i}]\narrival = "periodic 1s"\npriority = 1\ncpu = {i % 2}\n'
        'body = ["lock G", "run 1us", "unlock G"]\n'
        for i in range(users)
    )
    file = str(written(tmp_path, f"cpus = 2\n{tasks}[resource.G]\n"))
    printed = CliRunner().invoke(app, ["check", file])
    said = (
        "- G: 65 users, and a word holds 64: under mpcp on the kernel each CPU has a word, and the "
        "CPU with the most urgent user is next"
    )
    assert (said in " ".join(printed.stdout.split())) == by_cpu
    report = json.loads(CliRunner().invoke(app, ["check", file, "--format", "json"]).stdout)
    assert report["resources"][0]["by_cpu"] == by_cpu


@pytest.mark.parametrize("protocol", protocols_under(Scheduler.PRIORITY))
@pytest.mark.parametrize("overheads", [False, True])
def test_there_is_no_bound_yet_where_a_global_resource_has_a_user(
    tmp_path: Path, protocol: Protocol, *, overheads: bool
) -> None:
    added = Overheads({protocol: Costs(1000, 1000, 1000, 1000)}) if overheads else None
    report = analyse(described(tmp_path), [protocol], added)
    for row in report.rows:
        if row.task in ("alone", "below"):
            assert row.response_bound_ns
            assert row.no_bound_yet is None
            assert row.verdict is Verdict.SCHEDULABLE
        else:
            assert (row.blocking_bound_ns, row.response_bound_ns, row.schedulable) == (None,) * 3
            assert row.no_bound_yet == "G is used on the CPUs 0 and 1"
            assert row.verdict is Verdict.NO_BOUND_YET
    assert (
        f"{protocol}: no bound yet for beside, first: G is used on the CPUs 0 and 1" in report.notes
    )


def test_the_others_keep_the_bounds_that_they_have_alone(tmp_path: Path) -> None:
    system = described(tmp_path)
    alone = replace(
        system,
        tasks=system.tasks_on(2),
        resources=tuple(each for each in system.resources if each.name == "N"),
    )
    bounds = {(row.task, row.protocol): row.response_bound_ns for row in analyse(alone).rows}
    assert len(bounds) == 6
    rows = analyse(system, protocols_of(system)).rows
    found = {(row.task, row.protocol): row.response_bound_ns for row in rows}
    assert {key: found[key] for key in bounds} == bounds


def test_analyse_says_no_bound_yet(tmp_path: Path) -> None:
    file = str(written(tmp_path, TEXT))
    printed = CliRunner().invoke(app, ["analyse", file, "--protocol", "ceiling"])
    assert printed.exit_code == 0
    assert re.search(r"^first +ceiling +- +- +20ms +no bound yet", printed.stdout, re.MULTILINE)
    rows = analyse_on(
        "sim", described(tmp_path), {"protect": Overheads({Protocol.CEILING: Costs()})}
    )
    first = next(row for row in rows.rows if row.task == "first")
    assert first.verdict is Verdict.NO_BOUND_YET
    assert "G is used" in first.model_dump_json()


def test_a_run_has_no_bound_yet_and_no_verdict_from_one(tmp_path: Path) -> None:
    system = described(tmp_path)
    arrivals = {task.name: [0, 20 * MS] for task in system.tasks}
    traces = {"protect": simulate(system, "protect", arrivals)}
    bounds = bounds_of(system, traces, {"protect": Overheads({Protocol.CEILING: Costs()})})
    for task in ("first", "beside", "second"):
        found = bounds.of[task, "protect"]
        assert (found.theory_ns, found.response_ns) == (None, None)
        assert found.not_yet == "G is used on the CPUs 0 and 1"
    assert bounds.of["alone", "protect"].response_ns
    execution = execution_of(system, traces, not_yet={"first": "G is used on the CPUs 0 and 1"})
    row = next(row for row in execution.report.rows if row.task == "first")
    assert row.verdict is None
    assert '"no_bound_yet":"G is used on the CPUs 0 and 1"' in row.model_dump_json()
    table = next(table for table in time_tables(execution) if table.title == "first")
    cells = {column.heading: column.cells[0] for column in table.columns}
    assert (cells["bound"], cells["with overheads"], cells["ratio"], cells["verdict"]) == (
        "no bound yet",
        "no bound yet",
        "-",
        "-",
    )
    summary = next(line for line in summary_table(execution).lines if line[0] == "first")
    assert summary[-3:] == ("no bound yet", "-", "-")
    assert "first has no bound yet: G is used on the CPUs 0 and 1." in headline(execution)


def test_what_libplafond_does_not_nest_is_refused_with_its_line(tmp_path: Path) -> None:
    for text, found in (
        (NESTED, "body[2]: found lock L while the task holds G"),
        (AROUND, "body[1]: found lock G while the task holds L"),
    ):
        with pytest.raises(DescriptionError) as refused:
            refuse_across_cpus(described(tmp_path, text))
        message = str(refused.value)
        assert (
            f"some.toml:6: task.first.{found}; expected no other resource in or around G" in message
        )
        assert "users on the CPUs 0 and 1" in message
        assert len(refused.value.problems) == 1


def test_local_sections_may_nest(tmp_path: Path) -> None:
    nested = TEXT.replace('"lock N", "run 1ms"', '"lock N", "lock M", "unlock M", "run 1ms"')
    assert problems_across_cpus(described(tmp_path, nested + "[resource.M]\n")) == []


def test_a_priority_in_the_band_is_refused_where_the_band_is(tmp_path: Path) -> None:
    def problems(priority: int) -> list[str]:
        text = TEXT.replace("priority = 40", f"priority = {priority}")
        return [str(each.where) for each in problems_across_cpus(described(tmp_path, text))]

    assert problems(GLOBAL_BAND - 1) == []
    assert problems(GLOBAL_BAND) == ["('task', 'beside', 'priority')"]
    header = (ROOT / "linux/lib/include/plafond.h").read_text()
    assert f"PLF_GLOBAL_BAND = {GLOBAL_BAND} " in header


@pytest.mark.parametrize("text", [NESTED, TEXT.replace("priority = 40", "priority = 50")])
def test_check_refuses_it_for_ceilings_only(tmp_path: Path, text: str) -> None:
    file = str(written(tmp_path, text))
    refused = CliRunner().invoke(app, ["check", file])
    assert refused.exit_code == 1
    assert isinstance(refused.exception, DescriptionError)
    assert CliRunner().invoke(app, ["check", file, "--protocol", "inherit"]).exit_code == 0


CROSSED = (
    TEXT.replace(
        'body = ["lock G", "run 3ms", "unlock G"]',
        'body = ["lock H", "lock G", "run 3ms", "unlock G", "unlock H"]',
    ).replace(
        '"lock G", "run 1ms", "unlock G", "lock L"',
        '"lock G", "lock H", "run 1ms", "unlock H", "unlock G", "lock L"',
    )
    + "[resource.H]\n"
)


def test_ceilings_do_not_rule_out_a_deadlock_across_cpus(tmp_path: Path) -> None:
    with pytest.raises(PlafondError, match=r"tasks can deadlock: .*; expected one order"):
        refuse_deadlock(described(tmp_path, CROSSED), [Protocol.CEILING])
    refuse_deadlock(described(tmp_path, NESTED), [Protocol.CEILING])
    local = [
        ("lock L", "lock M", 'unlock M", "unlock L'),
        ("lock M", "lock L", 'unlock L", "unlock M'),
    ]
    apart = TEXT + "[resource.M]\n"
    for task, (outer, inner, end) in zip(("first", "beside"), local, strict=True):
        head, rest = apart.split(f"[task.{task}]")
        whole = f'"{outer}", "{inner}", "run 1ms", "{end}"'
        rest = rest.replace('"lock L", "run 1ms", "unlock L"', whole, 1)
        apart = f"{head}[task.{task}]{rest}"
    with pytest.raises(PlafondError, match="tasks can deadlock"):
        refuse_deadlock(described(tmp_path, apart), [Protocol.INHERIT])
    refuse_deadlock(described(tmp_path, apart), [Protocol.CEILING])  # no nesting goes across CPUs
    on_one_cpu = CROSSED.replace("cpu = 1\n", "")
    refuse_deadlock(described(tmp_path, on_one_cpu), [Protocol.CEILING])


@pytest.mark.parametrize(
    ("protocol", "traits"), [(row.name, row.linux) for row in PROTOCOLS if row.linux]
)
def test_a_run_refuses_protocols_that_know_none(
    tmp_path: Path, protocol: str, traits: OnLinux
) -> None:
    system = described(tmp_path)
    if not traits.is_of_one_cpu:
        refuse_one_cpu(system, [protocol])
        return
    with pytest.raises(ArgumentError) as refused:
        refuse_one_cpu(system, [protocol])
    message = str(refused.value)
    assert f"found {protocol}, which runs with users on one CPU only, and G" in message
    assert "expected some of plafond, plafond-syscall, protect, inherit, none" in message
    refuse_one_cpu(described(tmp_path, TEXT.replace("cpu = 1\n", "")), [protocol])


def test_only_libplafond_has_its_rules(tmp_path: Path) -> None:
    system = described(tmp_path, NESTED)
    refuse_one_cpu(system, ["none", "inherit", "protect"])
    for protocol in names_of(lambda row: row.linux and row.linux.is_global):
        with pytest.raises(DescriptionError):
            refuse_one_cpu(system, ["none", protocol])


def test_each_cpu_has_a_scheduler_resource_of_its_own(tmp_path: Path) -> None:
    text = (
        TEXT.replace("L", "RES_SCHEDULER")
        .replace("lock G", "lock RES_SCHEDULER")
        .replace("unlock G", "unlock RES_SCHEDULER")
    )
    system = described(tmp_path, text)
    assert not system.global_resources
    with pytest.raises(ArgumentError, match="found RES_SCHEDULER with users on the CPUs 0 and 1, "):
        refuse_kernel_only(system, "linux")


@pytest.mark.parametrize("board", ["sim", "a53"])
def test_boards_refuse_it_where_sections_mask_interrupts(tmp_path: Path, board: str) -> None:
    with pytest.raises(DescriptionError) as refused:
        refuse_unfit(described(tmp_path), BOARDS[board], Locks(KernelProtocol.IRQ_OFF, None))
    expected = "users on one CPU: irq-off has no lock across CPUs"
    assert f"resource.G: found users on the CPUs 0 and 1, with irq-off; expected {expected}" in str(
        refused.value
    )


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (
            "[resource.G]",
            "[resource.G]\ninternal = true",
            "; expected users on one CPU: an internal",
        ),
        ("cpus = 3", 'cpus = 3\nscheduler = "edf"', ', with scheduler = "edf"; expected'),
    ],
)
def test_what_holds_on_one_processor_is_refused_at_once(
    tmp_path: Path, old: str, new: str, why: str
) -> None:
    with pytest.raises(DescriptionError) as refused:
        described(tmp_path, TEXT.replace(old, new))
    assert f"resource.G: found users on the CPUs 0 and 1{why}" in str(refused.value)


def test_run_names_what_it_refuses(tmp_path: Path) -> None:
    file = str(written(tmp_path, TEXT))
    message = refusal(["run", file, "--protocol", "plafond-strict", "--out", str(tmp_path / "o")])
    assert "--protocol: found plafond-strict, which runs with users on one CPU only" in message


def test_overheads_are_not_measured_for_nothing(tmp_path: Path) -> None:
    everywhere = described(
        tmp_path, TEXT.replace("cpu = 2", "cpu = 1").replace("priority = 60", "priority = 45")
    )
    asked = replace(options(), overheads=True, protocols=["none", "protect"])
    assert known_overheads(everywhere, asked).said == "not measured: no task has a bound yet"


def test_a_gap_of_the_holder_s_cpu_explains_a_wait() -> None:
    own, other = Activation(0, 0, 0, 5 * MS), Activation(0, 0, 0, 5 * MS)
    other.suspensions.append((2 * MS, 3 * MS))
    alone, beside = Processor([(5, [own])]), Processor([(5, [other])])
    assert alone.stopped_ns(own, 5) == 0
    assert alone.beside([beside]).stopped_ns(own, 5) == 1 * MS
    assert alone.stopped_ns(own, 5) == 0


def test_bounds_across_cpus_are_those_of_libplafond_alone(tmp_path: Path) -> None:
    system = described(tmp_path)
    arrivals = {task.name: [0, 20 * MS] for task in system.tasks}
    traces = {name: simulate(system, "protect", arrivals) for name in ("plafond", "protect")}
    costs = {name: Overheads({Protocol.CEILING: Costs()}) for name in traces}
    bounds = bounds_of(system, traces, costs).of
    expected = {row.task: row.response_bound_ns for row in analyse(system, [Protocol.MPCP]).rows}
    for task in ("first", "beside", "second"):
        assert bounds[task, "plafond"].theory_ns == expected[task]
        assert bounds[task, "protect"].theory_ns is None


def test_a_wait_for_another_cpu_is_no_gap_of_the_host(tmp_path: Path) -> None:
    waits = Activation(0, 0, 0, 5 * MS, waits=[(1 * MS, 4 * MS, 7)])
    ready = Activation(0, 1 * MS, 5 * MS, 6 * MS)
    jobs = [(9, [waits]), (5, [ready])]
    assert Processor(jobs).stops == [(1 * MS, 4 * MS)]
    assert Processor(jobs, across_cpus={7}).stops == []
    assert Processor(jobs, across_cpus={6}).stops == [(1 * MS, 4 * MS)]
