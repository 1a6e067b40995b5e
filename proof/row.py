# SPDX-License-Identifier: MIT
"""What a check of a protocol came to, in the form that all proofs have in common."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One check of one protocol."""

    protocol: str
    check: str
    scope: str
    verdict: str  # holds, violated
    mutants: int = 0
    mutants_killed: int = 0
    mutants_argued: int = 0  # equivalent, or the same machine code
    seconds: float = 0.0
    trace: tuple[str, ...] = ()
    faults: tuple[dict[str, str], ...] = ()

    @property
    def is_right(self) -> bool:
        """It holds, and every fault was found or argued away."""
        settled = self.mutants_killed + self.mutants_argued
        return self.verdict == "holds" and self.mutants == settled

    def as_json(self) -> dict[str, object]:
        """Without what there is nothing to tell of."""
        told = asdict(self)
        return {k: v for k, v in told.items() if v or k not in ("trace", "faults")}
