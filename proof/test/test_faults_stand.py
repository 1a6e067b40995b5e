# SPDX-License-Identifier: MIT
"""The text of each fault by hand occurs exactly once in its source."""

import gc
import importlib
import pkgutil

import pytest

import proof
from proof.mutation import ByHand
from proof.result import ROOT


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> list[ByHand]:
    """Return all faults by hand of the proofs."""
    monkeypatch.syspath_prepend(str(ROOT / "kernel" / "test"))
    for module in pkgutil.walk_packages(proof.__path__, "proof."):
        importlib.import_module(module.name)
    return [each for each in gc.get_objects() if isinstance(each, ByHand)]


def test_the_text_of_each_fault_stands_once_in_its_file(faults: list[ByHand]) -> None:
    """Without this test only the whole proofs would find a stale text, much later."""
    assert len(faults) > 400
    lost = []
    for fault in faults:
        try:
            fault.mutant(ROOT)
        except ValueError as error:
            lost.append(str(error))
    assert not lost
