# SPDX-License-Identifier: MIT
"""The Python of the guide, and descriptions from texts."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from plafond.describe import load, loads
from plafond.describe.draw import load_study, loads_study
from plafond.describe.problems import DescriptionError

ROOT = Path(__file__).resolve().parents[2]
STUDIES = ROOT / "examples/studies"


def test_the_python_of_the_guide_runs() -> None:
    guide = (ROOT / "docs/lab/python.md").read_text()
    block = re.search(r"<!-- python-api -->\n```python\n(.*?)```", guide, re.DOTALL)
    assert block

    done = subprocess.run(
        [sys.executable, "-c", block[1]], cwd=ROOT / "lab", capture_output=True, text=True
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("control 6000000 True\nlog 18000000 True\nTrue\n")
    assert "compared,cache_ns,overhead_ns,section_ns,share,budget,ratio" in done.stdout


def test_a_text_is_as_its_file() -> None:
    file = ROOT / "examples/carminati-2012-table-1.toml"

    assert loads(file.read_text(), file) == load(file)
    assert replace(loads(file.read_text()), file=file, name="") == replace(load(file), name="")


def test_a_study_is_as_its_file() -> None:
    file = STUDIES / "locks.toml"

    assert loads_study(file.read_text(), file) == load_study(file)


def test_mistakes_of_a_text_have_lines() -> None:
    with pytest.raises(DescriptionError, match=r"description.toml:2: task.T1.priority: found 0"):
        loads('[task.T1]\npriority = 0\narrival = "periodic 1ms"\nbody = ["run 1us"]\n')
