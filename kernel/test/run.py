# SPDX-License-Identifier: MIT
"""Run the images of a behaviour on a board in turn.

Usage: run.py FOLDER first|rest|all NAME BOARD. table.py defines the tiers.
"""

import sys
from pathlib import Path

from plafond.board.status import ending_of

from bounded import Bounds, run_bounded
from made import made_of
from table import HERE, Case, images_of

BOUNDS = Bounds(processor_s=20, asleep_s=120)


def fault(case: Case, build: Path) -> str | None:
    """Return how the image ended, with its output, if that was wrong; else None.

    An image with several cores runs twice on a board: with a single core at a time, and with all.
    """
    made = made_of(case, build)
    if made.error:
        return f"was not built: {made.error}"
    if reason := fault_of(case, made.command):
        return reason
    reason = fault_of(case, made.at_once) if made.at_once else None
    return f"with the cores at once {reason}" if reason else None


def fault_of(case: Case, command: list[str]) -> str | None:
    """Return the same for a single run."""
    said: list[str] = []
    ended = run_bounded(command, BOUNDS, said)
    reason: str | None
    if hung := BOUNDS.hung(ended):
        reason = hung
    elif ended.code == case.code:
        if not (reason := unwritten(case, ended.output)):
            return None
    elif ended.code < 0:
        reason = f"was ended by {ended.signal}"
    else:
        reason = f"{ending_of(ended.code) if ended.code else 'ended well'}; expected {case.code}"
    return "\n  ".join([reason, *ended.output.splitlines()[-20:], *said[-20:]])


def unwritten(case: Case, output: str) -> str | None:
    """Return the output of an image if it should be another; else None."""
    expected = HERE / f"{case.name}.out"
    if not expected.exists() or output == expected.read_text():
        return None
    return f"wrote {output!r}; expected {expected.read_text()!r}"


def main() -> None:
    """Run all images, and fail if any of them fails."""
    folder, tier, name, board = Path(sys.argv[1]), *sys.argv[2:5]
    cases = [case for case in images_of(tier) if (case.name, case.board) == (name, board)]
    faults = [(case.label, fault(case, folder)) for case in cases]
    failed = [f"{image} {reason}" for image, reason in faults if reason]
    print(f"{len(cases) - len(failed)} of {len(cases)} images ended as they should")
    sys.exit("\n".join(failed) if failed or not cases else 0)


if __name__ == "__main__":
    main()
