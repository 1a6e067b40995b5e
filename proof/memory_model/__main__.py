# SPDX-License-Identifier: MIT
"""Ask herd7 what Arm's memory model allows threads of several CPUs to do with one word.

The functions of protocol/global_word.h are compiled for AArch64 as they ship; their machine code
is what herd7 reads, with the instructions of Armv8.1 and with those of Armv8.0. Beside the rule of
each case it is asked for what must be possible, without which the rule would say nothing. herd7 is
fetched from Debian's archive, once. Exit code: 0 all holds, 1 a rule is broken or a fault is not
found, 2 could not run, 130 Ctrl-C.

Examples:
  python -m proof.memory_model
  python -m proof.memory_model --only looks
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree

from plafond.prove.model import Fault as Fate

from proof.memory_model.cases import CASES, FAULTS, FORMS, THREADS, Case, Fault
from proof.memory_model.herd import Herd, fetched_herd
from proof.memory_model.litmus import code_of, litmus
from proof.result import KILLED, ROOT, SURVIVED, concluded, print_faults, print_json, row_of

NAME = "proof.memory_model"
PROTOCOL, CHECK = "global-mutex", "memory-model"


class Subject:
    """The header, as it is or with a fault, compiled."""

    def __init__(self, tree: Path, form: str) -> None:
        """Compile the threads with it."""
        self._code = code_of(tree / THREADS, tree / "protocol", FORMS[form])
        self.form = form

    def allows(self, herd: Herd, case: Case, condition: str) -> bool:
        """Whether the model allows that end."""
        threads = [self._code[name] for name in case.threads]
        return herd.comes_true(litmus(case.name, threads, case.begin, condition))


def findings(herd: Herd, subject: Subject, case: Case) -> Iterator[str]:
    """What is wrong with a case."""
    name = f"{case.name}, {subject.form}"
    if subject.allows(herd, case, case.forbidden):
        yield f"{name}: broken: {case.rule}"
    for condition in case.reached:
        if not subject.allows(herd, case, condition):
            yield f"{name}: never reached: {condition}"


def fate_of(herd: Herd, fault: Fault) -> Fate:
    """Whether its case finds the fault."""
    case = next(case for case in CASES if case.name == fault.case)
    mutant = fault.fault.mutant(ROOT)
    with tempfile.TemporaryDirectory(prefix="plafond-memory-") as folder:
        tree = Path(folder)
        for part in ("protocol", "proof/memory_model"):
            copytree(ROOT / part, tree / part)
        file = tree / mutant.file
        file.write_bytes(mutant.apply(file.read_bytes()))
        is_found = Subject(tree, "LSE").allows(herd, case, case.forbidden)
    verdict = KILLED if is_found else SURVIVED
    return Fate(mutant=mutant.key, verdict=verdict, by=f"{case.name}: broken: {case.rule}")


def prove(given: argparse.Namespace) -> bool:
    """Ask for every case and every fault; whether all is as it should be."""
    began_s = time.monotonic()
    herd = fetched_herd()
    subjects = {form: Subject(ROOT, form) for form in FORMS}
    cases = [case for case in CASES if given.only in case.name]
    asked = [(subjects[form], case) for case in cases for form in case.forms]
    faults = [fault for fault in FAULTS if fault.case in {case.name for case in cases}]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = pool.map(lambda one: list(findings(herd, *one)), asked)
        fates: Sequence[Fate] = list(pool.map(lambda fault: fate_of(herd, fault), faults))
        trace = [line for lines in found for line in lines]
    scope = (
        f"protocol/global_word.h under Arm's memory model, {len(cases)} cases of 2 CPUs, the "
        "kernel's half among them; the machine code of gcc for AArch64, LSE and LL/SC, in "
        f"herd7 {herd.version}"
    )
    row = row_of(PROTOCOL, CHECK, scope, began_s, faults=fates, trace=trace)
    if given.format == "json":
        print_json(NAME, [row], {}, holds=row.is_right)
    else:
        print("\n".join(trace) or f"{len(asked)} cases hold")
        print_faults(fates)
    return row.is_right


def options() -> argparse.Namespace:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog=NAME, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    given = parser.parse_args()
    if not any(given.only in case.name for case in CASES):
        parser.error(f"--only: found {given.only!r}; expected {', '.join(c.name for c in CASES)}")
    return given


if __name__ == "__main__":
    given = options()
    sys.exit(concluded(NAME, lambda: prove(given)))
