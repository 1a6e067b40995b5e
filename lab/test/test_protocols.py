# SPDX-License-Identifier: MIT
"""The names of the protocols, and what each needs."""

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
    ACROSS_CPUS,
    ANALYSED,
    FOR_BENCH,
    ON_BOARD,
    ON_BOARD_EDF,
    ON_BOARD_GLOBAL,
    ON_BOARD_HARDWARE,
    ON_BOARD_WAITING,
    ON_LINUX,
    STOCK,
    WAITING,
    WITH_MODULES,
    GlobalProtocol,
    KernelProtocol,
    Protocol,
    parse_protocols,
)


def test_plafond_run_knows_the_same_names(tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    plan.write_text("plafond-plan 1\nprotocol foo\n")
    program = [find_program("linux/run/plafond-run"), plan, tmp_path / "trace"]
    said = subprocess.run(program, capture_output=True, text=True, check=False).stderr
    names = said.partition("expected ")[2].strip()
    assert set(re.split(", | or ", names)) == set(ON_LINUX)


def test_each_protocol_has_its_analysis() -> None:
    inherit = {name for name, protocol in ON_LINUX.items() if protocol is Protocol.INHERIT}
    assert inherit == {"inherit", "rt-mutex"}
    assert [name for name, protocol in ON_LINUX.items() if protocol is Protocol.NONE] == ["none"]


def test_every_row_of_a_benchmark_is_a_protocol_or_no_lock() -> None:
    rivals = (ROOT / "bench/rivals.h").read_text()
    names = re.findall(r'constexpr Rival<\w+> \w+ = \{ "([^"]*)"', rivals)
    assert len(names) > 8
    in_cpp = {f"{name}-cpp" for name in ON_LINUX}
    assert set(names) - {"empty-loop", "bound"} - in_cpp <= {*ON_LINUX, *ACROSS_CPUS}
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
    across = {folder.name for folder in (KERNEL / "global").iterdir() if folder.is_dir()}
    assert across == {"none", "waiting", *GlobalProtocol}


def test_the_guide_has_the_same_names_in_the_same_places() -> None:
    page = (ROOT / "docs/lab.md").read_text()
    table = page.partition("<!-- protocols -->")[2].partition("<!-- end -->")[0]
    rows = re.findall(r"^\| `([\w-]+)` \| ([^|]*) \|.*\| `(\w+)` \|$", table, re.MULTILINE)
    assert {name: analysis for name, _, analysis in rows} == ANALYSED
    assert {name: where for name, where, _ in rows} == {
        **dict.fromkeys(STOCK, "Linux"),
        **dict.fromkeys(ON_BOARD_WAITING, "Linux, kernel"),
        **dict.fromkeys(WITH_MODULES, "Linux, with modules"),
        **dict.fromkeys(ON_BOARD_HARDWARE, "kernel, hardware"),
        **dict.fromkeys(ON_BOARD, "kernel"),
        **dict.fromkeys(ON_BOARD_EDF, "kernel, EDF"),
        **dict.fromkeys(ON_BOARD_GLOBAL, "kernel, global"),
    }


def test_a_name_is_in_one_place_of_the_registry() -> None:
    tables = (STOCK, WITH_MODULES, ON_BOARD, [KernelProtocol.MASK], ON_BOARD_EDF, FOR_BENCH)
    names = [name for table in tables for name in table]
    assert len(names) == len(set(names))
    assert set(KernelProtocol) <= set(names)
    assert {str(family) for family in Protocol} & set(names) == {"inherit", "none"}
    assert (ANALYSED["inherit"], ANALYSED["none"]) == (Protocol.INHERIT, Protocol.NONE)


def test_linux_and_the_kernel_share_the_names_without_ceilings() -> None:
    assert set(ON_BOARD_WAITING) == {*WAITING} == {*ON_LINUX} & {*KernelProtocol}
    assert all(ANALYSED[name] is protocol for name, protocol in ON_BOARD_WAITING.items())


def test_a_wrong_name_gets_a_suggestion() -> None:
    with pytest.raises(ArgumentError, match=r"found 'imcp'.*immpc"):
        parse_protocols("inherit,imcp", tuple(ON_LINUX))


def test_overheads_of_what_no_bench_measures_are_refused() -> None:
    refuse_unmeasured(["none", "plafond"])
    with pytest.raises(ArgumentError, match="--overheads: immpc is not measured"):
        refuse_unmeasured(["inherit", "immpc"])
