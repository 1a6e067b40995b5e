# SPDX-License-Identifier: MIT
"""What sets the lab up works wherever the clone lies."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Notes its arguments, a line each.
PIP = """#!/bin/sh
printf '%s\\n' "$@" >>"$(dirname "$0")/asked"
"""


def test_a_clone_may_lie_in_a_folder_with_a_space(tmp_path: Path) -> None:
    clone = tmp_path / "a clone"
    for name in (".ci/venv", "lab/pyproject.toml", "proof/requirements.txt"):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    pip = clone / "build/venv/bin/pip"
    pip.parent.mkdir(parents=True)
    pip.write_text(PIP)
    pip.chmod(0o755)

    subprocess.run([clone / ".ci/venv", "test"], check=True)

    asked = (pip.parent / "asked").read_text().splitlines()
    assert f"{clone}/lab[test]" in asked
    assert f"{clone}/proof/requirements.txt" in asked
    assert (clone / "build/venv/.installed-test").exists()
