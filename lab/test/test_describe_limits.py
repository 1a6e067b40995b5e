# SPDX-License-Identifier: MIT
"""Values at the limits of a description: the last accepted and the first refused value."""

from fractions import Fraction
from pathlib import Path

import pytest
from descriptions import described, mistakes

from plafond.describe.draw import load_study
from plafond.describe.problems import DescriptionError
from plafond.describe.study import Case, Variable
from plafond.describe.vary import MOST_POINTS, cases_of, parse_vary

TASK = '[task.t]\npriority = 5\narrival = "periodic 10ms"\nbody = ["run 1ms"]\n'
IN_SERVER = TASK + 'server = "s"\n[server.s]\nperiod = "20ms"\n'
IDLING = IN_SERVER + 'kind = "idling"\npriority = 1\n'
IRQ = TASK + '[server.s]\nkind = "reservation"\nirq = "x"\nperiod = "20ms"\n'
TWO = '[server.{}]\nkind = "idling"\npriority = {}\nperiod = "20ms"\nbudget = "10ms"\n'
PAIR = IDLING + 'budget = "{}"\n' + TWO.format("other", 2) + TASK.replace(
    "task.t]", 'task.u]\nserver = "other"'
)  # fmt: skip
RESERVED = IN_SERVER + 'kind = "reservation"\n'
SLOTS = IN_SERVER + 'kind = "slot"\nbudget = "10ms"\n[server.next]\nkind = "slot"\n'
AGAIN = TASK.replace("task.t]", 'task.u]\nserver = "next"')
LOCKS = TASK.replace('"run 1ms"', '"lock R", "run 1ms", "unlock R"') + "[resource.R]\n"
EDF = 'scheduler = "edf"\n' + LOCKS.replace("priority = 5", 'deadline = "8ms"\njitter = "2ms"')
TABLE = (
    'scheduler = "priority"\n[counter.C]\nhighest = 100\nmin_cycle = 2\ntick = "1ms"\n'
    '[task.t]\npriority = 5\nbody = ["run 1ms"]\n[schedule_table.A]\ncounter = "C"\n'
    "duration = {}\npoints = [{}]\n"
)
POINT = '{{ at = {}, do = ["activate t"] }}'


def table(duration: int, *points: str) -> str:
    return TABLE.format(duration, ", ".join(map(POINT.format, points)))


@pytest.mark.parametrize(
    ("text", "kept", "refused", "expected"),
    [
        (IDLING + 'budget = "{}"\n', "20ms", "20001us", "server.s.budget: found 20.001ms"),
        (PAIR, "10ms", "10001us", "server: found budgets of 100.005% of CPU 0: s, other"),
        (IRQ + 'budget = "{}"\n', "20ms", "20001us", "server.s.budget: found 20.001ms"),
        (
            RESERVED + 'budget = "{}"\n',
            *("19ms", "19001us", "server: found reservations of 95.005% of"),
        ),
        (
            SLOTS + 'period = "20ms"\nbudget = "{}"\n' + AGAIN,
            *("10ms", "10001us", "server.next.budget: found an end at 20.001ms"),
        ),
        (
            SLOTS + 'period = "20ms"\nbudget = "5ms"\nstart = "{}"\n' + AGAIN,
            *("10ms", "9999us", "server.next.start: found 9.999ms; expected from 10ms on"),
        ),
        (TASK + 'jitter = "{}"\n', "9999us", "10ms", "task.t.jitter: found 10ms"),
        (TASK + 'deadline = "3ms"\njitter = "{}"\n', "2999us", "3ms", "task.t.jitter: found 3ms"),
        (LOCKS + "ceiling = {}\n", "5", "4", "resource.R.ceiling: found 4; expected at least 5"),
        (LOCKS + "ceiling = {}\n", "98", "99", "resource.R.ceiling: found 99; expected at most 98"),
        (EDF + 'floor = "{}"\n', "6ms", "6000001ns", "resource.R.floor: found 6.000001ms;"),
        (table(100, "{}", "100"), "98", "99", "schedule_table.A.points[1].at: found 100"),
        (table(102, "2", "{}"), "102", "103", "schedule_table.A.points[1].at: found 103"),
        (table(100, "{}"), "100", "101", "schedule_table.A.points[0].at: found 101"),
        (table(100, "{}"), "2", "1", "schedule_table.A.points[0].at: found 1"),
    ],
)
def test_the_last_value_is_read_and_the_next_one_is_refused(
    tmp_path: Path, text: str, kept: str, refused: str, expected: str
) -> None:
    described(tmp_path, text.replace("{}", kept))
    assert any(expected in line for line in mistakes(tmp_path, text.replace("{}", refused)))


