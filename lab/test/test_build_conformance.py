# SPDX-License-Identifier: MIT
"""The conformance class that an image's tasks need: OSEK OS 2.2.3, Section 3.2."""

from pathlib import Path

import pytest

from plafond.board.boards import board_of
from plafond.build.configuration import configuration_of
from plafond.build.conformance import conformance_class
from plafond.build.locks import locks_of
from plafond.describe import load

BASIC = '[task.A]\npriority = 1\nqueue = 1\nbody = ["run 1us"]\nautostart = true\n'
OTHER = BASIC.replace(".A", ".B")
ABOVE = OTHER.replace("priority = 1", "priority = 2")
EXTENDED = '[task.E]\npriority = 3\nevents = ["EV"]\nbody = ["wait EV"]\nautostart = true\n'


def class_of(folder: Path, text: str) -> str | None:
    file = folder / "it.toml"
    file.write_text(text)
    system = load(file)
    board = board_of("sim")
    configuration = configuration_of(system, board, locks_of(system, board, None), None)
    return conformance_class(configuration.system.scheduler, configuration.tasks)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BASIC + ABOVE, "BCC1"),
        (BASIC + OTHER, "BCC2"),
        (BASIC + ABOVE.replace("queue = 1", "queue = 2"), "BCC2"),
        (BASIC + ABOVE + EXTENDED, "ECC1"),
        (BASIC + OTHER + EXTENDED, "ECC2"),
        (BASIC.replace("queue = 1", "queue = 2") + EXTENDED, "ECC2"),
        ("cpus = 2\n" + BASIC + "cpu = 0\n" + OTHER + "cpu = 1\n", "BCC1"),  # on two cores
        ("cpus = 2\n" + BASIC + "cpu = 1\n" + OTHER + "cpu = 1\n", "BCC2"),
        (
            'scheduler = "edf"\n' + BASIC.replace("priority = 1", 'priority = 1\ndeadline = "1ms"'),
            None,
        ),
    ],
)
def test_the_lowest_class_that_has_such_tasks(
    tmp_path: Path, text: str, expected: str | None
) -> None:
    assert class_of(tmp_path, text) == expected
