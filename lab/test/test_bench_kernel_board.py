# SPDX-License-Identifier: MIT
"""The tables of the papers from the real images, on the emulated board."""

import json
import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest
from patience import HUNG_S

from plafond.bench.kernel.core_counts import LONGER, THERE_AND_BACK
from plafond.bench.kernel.counts import leg_of
from plafond.bench.kernel.mpcp import LOCKS
from plafond.bench.kernel.papers import papers
from plafond.bench.kernel.places import places_of
from plafond.bench.kernel.programs import BUILDS, Build, Program
from plafond.bench.kernel.sections import SECTIONS
from plafond.bench.kernel.variants import COMPARED, LAZY, SCHEDULED, Variant
from plafond.bench.kernel.zuepke import TABLE_II, TABLE_III
from plafond.board.boards import BOARDS
from plafond.programs import build_folder

PREEMPTING = f"{THERE_AND_BACK}-preempting"

pytestmark = [pytest.mark.board, pytest.mark.papers]


def measured() -> dict[str, Any]:
    command = [sys.executable, "-m", "plafond", "bench", "kernel", "--format", "json"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=HUNG_S, check=False)
    if result.returncode != 0:
        pytest.fail(result.stderr.strip(), pytrace=False)
    report: dict[str, Any] = json.loads(result.stdout)
    return report


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    return measured()


@pytest.fixture(scope="module")
def figures(report: dict[str, Any]) -> dict[tuple[str, str], dict[str, int]]:
    return {(row["benchmark"], row["variant"]): row for row in report["rows"]}


def test_two_runs_count_the_same(report: dict[str, Any]) -> None:
    assert measured() == report
    assert report["conditions"]["unequal"] == []


def test_every_cell_of_the_papers_tables_is_there(
    figures: dict[tuple[str, str], dict[str, int]],
) -> None:
    for variant in {*COMPARED, *LAZY}:
        for name in (*TABLE_II.procedures, *TABLE_III.procedures):
            assert figures[name, variant]["instructions"] > 0


# Calls of Table II: ActivateTask; TerminateTask; SetEvent, ClearEvent, WaitEvent.
@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("null-syscall", 1),
        ("schedule", 1),
        ("chain-task", 1),
        ("activate-low", 1),
        ("activate-first", 1),
        ("activate-high", 2),
        ("event-loop", 3),
    ],
)
def test_each_procedure_calls_as_often_as_it_says(
    name: str, calls: int, figures: dict[tuple[str, str], dict[str, int]]
) -> None:
    variants = [build.variant for build in BUILDS if build.program is Program.ZUEPKE]
    assert {figures[name, variant]["system_calls"] for variant in variants} == {calls}


def own_calls(figures: dict[tuple[str, str], dict[str, int]], variant: str) -> dict[str, int]:
    """Return the system calls of the sections of Table III alone."""
    return {
        row.benchmark: figures[row.benchmark, variant]["system_calls"] - row.calls
        for row in TABLE_III.rows
    }


def test_nprio_calls_once_where_a_task_waits_and_never_else(
    figures: dict[tuple[str, str], dict[str, int]],
) -> None:
    calls = own_calls(figures, Variant.UPRIO_NPRIO)
    waited = {"non-nested+medium@T2", "nested+medium@T2", "nested+medium@T3", "nested+between@T3"}

    assert calls == {name: int(name in waited) for name in calls}


def test_nprio_pays_for_that_call_where_a_task_waits_and_for_nothing_else(
    figures: dict[tuple[str, str], dict[str, int]],
) -> None:
    """For nprio the paper's staircase has one step, at the sections for which a task waits."""
    cost = {
        name: figures[name, Variant.UPRIO_NPRIO]["instructions"]
        for name, variant in figures
        if variant == Variant.UPRIO_NPRIO
    }
    for waits, spared in (("medium", "high"), ("between", "high")):
        extra = cost[f"nested+{waits}@T3"] - cost[f"nested+{spared}@T3"]
        assert extra > figures["null-syscall", Variant.UPRIO_NPRIO]["instructions"]
    assert cost["nested+medium@T2"] == cost["nested+medium@T3"] > 1.4 * cost["nested+medium@T1"]
    assert cost["nested+high@T2"] == cost["nested+high@T3"]
    assert cost["nested+low@T2"] == cost["nested+low@T3"]


