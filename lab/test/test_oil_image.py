# SPDX-License-Identifier: MIT
"""A vendor's OIL file, completed by another file, as an image that runs."""

import subprocess
from pathlib import Path
from shutil import copytree

import pytest
from patience import HUNG_S
from quick_images import build_quickly

from plafond.build.image import build_image
from plafond.describe import load

pytestmark = pytest.mark.board

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# The example with the priorities that OIL allows, without the values that OIL leaves to vendors.
THEIRS = """
CPU board {
  OS console { STATUS = EXTENDED; STARTUPHOOK = TRUE; ERRORHOOK = TRUE; SHUTDOWNHOOK = TRUE;
    BUILD = TRUE { APP_SRC = "osek-console/tasks.c"; APP_SRC = "osek-console/trusted.c"; }; };
  TASK keys { PRIORITY = 1000; AUTOSTART = TRUE; EVENT = TYPED; RESOURCE = SCREEN; };
  TASK beat { PRIORITY = 0; RESOURCE = SCREEN; };
  EVENT TYPED { MASK = 0x8000; };
  RESOURCE SCREEN;
  COUNTER clock;
  ALARM heartbeat { COUNTER = clock; ACTION = ACTIVATETASK { TASK = beat; };
    AUTOSTART = TRUE { ALARMTIME = 500; CYCLETIME = 500; }; };
  ISR key { CATEGORY = 2; SOURCE = UART; };
};
"""
OURS = """
#include "theirs.oil"
CPU board {
  OS console { CONSOLE = TRUE; TRUSTED_SRC = "osek-console/trusted.c"; };
  COUNTER clock { SECONDSPERTICK = 0.001; };
  ISR key { INTERRUPT = 1; };
};
"""


def test_it_runs_as_the_system_of_the_guide(tmp_path: Path) -> None:
    copytree(EXAMPLES / "osek-console", tmp_path / "osek-console")
    (tmp_path / "theirs.oil").write_text(THEIRS)
    (tmp_path / "ours.oil").write_text(OURS)
    image = build_quickly(load(tmp_path / "ours.oil"), "sim", None, tmp_path / "image")
    done = subprocess.run(
        [image.path, "--at", "750000000:1"],
        input="q",
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=False,
    )
    assert done.stdout.splitlines() == ["start: type, and q to end", "beat 1", "shutdown 00"]


@pytest.mark.parametrize("board", ["sim", "a53"])
def test_a_project_of_trampoline_builds_as_it_is(tmp_path: Path, board: str) -> None:
    image = build_image(load(EXAMPLES / "from-trampoline/plafond.oil"), board, None, tmp_path)
    assert not image.warnings
    if board == "sim":
        opened_at = "750000000:1"  # the lid opens
        done = subprocess.run([image.path, "--at", opened_at], timeout=HUNG_S, check=False)
        assert done.returncode == 0


def test_events_may_have_names_that_services_have_for_their_parameters(tmp_path: Path) -> None:
    (tmp_path / "some.toml").write_text(
        """
        [task.high]
        priority = 2
        arrival = "periodic 10ms"
        events = ["value", "status", "low", "result", "reference"]
        body = ["wait value"]
        [task.T]
        priority = 1
        arrival = "periodic 10ms"
        body = ["lock R", "set high value", "unlock R"]
        [resource.R]
        """
    )
    for board in ("sim", "a53"):
        build_quickly(load(tmp_path / "some.toml"), board, None, tmp_path / board)
