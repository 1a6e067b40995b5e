# SPDX-License-Identifier: MIT
"""`plafond analyse --irqs`: reservations from the interrupt threads of a report."""

import json
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from descriptions import described
from refusal import refusal
from rich.console import Console
from typer.testing import CliRunner

from plafond.cli import app
from plafond.errors import PlafondError
from plafond.kernel_trace.model import Distribution, ThreadKind, ThreadMeasures
from plafond.reserve.model import Proposal, ThreadRows
from plafond.reserve.proposal import Wanted, propose
from plafond.reserve.quantile import together
from plafond.reserve.report import Recorded, read_recorded
from plafond.reserve.source import Source
from plafond.reserve.table import print_proposal

TASK = '[task.t]\npriority = 5\narrival = "periodic 40ms"\nbody = ["run 1ms"]\n'
MS = 1_000_000


def distribution(*counts: tuple[int, int], average_ns: float | None = None) -> Distribution:
    samples = sum(count for _, count in counts)
    total_ns = sum(time_ns * count for time_ns, count in counts)
    return Distribution(
        samples=samples,
        average_ns=total_ns / samples if average_ns is None else average_ns,
        deviation_ns=0.0,
        least_ns=min(time_ns for time_ns, _ in counts),
        most_ns=max(time_ns for time_ns, _ in counts),
        counts=list(counts),
    )


def measured(
    execution: Distribution | None,
    inter_arrival: Distribution | None,
    thread: str = "irq/24-virtio1-input",
    kind: ThreadKind = ThreadKind.INTERRUPT,
    policy: str = "FIFO",
    protocol: str = "plafond",
) -> ThreadMeasures:
    return ThreadMeasures(
        protocol=protocol,
        thread=thread,
        kind=kind,
        irq=24 if kind is ThreadKind.INTERRUPT else None,
        policy=policy,
        priority=50,
        cpus=[0],
        execution=execution,
        inter_arrival=inter_arrival,
        response=execution,
        period_ns=None,
    )


# 1,000 executions: 10 are above 10 us, and a single execution is above 20 us.
EXECUTION = distribution((10_000, 990), (20_000, 9), (50_000, 1))
INTER_ARRIVAL = distribution((200_000, 1), (1_000_000, 999), average_ns=1_000_000)
NET = measured(EXECUTION, INTER_ARRIVAL)


def proposed(
    *threads: ThreadMeasures, pending: int | None = None, source: Source = Source.MAXIMUM
) -> Proposal:
    recorded = Recorded(name="run", target="vm", threads=list(threads))
    return propose(recorded, Wanted(10 * MS, pending, source))


def budgets(rows: ThreadRows) -> dict[Source, int | None]:
    return {row.source: row.budget_ns for row in rows.rows}


def test_the_maximum_takes_the_longest_and_the_least_and_quantiles_the_average() -> None:
    (rows,) = proposed(NET).threads
    assert rows.samples == 1_000
    assert budgets(rows) == {
        Source.MAXIMUM: 2_500_000,  # 50 us in 200 us
        Source.MOST: 200_000,  # 20 us in 1 ms
        Source.MANY: 100_000,
    }
    # At 20 us an interval the longest takes three, and at 10 us five. Nine others then take two.
    assert [row.lost for row in rows.rows] == [0.0, 2 / 1_002, 13 / 1_013]
    assert [row.pending for row in rows.rows] == [38, 10, 10]  # 37.5, 9.8 and 9.9


def test_places_of_a_device_make_a_budget_larger_where_they_are_too_few() -> None:
    """(10 ms - Q) / 200 us < 20 needs more than 6 ms. (10 ms - Q) / 1 ms < 20 holds with any Q."""
    (rows,) = proposed(NET, pending=20).threads
    assert budgets(rows) == {
        Source.MAXIMUM: 6_001_000,
        Source.MOST: 200_000,
        Source.MANY: 100_000,
    }
    assert rows.rows[0].pending == 20


def test_all_runs_of_a_report_count_together() -> None:
    """The longest execution of all runs counts, the shortest interval, and the average of both
    runs."""
    again = measured(
        distribution((40_000, 1_000)), distribution((3_000_000, 1_000)), protocol="inherit"
    )
    (rows,) = proposed(NET, again).threads
    assert rows.samples == 2_000
    assert (rows.rows[0].execution_ns, rows.rows[0].interval_ns) == (50_000, 200_000)
    assert (rows.rows[1].execution_ns, rows.rows[1].interval_ns) == (40_000, 2_000_000)