def test_the_platform_is_the_same_under_every_variant(
    report: dict[str, Any], figures: dict[tuple[str, str], dict[str, int]]
) -> None:
    """Section IV.B: "the different protocols have no impact on platform performance"."""
    for platform in papers()["zuepke-2-platform"].rows:
        name = platform.benchmark
        counts = {row["instructions"] for row in report["rows"] if row["benchmark"] == name}
        assert len(counts) == 1
        assert figures[name, Variant.SYSCALL]["system_calls"] == 0
        # `nops`: decrement and branch. `calls`: call, return and a loop. Others: a load or store,
        # and a loop, for 256 words.
        assert counts.pop() >= {"nops": 2, "calls": 4}.get(name, 256 * 4) * platform.times


def test_compiled_for_size_there_are_as_many_calls(
    report: dict[str, Any], figures: dict[tuple[str, str], dict[str, int]]
) -> None:
    small = {(row["benchmark"], row["variant"]): row for row in report["small_rows"]}
    assert {variant for _, variant in small} == set(COMPARED)
    for key, row in small.items():
        assert row["system_calls"] == figures[key]["system_calls"]
    differing = [key for key, row in small.items() if row != figures[key]]
    assert len(differing) > len(small) / 2


@pytest.mark.parametrize("variant", [Variant.UPRIO_KPRIO, Variant.UPRIO_KPRIO_LAZY])
def test_kprio_calls_once_for_each_level_left_that_the_kernel_saw(
    variant: Variant, figures: dict[tuple[str, str], dict[str, int]]
) -> None:
    levels = {"T*": 0, "T1": 0, "T2": 1, "T3": 2}

    assert own_calls(figures, variant) == {row.benchmark: levels[row.at] for row in TABLE_III.rows}


def test_each_system_call_of_table_i_is_one_under_both_schedulers(
    figures: dict[tuple[str, str], dict[str, int]],
) -> None:
    calls = {"lock": (1, 0), "unlock": (1, 0), "unlock-contended": (1, 1)}
    pairs = (("syscall", "lazy-ceiling"), ("deadline-floor", "lazy-floor"))
    for pair in pairs:
        found = {
            name: tuple(figures[name, variant]["system_calls"] for variant in pair)
            for name in calls
        }
        assert found == calls


def test_the_lazy_forms_call_only_where_that_changes_the_urgency(
    figures: dict[tuple[str, str], dict[str, int]],
) -> None:
    """The section calls once if it was raised, and again if an inner, higher ceiling raised it."""
    for variant in (Variant.LAZY_CEILING, Variant.LAZY_FLOOR):
        for section in SECTIONS:
            activation = {"": 0, "low": 1, "above": 2}[section.arrival]
            raised = section.arrival == "above" and section.ceiling != "own"
            higher = raised and (section.at, section.ceiling) == ("inner", "higher")
            found = figures[section.name, variant]["system_calls"] - activation
            assert (section.name, found) == (section.name, raised + higher)


def test_once_raised_the_papers_scheme_calls_until_the_outermost_section_ends(
    figures: dict[tuple[str, str], dict[str, int]],
) -> None:
    for section in SECTIONS:
        activation = {"": 0, "low": 1, "above": 2}[section.arrival]
        entered_before = section.at == "inner"
        own = bool(section.arrival) * (1 + 2 * section.inner - entered_before)
        found = figures[section.name, Variant.LAZY_CEILING_SIMPLE]["system_calls"] - activation
        assert (section.name, found) == (section.name, own)