@pytest.mark.parametrize(("cpus", "budget", "is_read"), [(1, 10, True), (1, 11, False), (2, 20, 1)])
def test_reservations_may_have_all_cpus(
    tmp_path: Path, cpus: int, budget: int, is_read: bool
) -> None:
    pair = IRQ + f'budget = "{budget}ms"\n' + IRQ.removeprefix(TASK).replace('"x"', '"y"')
    text = f"cpus = {cpus}\n" + pair.replace("[server.s]", "[server.u]", 1)
    text += f'budget = "{budget}ms"\n'
    if is_read:
        assert len(described(tmp_path, text).reservations) == 2
    else:
        assert "found reservations of 110.0% of a CPU: u, s" in mistakes(tmp_path, text)[0]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("share 0.5 0.5 0.1", [Fraction(1, 2)]),
        ("share 0.5 1 0.5", [Fraction(1, 2), 1]),
        ("cache 0us 10us 5us", [0, 5_000, 10_000]),
        ("cache 0us 9us 5us", [0, 5_000]),
        ("section 10us 40us x2", [10_000, 20_000, 40_000]),
        ("section 10us 39us x2", [10_000, 20_000]),
        ("section 10us 10us x2", [10_000]),
    ],
)
def test_a_variable_has_its_last_value_if_a_step_ends_there(
    text: str, values: list[int | Fraction]
) -> None:
    (varied,) = parse_vary(text)
    assert list(varied.values) == values


def test_the_second_variable_is_the_quickest() -> None:
    varied = parse_vary(["share 0.1 0.2 0.1", "overhead 1us 2us 1us"])
    assert [each.variable for each in varied] == [Variable.SHARE, Variable.OVERHEAD]
    assert cases_of(varied) == tuple(
        Case(overhead_ns=time_ns, share=Fraction(tenths, 10))
        for tenths in (1, 2)
        for time_ns in (1_000, 2_000)
    )


def test_points_are_counted_over_both_variables() -> None:
    assert len(parse_vary(f"cache 1ns {MOST_POINTS}ns 1ns")[0].values) == MOST_POINTS
    assert len(cases_of(parse_vary(["cache 1ns 100ns 1ns", "share 0.01 1 0.01"]))) == MOST_POINTS
    for value in (
        f"cache 0us {MOST_POINTS}ns 1ns",
        ["cache 0us 100ns 1ns", "share 0.01 1 0.01"],
        ["cache 1us 2us 1us", "share 0.1 0.2 0.1", "section 1us 2us 1us"],
    ):
        with pytest.raises(ValueError, match="from, to and step, or two of these"):
            parse_vary(value)


STUDY = """\
cpus = 2
scheduler = "edf"
[draw]
sets = 1
utilisation = [{}, {}, 1]
task_utilisation = "uniform {} {}"
interval = "uniform {} 20ms"
compare = ["global"]
deadlines = "soft"
"""


@pytest.mark.parametrize(
    ("kept", "refused", "expected"),
    [
        ((1, 2, 0.1, 0.9, "10ms"), (1, 3, 0.1, 0.9, "10ms"), "draw.utilisation: found up to 3"),
        ((1, 2, 0.1, 1, "10ms"), (0.9, 2, 0.1, 1, "10ms"), "draw.utilisation: found from 0.9"),
        (
            (1, 2, 0.001, 0.003, "10ms"),
            (1, 2, 0.001, 0.002, "10ms"),
            "draw.task_utilisation: found sets of about 1333 tasks; expected up to 1000",
        ),
        (
            (1, 2, 0.1, 0.9, "10ns"),
            (1, 2, 0.1, 0.9, "9ns"),
            "draw.interval: found runs below 1ns",
        ),
    ],
)
def test_studies_have_limits_too(
    tmp_path: Path, kept: tuple[object, ...], refused: tuple[object, ...], expected: str
) -> None:
    file = tmp_path / "study.toml"
    file.write_text(STUDY.format(*kept))
    assert load_study(file).sets == 1
    file.write_text(STUDY.format(*refused))
    with pytest.raises(DescriptionError) as caught:
        load_study(file)
    assert expected in str(caught.value)
