# SPDX-License-Identifier: MIT
"""The names of the protocols, and what each needs."""

import re
import subprocess
from pathlib import Path

import pytest

from plafond.bench.overheads import refuse_unmeasured
from plafond.errors import ArgumentError
from plafond.programs import find_program
from plafond.protocols import ON_LINUX, STOCK, Protocol, parse_protocols


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


def test_the_others_need_a_module() -> None:
    assert set(ON_LINUX) - STOCK == {
        "plafond-module",
        "plafond-module-strict",
        "immpc",
        "immpc-eager",
        "rt-mutex",
    }


def test_a_wrong_name_gets_a_suggestion() -> None:
    with pytest.raises(ArgumentError, match=r"found 'imcp'.*immpc"):
        parse_protocols("inherit,imcp", tuple(ON_LINUX))


def test_overheads_of_what_no_bench_measures_are_refused() -> None:
    refuse_unmeasured(["none", "plafond"])
    with pytest.raises(ArgumentError, match="--overheads: immpc is not measured"):
        refuse_unmeasured(["inherit", "immpc"])
