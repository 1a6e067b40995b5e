# SPDX-License-Identifier: MIT
"""A loaded host makes no image hang; one that spins or waits for ever does, and is ended."""

from bounded import Bounds, run_bounded


def hung(script: str, bounds: Bounds) -> str:
    """Run a shell script within the bounds, and say whether and why it is taken to hang."""
    return bounds.hung(run_bounded(["sh", "-c", script], bounds, []))


def test_an_image_that_gets_no_processor_is_not_hung() -> None:
    """An image that gets no processor is not hung."""
    assert hung("sleep 2.5", Bounds(processor_s=1, clock_s=60)) == ""


def test_an_image_that_spins_is_hung() -> None:
    """An image that spins is hung."""
    found = hung("while :; do :; done", Bounds(processor_s=1, clock_s=60))
    assert found == "hung: it had not ended after 1 s of processor time"


def test_an_image_that_waits_for_ever_is_hung() -> None:
    """An image that waits for ever is hung."""
    found = hung("sleep 60", Bounds(processor_s=60, clock_s=1))
    assert found == "hung: it had not ended after 1 s"


def test_an_image_keeps_its_exit_code() -> None:
    """An image keeps its exit code."""
    bounds = Bounds(processor_s=10, clock_s=60)
    said: list[str] = []
    ended = run_bounded(["sh", "-c", "echo here >&2; exit 17"], bounds, said)
    assert (ended.code, said, bounds.hung(ended)) == (17, ["here"], "")
