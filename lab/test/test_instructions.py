# SPDX-License-Identifier: MIT
"""`plafond bench instructions`: the report from made-up figures."""

import io

import pytest
from rich.console import Console

from plafond.bench.instructions.model import Figure, InstructionsReport, Loaded, Output
from plafond.bench.instructions.report import ARRIVALS, AT_CEILING, STATES, make_report
from plafond.bench.instructions.table import print_report
from plafond.vm.guest import Guest, KernelLine, Processor

CONDITIONS = {
    "kernel": "6.0",
    "libc": "glibc 2.36",
    "compiler": "12",
    "flags": "-O2",
    "priority": 10,
    "arrival_priority": 20,
    "ceiling": 30,
    "samples": 51,
}
PAIRS = {"none": 60, "inherit": 129, "plafond-strict": 27, "plafond": 44, "protect": 4000}
DROP_IN_PAIRS = {"none": 67, "inherit": 136, "protect": 60, "protect-shared": 131}
MODULE_PAIRS = {"plafond-module-strict": 14, "plafond-module": 20}
SCENES = [arrival + suffix for arrival in ARRIVALS for suffix in ("", AT_CEILING)]


def figure(group: str, lock: str, scene: str, count: float) -> Figure:
    return Figure(
        group=group,
        lock=lock,
        scene=scene,
        least=count,
        median=count,
        most=count + 100,
        mean=count + 1,
        same=40,
    )


def calls(lock: str, lock_cost: float, yield_in_section: float) -> list[Figure]:
    costs = {
        "lock": lock_cost,
        "unlock": lock_cost,
        "unlock-contended": 2000,
        "yield": 800,
        "yield-in-section": yield_in_section,
    }
    return [figure("call", lock, call, cost) for call, cost in costs.items()]


def pairs(of: dict[str, int]) -> list[Figure]:
    return [
        figure("pair", lock, scene, cost * times)
        for lock, cost in of.items()
        for scene, times in (("flat", 1), ("nested", 3))
    ]


def preempted(of: dict[str, int]) -> list[Figure]:
    return [
        figure("preempted", lock, scene, cost).model_copy(update={"switches": 2, "inside": False})
        for lock, cost in of.items()
        for scene in SCENES
    ]


@pytest.fixture
def outputs() -> dict[Loaded, Output]:
    stock = [
        *pairs(PAIRS),
        *calls("protect", 2000, 800),
        figure("system", "", "dummy", 300),
        figure("system", "", "raise", 1900),
        *preempted({"no-lock": 6000, "protect": 10500}),
        figure("schedule", "", "none-registered", 4001),
    ]
    module = [
        *(figure("schedule", "", state, 4081 + i) for i, state in enumerate(STATES)),
        *pairs(MODULE_PAIRS),
        *calls("plafond-module-strict", 8, 3800),
        *calls("plafond-module", 12, 3800),
        *preempted({"no-lock": 6100, "plafond-module-strict": 9900, "plafond-module": 10001}),
    ]
    drop_in = calls("protect", 30, 3800)
    driver = [
        figure("kernel", mutex, scene, cost)
        for mutex, cost in (("empty-call", 6), ("rt-mutex", 40), ("immpc", 18.5))
        for scene in ("flat", "nested")
    ]
    parts = {
        Loaded.NOTHING: stock,
        Loaded.FRAMES: [figure("drop-in", lock, "flat", n) for lock, n in DROP_IN_PAIRS.items()],
        Loaded.MODULE: module,
        Loaded.DROP_IN: drop_in,
        Loaded.DRIVER: driver,
    }
    return {
        loaded: Output.model_validate({"conditions": CONDITIONS, "figures": figures})
        for loaded, figures in parts.items()
    }


@pytest.fixture
def report(outputs: dict[Loaded, Output]) -> InstructionsReport:
    return make_report(outputs, Guest())


def test_a_preempted_section_is_less_the_scene_without_lock_and_module(
    report: InstructionsReport,
) -> None:
    ways = {row.lock: row for row in report.ways}

    assert ways["protect"].passes_by == 4500
    assert ways["plafond-module-strict"].passes_by == 3900
    assert ways["none"].passes_by is None


def test_the_drop_in_stands_beside_plain_glibc(report: InstructionsReport) -> None:
    assert [(row.mutex, row.plain, row.preloaded) for row in report.drop_in] == [
        ("none", 60, 67),
        ("inherit", 129, 136),
        ("protect", 4000, 60),
        ("protect-shared", 4000, 131),
    ]
    verdicts = {target.name: target.reached for target in report.targets}
    assert verdicts["drop-in, protect, pair"] is True
    assert verdicts["drop-in, protect-shared, pair"] is False


