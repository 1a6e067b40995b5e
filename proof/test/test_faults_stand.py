# SPDX-License-Identifier: MIT
"""Each fault that is written by hand still finds its text in the sources: once, and no more."""

import gc
import importlib
import pkgutil

import pytest

import proof
from proof.mutation import ByHand
from proof.result import ROOT


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> list[ByHand]:
    """All that the proofs have."""
    monkeypatch.syspath_prepend(str(ROOT / "kernel" / "test"))
    for module in pkgutil.walk_packages(proof.__path__, "proof."):
        importlib.import_module(module.name)
    return [each for each in gc.get_objects() if isinstance(each, ByHand)]


def test_the_text_of_each_fault_stands_once_in_its_file(faults: list[ByHand]) -> None:
    """Else the whole proofs alone would find that out, much later."""
    assert len(faults) > 400
    lost = []
    for fault in faults:
        try:
            fault.mutant(ROOT)
        except ValueError as error:
            lost.append(str(error))
    assert not lost
