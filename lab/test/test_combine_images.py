# SPDX-License-Identifier: MIT
"""Each pair of features that combines, in images with many features: built and run."""

from pathlib import Path

import pytest
from combinations import Choice, groups, write
from patience import HUNG_S

from plafond.board.boards import BOARDS
from plafond.board.console import parse_console
from plafond.board.image import run_image
from plafond.board.recording import Recording
from plafond.board.trace import trace_of
from plafond.build.generate import LEVEL
from plafond.build.image import build_image
from plafond.build.objects import OF_KERNEL
from plafond.describe import load
from plafond.describe.features import Feature
from plafond.protocols import row_of
from plafond.run.arrivals import draw_arrivals, with_activations

pytestmark = pytest.mark.board

GROUPS = groups()
ON_SIM = [each for each in GROUPS if each[1].protocol not in BOARDS["sim"].lacks]
ACTIVATIONS = 2
QUICK = 8  # groups with nearly all pairs


def run(folder: Path, group: tuple[Feature, ...], choice: Choice, board: str) -> None:
    """Build and run an image with these features. Each activation must end.

    It is only built if no run uses its protocol on the board, such as irq-off.
    """
    system = with_activations(load(write(folder, group, choice)), ACTIVATIONS)
    is_run = board == "sim" or row_of(choice.protocol).analysis
    recording = Recording(system, draw_arrivals(system, system.seed)) if is_run else None
    level, join = ("-Og", OF_KERNEL) if board == "sim" else (LEVEL, ())
    image = build_image(
        system, board, None, folder / "image", recording, level, for_tools=False, join=join
    )
    if recording is None:
        return
    console = run_image(image.path, BOARDS[board], HUNG_S)
    trace = trace_of(parse_console(console), recording, choice.protocol)
    assert trace.cut is None
    for task, traced in zip(system.tasks, trace.tasks, strict=True):
        ends = sum(event.kind == "end" for event in traced.events)
        assert ends == ACTIVATIONS if task.interval else ends <= ACTIVATIONS


@pytest.mark.parametrize("number", range(QUICK))
def test_what_combines_runs(tmp_path: Path, number: int) -> None:
    run(tmp_path, *ON_SIM[number], "sim")


@pytest.mark.long
@pytest.mark.parametrize("number", range(QUICK, len(ON_SIM)))
def test_the_last_pairs_run(tmp_path: Path, number: int) -> None:
    run(tmp_path, *ON_SIM[number], "sim")


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(GROUPS)))
def test_what_combines_runs_on_the_board(tmp_path: Path, number: int) -> None:
    run(tmp_path, *GROUPS[number], "a53")
