# SPDX-License-Identifier: MIT
"""The names of the protocols, and their requirements."""

import re
import subprocess
from pathlib import Path

import pytest

from plafond.bench.overheads import refuse_unmeasured
from plafond.bench.pthread.report import PAIRS, PREEMPTED
from plafond.bench.pthread.targets import DROP_IN
from plafond.board.boards import KERNEL, ROOT
from plafond.errors import ArgumentError
from plafond.programs import find_program
from plafond.protocols import (
    PROTOCOLS,
    GlobalProtocol,
    KernelProtocol,
    Protocol,
    Row,
    analysed,
    names_of,
    parse_protocols,
)

ON_LINUX = names_of(lambda row: row.linux)


def test_plafond_run_knows_the_same_names(tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    plan.write_text("plafond-plan 1\nprotocol foo\n")
    program = [find_program("linux/run/plafond-run"), plan, tmp_path / "trace"]
    said = subprocess.run(program, capture_output=True, text=True, check=False).stderr
    names = said.partition("expected ")[2].strip()
    assert set(re.split(", | or ", names)) == set(ON_LINUX)


def test_each_protocol_has_its_analysis() -> None:
    inherit = names_of(lambda row: row.linux and row.analysis is Protocol.INHERIT)
    assert set(inherit) == {"inherit", "rt-mutex"}
    assert names_of(lambda row: row.linux and row.analysis is Protocol.NONE) == ("none",)


def test_every_row_of_a_benchmark_is_a_protocol_or_no_lock() -> None:
    rivals = (ROOT / "bench/rivals.h").read_text()
    names = re.findall(r'constexpr Rival<\w+> \w+ = \{ "([^"]*)"', rivals)
    assert len(names) > 8
    in_cpp = {f"{name}-cpp" for name in ON_LINUX}
    only_bench = names_of(lambda row: not (row.analysis or row.kernel))
    assert set(names) - {"empty-loop", "bound"} - in_cpp <= {*ON_LINUX, *only_bench}
    paths = {path.removeprefix(DROP_IN) for path in (*PAIRS, *PREEMPTED)}
    assert {path.removesuffix("-cross-cpu").removesuffix("-unpinned") for path in paths} == {
        "none",
        "inherit",
        "protect",
        "no-lock",
    }


def test_every_folder_of_the_kernel_is_a_protocol() -> None:
    folders = {folder.name for folder in (KERNEL / "resource").iterdir() if folder.is_dir()}
    assert folders == set(KernelProtocol)
    home = KERNEL / "global"
    across = {str(each.relative_to(home)) for each in home.rglob("*") if each.is_dir()}
    assert across == {"none", "waiting"}.union(*(each.folders for each in GlobalProtocol))
    for protocol in GlobalProtocol:
        assert (home / protocol.folders[-1] / "plf_global.h").is_file()


def place_of(row: Row) -> str:
    if row.linux and row.kernel:
        return "Linux, kernel"
    if row.linux:
        return "Linux, with modules" if row.linux.needs_modules else "Linux"
    if row.across:
        return "kernel, global"
    under = {"priority": "kernel", "hardware": "kernel, hardware", "edf": "kernel, EDF"}
    return next(place for scheduler, place in under.items() if row.runs_under(scheduler))


def test_the_guide_has_the_same_names_in_the_same_places() -> None:
    page = (ROOT / "docs/lab/protocols.md").read_text()
    table = page.partition("<!-- protocols -->")[2].partition("<!-- end -->")[0]
    rows = re.findall(r"^\| `([\w-]+)` \| ([^|]*) \|.*\| `(\w+)` \|$", table, re.MULTILINE)
    assert {name: (where, analysis) for name, where, analysis in rows} == {
        row.name: (place_of(row), row.analysis) for row in PROTOCOLS if row.analysis
    }


def test_a_name_has_one_row() -> None:
    names = [row.name for row in PROTOCOLS]
    assert len(names) == len(set(names))
    assert list(names_of(lambda row: row.across)) == list(GlobalProtocol)
    assert {*names_of(lambda row: row.kernel)} == set(KernelProtocol)
    assert {str(family) for family in Protocol if not family.is_across} & set(names) == {
        "inherit",
        "none",
    }
    assert (analysed("inherit"), analysed("none")) == (Protocol.INHERIT, Protocol.NONE)


def test_linux_and_the_kernel_share_the_names_without_ceilings() -> None:
    assert {each for each in KernelProtocol if each.traits.waits} == {*ON_LINUX} & {*KernelProtocol}


@pytest.mark.parametrize("name", names_of(lambda row: not row.analysis))
def test_what_only_benches_run_has_no_analysis(name: str) -> None:
    for across_cpus in (False, True):
        with pytest.raises(KeyError):
            analysed(name, across_cpus=across_cpus)


def test_a_wrong_name_gets_a_suggestion() -> None:
    with pytest.raises(ArgumentError, match=r"found 'imcp'.*immpc"):
        parse_protocols("inherit,imcp", ON_LINUX)


def test_overheads_of_what_no_bench_measures_are_refused() -> None:
    refuse_unmeasured(["none", "plafond"])
    with pytest.raises(ArgumentError, match="--overheads: immpc is not measured"):
        refuse_unmeasured(["inherit", "immpc"])
