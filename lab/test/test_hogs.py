# SPDX-License-Identifier: MIT
"""The threads of other programs that a run sees, while they come and go."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from plafond.run.hogs import Witness

scandir = os.scandir


def test_a_process_that_ends_meanwhile_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of a process was listed, but is gone when it is read."""
    looked_into = []

    def without_this_process(path: Any = ".") -> Iterator[os.DirEntry[str]]:
        if str(path) == f"/proc/{os.getpid()}/task":
            looked_into.append(path)
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", without_this_process)
    witness = Witness()
    assert looked_into
    assert witness.hogs(()) == []