def test_a_load_above_a_cpu_has_no_reservation_from_the_maximum(tmp_path: Path) -> None:
    """A load of exactly a CPU has a reservation of all of it."""
    burst = measured(distribution((200_001, 100)), distribution((200_000, 99)))
    (rows,) = proposed(burst).threads
    assert rows.rows[0].budget_ns is None
    assert rows.toml.splitlines()[1] == "# no reservation: C/P is 1.00: more than a CPU"
    described(tmp_path, TASK + rows.toml)
    whole = measured(distribution((200_000, 100)), distribution((200_000, 99)))
    assert proposed(whole).threads[0].rows[0].budget_ns == 10 * MS


def test_a_quantile_takes_as_many_samples_as_have_one_beyond_it() -> None:
    few = measured(distribution((10_000, 999)), INTER_ARRIVAL)
    (rows,) = proposed(few, source=Source.MOST).threads
    assert budgets(rows)[Source.MOST] is None
    assert budgets(rows)[Source.MANY] == 100_000
    assert "999 activations, and 99.9% takes 1000" in rows.toml
    fewer = measured(distribution((10_000, 99)), INTER_ARRIVAL)
    assert budgets(proposed(fewer).threads[0])[Source.MANY] is None


def test_too_few_activations_are_refused_by_name() -> None:
    nine = measured(distribution((10_000, 9)), INTER_ARRIVAL)
    proposal = proposed(nine, measured(None, None, thread="irq/9-acpi"))
    assert proposal.threads == ()
    assert "irq/24-virtio1-input: found 9 activations; expected 10 at least" in proposal.notes[-2]
    assert "irq/9-acpi: found 0 activations" in proposal.notes[-1]
    ten = measured(distribution((10_000, 10)), INTER_ARRIVAL)
    assert len(proposed(ten).threads) == 1


def test_a_budget_is_one_that_linux_takes_and_whole_microseconds() -> None:
    idle = measured(distribution((10, 100)), distribution((500 * MS, 99)))
    assert budgets(proposed(idle).threads[0])[Source.MAXIMUM] == 2_000  # 1,024 ns and up
    odd = measured(distribution((10_001, 100)), distribution((1_000_000, 99)))
    assert budgets(proposed(odd).threads[0])[Source.MAXIMUM] == 101_000  # 100,010 ns


def test_the_tables_are_those_of_a_description(tmp_path: Path) -> None:
    """Names are made of any action, each once. The kernel's thread is found by its action."""
    actions = ("virtio1-input", "virtio1 input", "0000:00:1f.2", "a" * 40, "a" * 41)
    threads = [
        measured(EXECUTION, INTER_ARRIVAL, thread=f"irq/{number}-{action}")
        for number, action in enumerate(actions)
    ]
    # Each thread asks for a quarter of a CPU, so five threads need two CPUs.
    text = "\n".join(rows.toml for rows in proposed(*threads).threads)
    system = described(tmp_path, "cpus = 2\n" + TASK + text)
    assert {each.irq for each in system.reservations} == {*actions}
    assert [each.name for each in system.reservations][:3] == [
        "virtio1_input",
        "virtio1_input_2",
        "irq_0000_00_1f_2",
    ]
    assert {(each.budget_ns, each.period_ns) for each in system.reservations} == {
        (2_500_000, 10_000_000)
    }


def test_threads_of_one_action_have_their_whole_names(tmp_path: Path) -> None:
    twins = [measured(EXECUTION, INTER_ARRIVAL, thread=f"irq/{n}-ACPI:Ged") for n in (24, 25)]
    tables = "\n".join(rows.toml for rows in proposed(*twins, NET).threads)
    system = described(tmp_path, TASK + tables)
    assert [(each.name, each.irq) for each in system.reservations] == [
        ("ACPI_Ged", "irq/24-ACPI:Ged"),
        ("ACPI_Ged_2", "irq/25-ACPI:Ged"),
        ("virtio1_input", "virtio1-input"),
    ]


def test_more_than_a_cpu_in_all_is_said() -> None:
    threads = [measured(EXECUTION, INTER_ARRIVAL, thread=f"irq/{n}-eth{n}") for n in range(5)]
    assert proposed(*threads).notes[-1] == "maximum: reservations of 125.0% of a CPU in all"


def test_a_thread_that_had_a_reservation_is_marked() -> None:
    (note,) = (
        note
        for note in proposed(measured(EXECUTION, INTER_ARRIVAL, policy="DEADLINE")).notes
        if "had a reservation" in note
    )
    assert note.startswith("irq/24-virtio1-input")


def test_quantiles_are_the_least_times_of_which_so_many_are_not_longer() -> None:
    times = together([distribution((1, 50), (2, 49), (10, 1))])
    assert times is not None
    shares = [Fraction(1, 2), Fraction(501, 1000), Fraction(99, 100), Fraction(991, 1000)]
    assert [times.quantile_ns(share) for share in shares] == [1, 2, 2, 10]
    assert together([]) is None


