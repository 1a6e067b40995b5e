# SPDX-License-Identifier: MIT
"""`plafond run --on vm` with a reservation: the guest's thread is found by its action, or named."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import HUNG_S

pytestmark = pytest.mark.guest

# The real-time clock is there in each guest, and silent.
TEXT = """
[server.clock]
kind = "reservation"
period = "10ms"
budget = "1ms"
irq = "rtc0"
[task.t]
priority = 20
arrival = "periodic 5ms"
activations = 3
body = ["run 1ms"]
"""


def run(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "some.toml").write_text(text)
    words = "run some.toml --on vm --protocol none --overheads none --out report --brief"
    return subprocess.run(
        [sys.executable, "-m", "plafond", *words.split()],
        cwd=folder,
        env=dict(os.environ),
        text=True,
        capture_output=True,
        check=False,
        timeout=HUNG_S,
    )


def test_a_run_with_a_reservation_comes_to_its_end(tmp_path: Path) -> None:
    """Its bounds have the reservation: 1 ms and a tenth of what is beyond that, beside 1 ms."""
    ended = run(tmp_path, TEXT)
    assert ended.returncode == 0, ended.stderr
    assert "2.111ms" in ended.stdout


def test_a_thread_that_the_guest_does_not_have_is_one_line(tmp_path: Path) -> None:
    ended = run(tmp_path, TEXT.replace("rtc0", "rtc1"))
    assert ended.returncode == 2
    (line,) = [each for each in ended.stderr.splitlines() if each.startswith("plafond: ")]
    assert "plafond-reserve: found no thread irq/*-rtc1; expected one of: " in line
    assert "irq/8-rtc0 (TID " in line
    assert line.endswith("(in the virtual machine)")
    assert not (tmp_path / "report").exists()
