# SPDX-License-Identifier: MIT
"""Two objects of each kind in the terms of bounds: both must count."""

from dataclasses import replace
from pathlib import Path

from descriptions import described
from report_fakes import carminati
from test_analyse_sharing import analysed, section, server, task, within
from test_verdicts import alone, bound_of, judged

from plafond.analyse.across import Sharing
from plafond.analyse.blocking import inheritance_reach
from plafond.analyse.holding import Holding, Surroundings
from plafond.analyse.in_server import jobs_in_two_periods
from plafond.analyse.inflate import background_of
from plafond.analyse.overheads import Costs, Overheads
from plafond.analyse.window import Arrivals, Background, Effort
from plafond.describe import System
from plafond.describe.holds import hold_of_ns, longest_hold_ns
from plafond.describe.server import Server, ServerKind
from plafond.describe.system import Resource
from plafond.protocols import Protocol
from plafond.run.bounds import bounds_of
from plafond.run.stops import not_judged_notes

MS = 1_000_000


def system_of(folder: Path, *tasks: tuple[str, int, int, str], resources: str = "") -> System:
    tables = (
        f'[task.{name}]\ncpu = {cpu}\npriority = {priority}\narrival = "periodic 100ms"\n'
        f"body = [{body}]\n"
        for name, cpu, priority, body in tasks
    )
    named = (f"[resource.{name}]\n" for name in resources)
    return described(folder, "cpus = 3\n" + "".join([*tables, *named]))


def locks(*names: str) -> str:
    steps = [*(f'"lock {name}"' for name in names), '"run 1ms"']
    return ", ".join([*steps, *(f'"unlock {name}"' for name in reversed(names))])


def test_a_priority_is_inherited_over_several_nestings(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        ("first", 0, 9, locks("A", "B")),
        ("second", 0, 5, locks("B", "C")),
        ("third", 0, 1, locks("C", "D")),
        resources="ABCD",
    )
    assert inheritance_reach(system) == dict.fromkeys("ABCD", 9)


def test_all_wake_ups_of_all_less_urgent_tasks_interrupt(tmp_path: Path) -> None:
    """Each less urgent task has the arrival and the sleeps of a job, and the sleeps of a job
    before."""
    system = system_of(
        tmp_path,
        ("own", 0, 9, '"run 1ms"'),
        ("twice", 0, 5, '"run 1ms", "sleep 1ms", "run 1ms", "sleep 1ms", "run 1ms"'),
        ("once", 0, 1, '"run 1ms", "sleep 1ms", "run 1ms"'),
    )
    own, twice, once = system.tasks
    late = replace(system, tasks=(own, twice.changed(jitter_ns=7), once))
    overheads = Overheads({Protocol.CEILING: Costs(interrupt_ns=10)})
    found = background_of(late, (own,), 0, Protocol.CEILING, overheads)
    assert found.wake_ups == (Arrivals(100 * MS, 3 * 10, 7), Arrivals(100 * MS, 2 * 10, 0))
    assert found.carried_ns == (2 + 1) * 10


def test_each_other_task_that_requests_can_be_granted_while_one_is_inside(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        ("own", 0, 9, locks("G")),
        ("other", 0, 5, locks("G")),
        ("third", 0, 4, locks("H")),
        ("none", 0, 3, '"run 1ms"'),
        ("remote", 1, 5, f"{locks('G')}, {locks('H')}"),
        resources="GH",
    )
    effort = Effort()
    effort.begin_row()
    around = Surroundings(lambda *_: Background(), piece_ns=5, grant_ns=100)
    holding = Holding(Sharing(system), around, effort)
    own, other, *_ = system.tasks_on(0)
    assert holding.alone_ns(own, "G") == holding.alone_ns(other, "G") == MS + 5 + 2 * 100
    assert holding.alone_ns(system.tasks_on(1)[0], "H") == MS + 5


def test_two_servers_that_pay_back_are_late_by_both_overruns(tmp_path: Path) -> None:
    """b: the budgets and X of a and b, and the hold of c. c: its budget, and the budgets and X of a
    and b."""
    report = analysed(
        tmp_path,
        server("a", 3, 200, 20, "overrun-payback"),
        server("b", 2, 200, 20, "overrun-payback"),
        server("c", 1, 400, 40, "skip"),
        task("ta", "a", section(5)),
        task("tb", "b", section(6)),
        task("tc", "c", section(7)),
    )
    a, b = 20 + 5, 20 + 6
    assert within(report) == {"a": a + 7, "b": b + a + 7, "c": 40 + a + b}


def test_many_jobs_come_in_two_periods(tmp_path: Path) -> None:
    (above,) = system_of(tmp_path, ("above", 0, 9, '"run 1ms"')).tasks
    for period_ms, jobs in ((49, 1), (50, 1), (51, 2), (100, 2), (101, 3), (201, 5)):
        some = Server.made(
            "s", kind=ServerKind.IDLING, priority=1, period_ns=period_ms * MS, budget_ns=MS
        )
        assert jobs_in_two_periods(some, above) == jobs