def test_what_a_device_loses_that_keeps_none_waiting() -> None:
    """An interrupt comes at each interval, and is lost if another is being served."""
    times = together([distribution((1, 3), (2, 2), (5, 1))])
    assert times is not None
    for served in (Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5)):
        came = lost = 0
        for execution in (1, 1, 1, 2, 2, 5):
            came, left = came + 1, Fraction(execution)
            while (left := left - served) > 0:  # another interrupt comes, and finds it busy
                came, lost = came + 1, lost + 1
        assert times.lost(served) == Fraction(lost, came)
    assert times.lost(Fraction(5)) == 0  # the longest fits, so none is lost
    assert times.lost(Fraction(49, 10)) > 0


def test_a_quantile_is_no_longer_than_the_longest() -> None:
    """The times of a distribution are rounded up."""
    rounded = distribution((1_300, 1)).model_copy(update={"most_ns": 1_234})
    times = together([rounded])
    assert times is not None
    assert times.quantile_ns(Fraction(1)) == 1_234
    assert times.lost(Fraction(1_234)) == 0


def report_with(folder: Path, *threads: ThreadMeasures) -> Path:
    data = Recorded(name="run", target="vm", threads=list(threads))
    (folder / "report.json").write_text(data.model_dump_json())
    return folder


def test_the_command_takes_a_folder_or_its_data(tmp_path: Path) -> None:
    report = report_with(tmp_path, NET, measured(EXECUTION, None, "t", ThreadKind.TASK))
    for place in (report, report / "report.json"):
        result = CliRunner().invoke(app, ["analyse", "--irqs", str(place), "--format", "json"])
        assert result.exit_code == 0
        (thread,) = json.loads(result.stdout)["threads"]
        assert thread["thread"] == "irq/24-virtio1-input"
    shown = CliRunner().invoke(
        app, ["analyse", "--irqs", str(report), "--from", "99%", "--period", "20ms"]
    )
    tables = shown.stdout.partition("[server.")
    table = tomllib.loads(tables[1] + tables[2])["server"]["virtio1_input"]
    assert table == {
        "kind": "reservation",
        "period": "20ms",
        "budget": "200us",
        "irq": "virtio1-input",
    }


def test_the_table_shows_how_many_activations_it_is_from() -> None:
    console = Console(width=140, record=True, highlight=False)
    print_proposal(proposed(NET), console)
    text = " ".join(console.export_text().split())
    assert "irq/24-virtio1-input 1000 maximum 50us 200us 2.5ms 25.00% 38 0.00%" in text
    assert "99.9% 20us 1ms 200us 2.00% 10 0.20%" in text
    assert (
        "- N_c: how many pending interrupts the device must be able to keep, by equation 2" in text
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "nothing to analyse: name a description, or a report with --irqs"),
        (["x.toml", "--irqs", "r"], "--irqs: found it with x.toml; expected one of the two"),
        (["x.toml", "--pending", "3"], "--pending: found no --irqs; expected it"),
        (["x.toml", "--period", "3ms"], "--period: found no --irqs; expected it"),
        (["x.toml", "--from", "99%"], "--from: found no --irqs; expected it"),
        (["--irqs", "r", "--slots"], "--slots: found it with --irqs; expected one of the two"),
        (["--irqs", "r", "--protocol", "none"], "--protocol: found it with --irqs"),
        (["--irqs", "r", "--period", "99us"], "--period: found '99us'; expected 100us to 4.194s"),
        (["--irqs", "r", "--period", "5s"], "--period: found '5s'; expected 100us to 4.194s"),
    ],
)
def test_wrong_arguments_are_named(arguments: list[str], expected: str) -> None:
    assert expected in refusal(["analyse", *arguments])


def test_what_is_no_report_is_named_with_what_is(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    for content, expected in (
        (None, "No such file or directory; expected the folder of a report, or report.json in it"),
        ("{", "found no report: Invalid JSON"),
        ('{"name": "x"}', "found no report: target: Field required"),
        ('{"name": "x", "target": "vm"}', "found no threads in it; expected a run with --irqs"),
    ):
        if content is not None:
            other.write_text(content)
        with pytest.raises(PlafondError, match=r"plafond run FILE --on vm --irqs") as caught:
            read_recorded(other)
        assert str(caught.value).startswith(f"{other}: {expected}")


def test_a_report_without_interrupt_threads_says_which_kernel_has_them(tmp_path: Path) -> None:
    report = report_with(tmp_path, measured(EXECUTION, None, "t", ThreadKind.TASK))
    with pytest.raises(PlafondError, match="found no interrupt threads; expected a kernel that"):
        read_recorded(report)
