# SPDX-License-Identifier: MIT
"""A run of the stress program that shows nothing is repeated. A broken promise is never dropped."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from proof.result import CouldNotRunError
from proof.stress import __main__ as stress


def of(sections: int, broken: int = 0) -> Mapping[str, Any]:
    """Return a row of the program."""
    ceiling = {"promised": True, "count": broken, "first": "ceiling of T"}
    return {
        "configuration": "none",
        "strength": "robust",
        "sections": sections,
        "gate_waits": sections,
        "verdict": "VIOLATED" if broken else "holds",
        "findings": {"ceiling": ceiling},
    }


@pytest.mark.parametrize(
    ("runs", "taken", "found"),
    [
        ([of(7)], [6.0], 7),
        ([of(0), of(0), of(5)], [6.0, 12.0, 24.0], 5),
        ([of(0, broken=1), of(5)], [6.0], 0),
        ([of(0)] * 9, [6.0, 12.0, 24.0, 48.0, 96.0], 0),
    ],
)
def test_it_is_repeated_for_longer_until_it_shows_something(
    runs: list[Mapping[str, Any]],
    taken: list[float],
    found: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds: list[float] = []

    def played(_: Path, seed: int, of_run: float) -> list[Mapping[str, Any]]:
        assert seed == 3
        seconds.append(of_run)
        return [runs[len(seconds) - 1]]

    monkeypatch.setattr(stress, "played", played)

    (row,) = stress.shown(Path("stress"), 3, 6.0)

    assert (seconds, row["sections"]) == (taken, found)


def test_what_is_broken_is_said_also_of_a_run_that_shows_nothing_besides() -> None:
    row = stress.summed_up([{**of(0, broken=1), "activations": 1}], 3, 0.0)

    assert not row.is_right
    assert row.trace == ["none, robust: VIOLATED: ceiling 1 times, first: ceiling of T"]


def test_a_run_that_shows_nothing_is_no_result() -> None:
    with pytest.raises(CouldNotRunError, match="none, robust: found no sections, none, robust:"):
        stress.summed_up([{**of(0), "activations": 0}], 3, 0.0)