def test_the_ready_queue_of_edf_grows_with_the_logarithm(report: dict[str, Any]) -> None:
    """From 3 on, each row has twice as many ready tasks plus 1, so the steps must not grow."""
    edf = [row for row in report["ready"] if row["scheduler"] == "edf" and row["ready"] >= 3]
    for order in ("rising", "falling"):
        for what in ("queued", "preempting", "dispatched"):
            counts = [row[what] for row in edf if row["order"] == order]
            steps = [after - before for before, after in pairwise(counts)]
            assert all(after <= before for before, after in pairwise(steps))
    fixed = [row for row in report["ready"] if row["scheduler"] == "priority"]
    for what in ("queued", "preempting"):
        assert len({row[what] for row in fixed}) == 1


def across(report: dict[str, Any], transition: str) -> list[dict[str, int]]:
    """Return the figures of a row of two cores under each variant. Several rows may have one
    name."""
    return [
        row["instructions"] for row in report["across_cores"] if row["transition"] == transition
    ]


def test_a_way_to_another_core_and_back_is_two_calls_and_the_sum_of_three_legs(
    report: dict[str, Any], figures: dict[tuple[str, str], dict[str, int]]
) -> None:
    for variant in SCHEDULED:
        for name in (THERE_AND_BACK, LONGER, PREEMPTING):
            legs = [figures[leg_of(name, number), variant] for number in range(3)]
            assert [leg["system_calls"] for leg in legs] == [1, 1, 0]
            assert figures[name, variant]["system_calls"] == 2
            assert figures[name, variant]["instructions"] == sum(
                leg["instructions"] for leg in legs
            )
        longer = figures[LONGER, variant]["instructions"]
        assert longer - figures[THERE_AND_BACK, variant]["instructions"] == 1000


def test_to_preempt_is_dearer_than_to_wake_an_idle_core(
    figures: dict[tuple[str, str], dict[str, int]],
) -> None:
    """The signal is given at the same place, but to preempt saves the registers of a task."""
    for variant in SCHEDULED:
        for number, is_dearer in enumerate((False, True, True)):
            idle, preempting = (
                figures[leg_of(name, number), variant]["instructions"]
                for name in (THERE_AND_BACK, PREEMPTING)
            )
            assert (preempting > idle) is is_dearer


def test_only_by_software_a_task_pays_for_less_urgent_ones(report: dict[str, Any]) -> None:
    for words in ("another core activates below it", "an interrupt activates below it"):
        (row,) = across(report, words)
        assert {variant for variant, cost in row.items() if cost} == {"syscall", "uprio-nprio"}


def test_a_system_that_grows_is_not_slower(report: dict[str, Any]) -> None:
    """A system of five tasks may differ by an instruction, because the compiler's way to the core's
    block differs."""
    for scheduler in ("priority", "hardware"):
        rows = [row for row in report["growth"] if row["scheduler"] == scheduler]
        assert [row["tasks"] for row in rows] == [5, 10, 50, 250]
        for what in ("activated", "started", "next_started", "started_there"):
            smallest, *others = (row[what] for row in rows)
            assert len(set(others)) == 1
            assert abs(others[0] - smallest) <= 1


MPCP = {Variant.UPRIO_NPRIO, Variant.HARDWARE_UPRIO_KPRIO, Variant.HARDWARE_LAZY_CEILING}


def test_mpcp_calls_where_another_task_has_a_part_and_never_else(
    figures: dict[tuple[str, str], dict[str, int]],
) -> None:
    """A lone release may call, because the null call before it shows the section to uprio-kprio."""
    for variant in SCHEDULED:
        calls = {name: figures[name, variant]["system_calls"] for name in LOCKS.procedures}
        is_seen = variant is Variant.HARDWARE_UPRIO_KPRIO
        assert calls == {
            **dict.fromkeys(LOCKS.procedures, 1),
            "get-global": int(variant not in MPCP),
            "release-global": int(variant not in MPCP or is_seen),
            "section-global": 0 if variant in MPCP else 2,
        }


def test_a_spinlock_that_no_other_task_wants_is_without_system_calls(
    report: dict[str, Any],
) -> None:
    assert [row["protocol"] for row in report["spinlocks"]] == [
        "spin-unordered",
        "msrp",
        "spin-priority",
    ]
    assert {row["system_calls"] for row in report["spinlocks"]} == {0}