def test_a_run_step_may_be_longer_by_the_longest_turn_of_all_cpus() -> None:
    execution = carminati()
    costs = {"plafond": Overheads({Protocol.CEILING: Costs()})}
    (cpu,) = execution.traces["plafond"].cpus

    def response_ns(*turns_ns: int | None) -> int | None:
        cpus = [cpu.model_copy(update={"turn_ns": each}) for each in turns_ns]
        traces = {"plafond": execution.traces["plafond"].model_copy(update={"cpus": cpus})}
        return bounds_of(execution.system, traces, costs).of["T0", "plafond"].response_ns

    longest = response_ns(500)
    assert longest != response_ns(100)
    assert {response_ns(*turns) for turns in ((100, 500, 200), (500, None), (None, 500))} == {
        longest
    }


def test_each_protocol_that_was_not_judged_has_a_line() -> None:
    row = judged(bound_of(80), alone(100, (30, 50)))
    quiet = judged(bound_of(100), alone(100)).model_copy(update={"activations": 99})
    rows = [
        each.model_copy(update={"protocol": protocol})
        for protocol in ("one", "other")
        for each in (quiet, row)
    ]
    assert [note.split(" of 100 ")[0] for note in not_judged_notes(rows)] == [
        "not judged: under one 1",
        "not judged: under other 1",
    ]


def test_each_cpu_that_shares_with_one_is_beside_it(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        ("own", 0, 9, f"{locks('G')}, {locks('H')}"),
        ("other", 1, 5, locks("G")),
        ("third", 2, 4, locks("H")),
        resources="GH",
    )
    assert system.cpus_beside(0) == (0, 1, 2)
    assert system.cpus_beside(2) == (2, 0)


def test_what_may_be_locked_inside_a_spinlock_is_the_whole_chain() -> None:
    chain = [("A", "B"), ("B", "C"), ("C", None), ("D", None)]
    resources = tuple(Resource.made(name, successor=inner) for name, inner in chain)
    system = System("chain", 1, 1, (), resources)
    assert [system.successors_of(name) for name, _ in chain] == [("B", "C"), ("C",), (), ()]


def test_shared_resources_that_nest_are_held_from_the_first_to_the_last(tmp_path: Path) -> None:
    nested = (
        '"lock R", "run 3us", "lock S", "run 4us", "unlock S", "run 2us", "unlock R", "run 9us", '
        + section(1, "S")
    )
    text = (
        server("a", 2, 100, 20, "skip"),
        server("b", 1, 100, 20, "skip"),
        task("ta", "a", f"{section(1)}, {section(1, 'S')}"),
        task("tb", "b", nested),
        "[resource.R]\n[resource.S]\n",
    )
    system = described(tmp_path, "".join(text))
    (_, holder), (r, s) = system.servers, system.resources
    assert [hold_of_ns(system, holder, each) for each in (r, s)] == [9_000, 9_000]


def test_a_hold_that_is_not_known_leaves_the_longest_unknown(tmp_path: Path) -> None:
    """The hold of S is unknown: `above`, which `other` activates, can preempt. R has its
    ceiling."""
    text = (
        server("a", 2, 100, 20, "skip"),
        server("b", 1, 100, 20, "skip", hold=15),
        task("ta", "a", f"{section(1)}, {section(1, 'S')}"),
        task("above", "b", section(2), priority=3).replace("sporadic 1000us", "sporadic 900us"),
        task("tb", "b", section(3, "S")),
        '[task.other]\nserver = "b"\npriority = 1\narrival = "sporadic 5ms"\n'
        'body = ["run 1us", "activate above"]\n[resource.R]\n[resource.S]\n',
    )
    system = described(tmp_path, "".join(text))
    holder, (r, s) = system.servers[1], system.resources
    assert (hold_of_ns(system, holder, r), hold_of_ns(system, holder, s)) == (2_000, None)
    assert longest_hold_ns(system, holder) is None


def test_the_longest_hold_is_of_any_user_of_any_resource(tmp_path: Path) -> None:
    """Among three users and three resources, the longest hold is that of the second pair."""
    text = (
        server("a", 2, 100, 40, "skip"),
        server("b", 1, 100, 40, "skip"),
        task("ta", "a", ", ".join(section(1, name) for name in "RST")),
        *(
            task(f"t{name}", "b", body, priority=priority)
            for priority, (name, body) in enumerate(
                (
                    ("1", f"{section(3)}, {section(2, 'S')}, {section(4, 'T')}"),
                    ("2", f"{section(5)}, {section(9, 'S')}, {section(2, 'T')}"),
                    ("3", f"{section(4)}, {section(6, 'S')}, {section(3, 'T')}"),
                ),
                start=1,
            )
        ),
        "".join(f"[resource.{name}]\n" for name in "RST"),
    )
    system = described(tmp_path, "".join(text))
    holder = system.servers[1]
    holds = [hold_of_ns(system, holder, each) for each in system.resources]
    assert holds == [5_000, 9_000, 4_000]
    assert longest_hold_ns(system, holder) == 9_000
