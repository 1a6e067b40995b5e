# SPDX-License-Identifier: MIT
"""Ask herd7 which results Arm's memory model allows when threads of several CPUs share a word.

The functions of a header of protocol/ are compiled for AArch64 as they ship. herd7 reads their
machine code, with the instructions of Armv8.1 and of Armv8.0. Each case has a rule, and conditions
that must be possible, because the rule would show nothing without them. herd7 is fetched from
Debian's archive, once. Exit code: 0 all holds, 1 a rule is broken or a fault is not found, 2 could
not run, 130 Ctrl-C.

Examples:
  python -m proof.memory_model
  python -m proof.memory_model --protocol event-word
  python -m proof.memory_model --protocol global-mutex --only looks
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree

from plafond.prove.model import Fault as Fate

from proof.memory_model.cases import FORMS, Case, Fault, Needless, Proof
from proof.memory_model.event_word import EVENT_WORD
from proof.memory_model.global_word import GLOBAL_MUTEX
from proof.memory_model.herd import Herd, fetched_herd
from proof.memory_model.inbox import INBOX
from proof.memory_model.ioc_last import IOC_LAST
from proof.memory_model.ioc_queue import IOC_QUEUE
from proof.memory_model.litmus import code_of, litmus
from proof.memory_model.mpcp_queue import MPCP_QUEUE
from proof.memory_model.spinlocks import SPINLOCKS
from proof.mutation import ByHand
from proof.result import (
    EQUIVALENT,
    KILLED,
    ROOT,
    SURVIVED,
    concluded,
    print_faults,
    print_json,
    row_of,
)

NAME = "proof.memory_model"
CHECK = "memory-model"
PROOFS = {
    proof.protocol: proof
    for proof in (
        *(GLOBAL_MUTEX, INBOX, EVENT_WORD, MPCP_QUEUE, *SPINLOCKS),
        *(IOC_QUEUE, IOC_LAST),
    )
}


class Subject:
    """The compiled threads of a proof, with the header as it is or with a fault."""

    def __init__(self, proof: Proof, tree: Path, form: str) -> None:
        """Compile the threads with the headers of `tree`."""
        self._code = code_of(tree / proof.threads, tree / "protocol", FORMS[form])
        self._proof = proof
        self.form = form

    def allows(self, herd: Herd, case: Case, condition: str) -> bool:
        """Whether the model allows an execution that ends with the condition."""
        threads = [self._code[name] for name in case.threads]
        proof = self._proof
        begin, retries, tries = case.begin, case.retries, case.tries
        text = litmus(case.name, threads, proof.shared, begin, condition, retries, tries)
        return herd.comes_true(text, has_halves=proof.has_halves, in_order=proof.in_order)


def findings(herd: Herd, subject: Subject, case: Case) -> Iterator[str]:
    """Yield the errors of a case: a broken rule, or a condition that is never reached."""
    name = f"{case.name}, {subject.form}"
    if subject.allows(herd, case, case.forbidden):
        yield f"{name}: broken: {case.rule}"
    for condition in case.reached:
        if not subject.allows(herd, case, condition):
            yield f"{name}: never reached: {condition}"


def mutated(proof: Proof, fault: ByHand, form: str) -> tuple[str, Subject]:
    """Return the key of the fault, and the threads compiled with it."""
    mutant = fault.mutant(ROOT)
    with tempfile.TemporaryDirectory(prefix="plafond-memory-") as folder:
        tree = Path(folder)
        for part in ("protocol", "proof/memory_model"):
            copytree(ROOT / part, tree / part)
        file = tree / mutant.file
        file.write_bytes(mutant.apply(file.read_bytes()))
        return mutant.key, Subject(proof, tree, form)


def fate_of(herd: Herd, proof: Proof, fault: Fault) -> Fate:
    """Return whether its case finds the fault."""
    key, subject = mutated(proof, fault.fault, fault.form)
    (case,) = proof.named(fault.case)
    is_found = subject.allows(herd, case, case.forbidden)
    verdict = KILLED if is_found else SURVIVED
    return Fate(mutant=key, verdict=verdict, by=f"{case.name}: broken: {case.rule}")


def fate_of_needless(herd: Herd, proof: Proof, needless: Needless) -> Fate:
    """Return whether each of its cases holds without the order."""
    key, subject = mutated(proof, needless.fault, needless.form)
    for case in proof.named(*needless.cases):
        if subject.allows(herd, case, case.forbidden):
            return Fate(mutant=key, verdict=KILLED, by=f"{case.name}: broken: {case.rule}")
    held = ", ".join(needless.cases)
    return Fate(mutant=key, verdict=EQUIVALENT, by=f"{needless.why}; without it hold: {held}")


def prove(given: argparse.Namespace) -> bool:
    """Check every case and every fault. Return whether all is as expected."""
    began_s = time.monotonic()
    proof: Proof = PROOFS[given.protocol]
    herd = fetched_herd()
    subjects = {form: Subject(proof, ROOT, form) for form in FORMS}
    cases = [case for case in proof.cases if given.only in case.name]
    asked = [(subjects[form], case) for case in cases for form in case.forms]
    names = {case.name for case in cases}
    faults = [fault for fault in proof.faults if fault.case in names]
    needless = [each for each in proof.needless if names.issuperset(each.cases)]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = pool.map(lambda one: list(findings(herd, *one)), asked)
        fates = [
            *pool.map(lambda fault: fate_of(herd, proof, fault), faults),
            *pool.map(lambda each: fate_of_needless(herd, proof, each), needless),
        ]
        trace = [line for lines in found for line in lines]
    forms = [form for form in FORMS if any(form in case.forms for case in cases)]
    scope = (
        f"{proof.header} under Arm's memory model, {len(cases)} cases of {proof.what}; the machine "
        f"code of gcc for AArch64, {' and '.join(forms)}, in herd7 {herd.version}"
    )
    row = row_of(proof.protocol, CHECK, scope, began_s, faults=fates, trace=trace)
    if given.format == "json":
        print_json(NAME, [row], {}, holds=row.is_right)
    else:
        print("\n".join(trace) or f"{len(asked)} cases hold")
        print_faults(fates)
    return row.is_right


def options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog=NAME, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--protocol", choices=PROOFS, default=GLOBAL_MUTEX.protocol, help="(global-mutex)"
    )
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    given = parser.parse_args()
    names = [case.name for case in PROOFS[given.protocol].cases]
    if not any(given.only in name for name in names):
        parser.error(f"--only: found {given.only!r}; expected {', '.join(names)}")
    return given


if __name__ == "__main__":
    given = options()
    sys.exit(concluded(NAME, lambda: prove(given)))