def test_a_section_of_a_server_costs_what_any_does_and_others_alarms_cost_nothing(
    report: dict[str, Any],
) -> None:
    rows = {row["transition"]: row["instructions"] for row in report["servers"]}
    assert rows["GetResource + ReleaseResource"]["uprio-nprio"] == 12
    assert set(rows["an alarm of a less urgent one"].values()) == {0}
    local = rows["ActivateTask in the same server, it runs"]
    for variant, switch in rows["of that the switch of servers"].items():
        above = rows["ActivateTask in a more urgent one, it runs"][variant]
        assert local[variant] + switch == above > local[variant]


def test_a_section_of_several_servers_calls_only_where_it_has_to(report: dict[str, Any]) -> None:
    rows = {row["event"]: row for row in report["sharing"]}
    pair = rows["GetResource + ReleaseResource, overrun"]
    skipping = rows["the same, skip: the budget suffices"]
    assert pair["calls"] == skipping["calls"] == 0
    for lazy in ("uprio-nprio", "lazy-ceiling"):
        assert pair["instructions"][lazy] == 22
        assert pair["instructions"][lazy] < skipping["instructions"][lazy]
        assert skipping["instructions"][lazy] < pair["instructions"]["syscall"]
    kept_out = rows["ReleaseResource lets in a server that was kept out"]
    ends = rows["ReleaseResource ends it, the next server runs"]
    for variant, count in kept_out["instructions"].items():
        assert rows["an overrun begins"]["instructions"][variant] < count
        assert count < ends["instructions"][variant]


def test_a_resource_with_more_users_is_not_slower(report: dict[str, Any]) -> None:
    """Under the hardware scheduler, two users on a core have a ring, but a single user has none."""
    for scheduler in ("priority", "hardware"):
        rows = [row for row in report["users"] if row["scheduler"] == scheduler]
        assert [row["users"] for row in rows] == [2, 8, 64]
        for what in ("get", "release"):
            assert len({row[what] for row in rows}) == 1
        two, eight, most = (row["release_to_there"] for row in rows)
        assert eight == most
        assert (two == eight) is (scheduler == "priority")


def test_the_places_of_an_image_are_those_of_its_symbols() -> None:
    image = build_folder() / "kernel" / f"bench-{Build(Program.CORES, Variant.SYSCALL)}" / "image"
    listing = subprocess.run(
        [f"{BOARDS['a53'].prefix}objdump", "-d", "--no-show-raw-insn", image],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = {
        what: {int(line.split(":")[0], 16) for line in listing.splitlines() if what in line}
        for what in ("\twfi", ", cntvct_el0")
    }
    places = places_of(image)

    assert places.waits == found["\twfi"] != set()
    assert places.readings == found[", cntvct_el0"] != set()


def test_the_figures_to_reach_of_the_protocols_are_reached(report: dict[str, Any]) -> None:
    reached = {target["name"]: target["reached"] for target in report["targets"]}

    assert reached["GetResource + ReleaseResource, uprio-nprio"]
    assert reached["the same nested, two of each"]
    assert reached["GetResource + ReleaseResource, lazy-ceiling"]
    assert reached["GetResource + ReleaseResource, lazy-floor"]
    assert reached["null system call, syscall"]
    assert reached["null system call, uprio-nprio less syscall"]
    assert reached["Table III, uprio-nprio less syscall, the worst row"]
    assert reached["bytes of a task control block"]
    for variant in ("uprio-nprio", "hardware-lazy-ceiling"):
        assert reached[f"Get, no blocking, {variant}"]
        assert reached[f"Release, no dispatch, {variant}"]


def test_nothing_of_the_measuring_is_in_front_of_the_first_reading(report: dict[str, Any]) -> None:
    image = build_folder() / "kernel" / f"bench-{BUILDS[0]}" / "image"
    for function in ("plf_task_FIRST", "plf_task_CHAIN", "arrive_at_once"):
        listing = subprocess.run(
            [f"{BOARDS['a53'].prefix}objdump", "-d", f"--disassemble={function}", image],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        first = listing.partition(f"<{function}>:\n")[2].splitlines()[0]
        assert "cntvct_el0" in first
