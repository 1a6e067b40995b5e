# SPDX-License-Identifier: MIT
"""Fetch herd7 once, and ask it whether a condition can come true."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from plafond.programs import build_folder, run_to_end

from proof.result import CouldNotRunError

FETCH = Path(__file__).with_name("fetch-herd7")
LONGEST_S = 9000.0  # finds a hang only
_OBSERVED = re.compile(r"^Observation \S+ (Never|Sometimes|Always) ", re.MULTILINE)


@dataclass(frozen=True)
class Herd:
    """The unpacked program."""

    root: Path
    version: str

    @property
    def _command(self) -> list[str]:
        """Return the command. herd7 needs the C library that it was built for, which is younger."""
        libraries = f"{self.root}/usr/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu"
        return [
            *(f"{self.root}/usr/lib64/ld-linux-x86-64.so.2", "--library-path", libraries),
            *(
                f"{self.root}/usr/bin/herd7",
                "-set-libdir",
                f"{self.root}/usr/share/herdtools7/herd",
            ),
        ]

    def comes_true(self, litmus: str, *, has_halves: bool = True, in_order: bool = False) -> bool:
        """Whether the condition of the litmus test holds in an execution that the model allows.

        Executions in which the condition cannot hold are left as soon as that is clear (`fast`).
        `in_order` also leaves executions in which a thread does not see its own accesses in order,
        which takes a tenth of the time. It must be off if halves are swapped, because herd7 then
        fails.
        """
        options = ["-speedcheck", "fast"]
        options += ["-variant", "mixed"] if has_halves else []
        options += ["-optace", "true"] if in_order else []
        with NamedTemporaryFile("w", prefix="plafond-", suffix=".litmus") as file:
            file.write(litmus)
            file.flush()
            ended = run_to_end([*self._command, *options, file.name], lambda _: None, LONGEST_S)
        observed = _OBSERVED.search(ended.output)
        if ended.took_too_long:
            raise CouldNotRunError(f"herd7 had not ended after {LONGEST_S:.0f} s")
        if ended.code != 0 or observed is None:
            raise CouldNotRunError(f"herd7 said: {ended.last_line or ended.output.strip()[-200:]}")
        return observed[1] != "Never"


def fetched_herd() -> Herd:
    """Fetch herd7 unless it is there. Raise CouldNotRunError with the reason on failure."""
    folder = build_folder() / "herd7"
    done = subprocess.run([FETCH, folder], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["nothing"]
        raise CouldNotRunError(f"no herd7: {said[-1]}")
    return Herd(folder / "root", (folder / "version").read_text().strip())