def test_only_the_module_costs_others_and_by_the_pass(report: InstructionsReport) -> None:
    assert {row.lock: row.schedule for row in report.ways} == {
        "none": 0,
        "inherit": 0,
        "plafond-strict": 0,
        "plafond": 0,
        "protect": 0,
        "plafond-module-strict": 40.5,
        "plafond-module": 40.5,
    }
    assert [row.added for row in report.schedule] == [0, 40, 40.5, 41]


def test_the_saving_is_reckoned_as_in_the_paper_and_as_it_is(report: InstructionsReport) -> None:
    savings = {row.what: row for row in report.savings}
    as_in_paper = savings["lock, and sched_setparam's kernel part (the paper's 86 %)"]

    assert as_in_paper.paper == pytest.approx(0.86, abs=0.005)
    # The mean of each call is 1 more than its least count, because Table I has means.
    assert as_in_paper.strict == pytest.approx(1 - (9 + 1600) / 2001)
    assert as_in_paper.robust == pytest.approx(1 - (13 + 1600) / 2001)
    assert as_in_paper.drop_in == pytest.approx(1 - (31 + 1600) / 2001)
    assert savings["lock, and the raise as it is"].strict == pytest.approx(1 - (9 + 3000) / 2001)


def test_table_i_has_the_drop_in_beside_the_mutexes_of_the_paper(
    report: InstructionsReport,
) -> None:
    rows = {(row.version, row.function): row for row in report.functions}
    standard = rows["glibc, PRIO_PROTECT", "lock"]
    drop_in = rows["lazy, drop-in", "lock"]
    assert (standard.instructions, standard.paper_ns) == (2001, 63389)
    assert (drop_in.instructions, drop_in.paper_ns) == (31, 1979)


def test_each_figure_to_reach_is_judged(report: InstructionsReport) -> None:
    reached = {target.name: target.reached for target in report.targets}

    assert reached["immpc, pair"] is False
    assert reached["plafond-module-strict, pair"] is True
    assert reached["plafond-module-strict, arrival below the ceiling"] is True
    assert reached["plafond-module, arrival at the ceiling"] is False
    assert reached["added to each __schedule of others"] is True
    assert reached["arrivals that work in a section, module"] is True
    assert reached["protect / plafond-module-strict, pair"] is None


@pytest.mark.parametrize(("nested", "reached"), [(27 + 2 * 81, True), (27 + 2 * 81 + 1, False)])
def test_a_pair_in_another_may_cost_three_that_are_not(
    outputs: dict[Loaded, Output], nested: int, reached: bool
) -> None:
    figures = outputs[Loaded.NOTHING].figures
    inner = next(f for f in figures if f.lock == "plafond-strict" and f.scene == "nested")
    figures[figures.index(inner)] = inner.model_copy(update={"least": nested})
    targets = {t.name: t for t in make_report(outputs, Guest()).targets}

    assert targets["plafond-strict, pair in another"].reached is reached
    assert targets["plafond, pair in another"].value == 44


def test_the_hook_of_a_newer_kernel_must_cost_less(outputs: dict[Loaded, Output]) -> None:
    limits = {t.name: t.limit for t in make_report(outputs, Guest(KernelLine.V7)).targets}

    assert limits["added to each __schedule of others"] == 24


def test_another_processor_has_limits_that_are_relative_alone(
    outputs: dict[Loaded, Output],
) -> None:
    guest = Guest(processor=Processor.AARCH64)
    limits = {t.name: t.limit for t in make_report(outputs, guest).targets}

    assert limits["immpc, pair"] is None
    assert limits["added to each __schedule of others"] is None
    assert limits["plafond, pair in another"] is not None


def test_an_arrival_that_worked_in_a_section_is_found(outputs: dict[Loaded, Output]) -> None:
    figures = outputs[Loaded.MODULE].figures
    inside = next(f for f in figures if f.lock == "plafond-module" and f.group == "preempted")
    figures[figures.index(inside)] = inside.model_copy(update={"inside": True})
    targets = {t.name: t for t in make_report(outputs, Guest()).targets}

    assert targets["arrivals that work in a section, module"].value == 1
    assert targets["arrivals that work in a section, module"].reached is False


def test_figures_that_vary_are_reported(outputs: dict[Loaded, Output]) -> None:
    varying = outputs[Loaded.DRIVER].figures[0].model_copy(update={"median": 7})
    outputs[Loaded.DRIVER].figures[0] = varying

    assert make_report(outputs, Guest()).conditions.unstable == 1


def test_every_table_says_its_unit(report: InstructionsReport) -> None:
    out = io.StringIO()
    print_report(report, Console(file=out, width=112, highlight=False))
    titles = [part.splitlines()[0] for part in out.getvalue().split("\n\n")[1:]]

    assert len(titles) == 8
    assert all("instructions" in title for title in titles)
    assert "plafond-module-strict" in out.getvalue()
    assert "40.5" in out.getvalue()
