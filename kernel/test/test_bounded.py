# SPDX-License-Identifier: MIT
"""A loaded host makes no image hang. An image that spins or waits for ever hangs, and is ended."""

from pathlib import Path

import pytest

from bounded import Bounds, Sleep, run_bounded


def hung(script: str, bounds: Bounds) -> str:
    """Run a shell script within the bounds. Returns why it counts as hung; "" if it does not."""
    return bounds.hung(run_bounded(["sh", "-c", script], bounds, []))


def test_an_image_that_gets_no_processor_is_not_hung() -> None:
    """An image that gets no processor is not hung."""
    assert hung("sleep 2.5", Bounds(processor_s=1, asleep_s=60)) == ""


def test_an_image_that_spins_is_hung() -> None:
    """An image that spins is hung."""
    found = hung("while :; do :; done", Bounds(processor_s=1, asleep_s=60))
    assert found == "hung: it had not ended after 1 s of processor time"


def test_an_image_that_waits_for_ever_is_hung() -> None:
    """An image that waits for ever is hung."""
    found = hung("sleep 60", Bounds(processor_s=60, asleep_s=1))
    assert found == "hung: it had slept for 1 s"


@pytest.mark.parametrize(("state", "is_over"), [("S", True), ("R", False)])
def test_a_thread_that_waits_for_a_processor_is_not_hung(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str, is_over: bool
) -> None:
    """A thread that waits for a processor is not hung, but several threads that all sleep are."""
    now_s = iter(range(0, 1000, 3))
    monkeypatch.setattr("time.monotonic", lambda: float(next(now_s)))
    for thread, its in ((7, "S"), (8, state)):
        (tmp_path / f"7/task/{thread}").mkdir(parents=True)
        (tmp_path / f"7/task/{thread}/stat").write_text(f"{thread} (a) b) {its} 1 1\n")
    sleep = Sleep(7, 1.0, tmp_path)
    looks = [sleep.is_over() for _ in range(12)]
    assert looks == [False] * 10 + [is_over] * 2


def test_an_image_keeps_its_exit_code() -> None:
    """An image keeps its exit code."""
    bounds = Bounds(processor_s=10, asleep_s=60)
    said: list[str] = []
    ended = run_bounded(["sh", "-c", "echo here >&2; exit 17"], bounds, said)
    assert (ended.code, said, bounds.hung(ended)) == (17, ["here"], "")
