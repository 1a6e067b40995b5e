# SPDX-License-Identifier: MIT
"""Search the design of the lazy protocols exhaustively, with Spin, on the code that ships.

The models include the headers of protocol/. A task's half stops at each access to a shared word
(replay.h). Every interleaving of the halves is explored, with the kernel's halves in between. The
queries come from Almatary 2015, Section VI, for its forms as printed and for ours. There are more:
any nests, ceilings that fall, EDF with a clock that wraps. A control must break a rule, and the
shortest way to the broken rule is printed.

Exit code: 0 all answers are as expected, 1 a rule is broken or a fault survived, 2 could not run or
the search did not end.

Examples:
  python -m proof.design
  python -m proof.design --protocol lazy-floor --mutants
  python -m proof.design --query "level == 6"
  python -m proof.design --protocol lazy-ceiling --format json
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from plafond.prove.model import ARGUED, Extent, Fault, Row

from proof.certificate import Certificate, Found, add_reliance, reliance_of, units_of
from proof.design.cases import Answer, Case, answers
from proof.design.certified import (
    PutIn,
    Searched,
    certificate_of,
    found_by,
    search_of,
)
from proof.design.earlier import compared
from proof.design.link import linked
from proof.design.mutants import fate
from proof.design.protocols import PROOFS, Proof
from proof.design.scheduled import scheduled
from proof.design.spin import FOLDERS, PROTOCOL, Search, build, code_of, prepare, search, sources_of
from proof.extent import add_extent
from proof.result import KILLED, CouldNotRunError, concluded, print_faults, print_json, row_of

NAME = "proof.design"
SMALL = "the small cases and the faults"
ROW = "{:<32} {:<56} {:>8}  {}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=NAME,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = [proof.protocol for proof in PROOFS]
    parser.add_argument("--protocol", choices=names, help="only this one (all)")
    parser.add_argument(
        "--query", metavar="TEXT", default="", help="only cases and queries that contain this"
    )
    parser.add_argument("--mutants", action="store_true", help="put in faults, too")
    add_extent(parser, SMALL)
    add_reliance(parser)
    parser.add_argument("--format", choices=("table", "json"), default="table")
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        default=min(2, os.cpu_count() or 1),
        help="searches at a time (2 at most by default)",
    )
    return parser.parse_args()


def _chosen(proof: Proof, text: str) -> list[Case]:
    return [
        case
        for case in proof.cases
        if text in f"{case.form}, {case.name}" or any(text in q.text for q in case.queries)
    ]


T = TypeVar("T")


class Run:
    """A run of the command, with its folder and options."""

    def __init__(self, given: argparse.Namespace, folder: Path) -> None:
        """`folder`: for built files."""
        self.given = given
        self.folder = folder
        self.extent: Extent = given.extent
        self.as_table = given.format == "table"
        self.certificates: dict[str, Certificate] = {}

    def _each(self, work: Sequence[Callable[[], T]]) -> Iterator[T]:
        """Yield the results in order, some computed at a time. The searches are separate
        programs."""
        with ThreadPoolExecutor(self.given.jobs) as pool:
            waiting = [pool.submit(each) for each in work]
            try:
                for each in waiting:
                    yield each.result()
            finally:
                for each in waiting:
                    each.cancel()

    def _search(self, proof: Proof, number: int, searched: Searched) -> Found | None:
        """Return the finding, or None if the machine code is certified."""
        certificate = self.certificates[proof.protocol]
        own = self.folder / proof.protocol / str(number)
        program = build(searched.case.model(), self.folder, own, PROTOCOL, strict=True)
        line = certificate.candidate(searched.unit, searched.asked)
        return None if line and line.code == code_of(program) else found_by(search(program))

    def _searches(self, proof: Proof) -> Iterator[tuple[Case, Search]]:
        """Yield the searches of a protocol's cases, in order."""
        certificate = self.certificates[proof.protocol]
        cases = _chosen(proof, self.given.query)
        units = units_of("search", [f"{case.form}, {case.name}" for case in cases])
        chosen = [
            Searched(unit, case)
            for unit, case in zip(units, cases, strict=True)
            if self.extent.takes(case.is_small)
        ]
        found = {each.unit: certificate.taken(each.unit, each.asked) for each in chosen}
        work = [
            lambda number=number, each=each: (number, self._search(proof, number, each))
            for number, each in enumerate(chosen)
            if found[each.unit] is None
        ]
        results = self._each(work)
        for each in chosen:
            known = found[each.unit]
            if known is None:
                number, known = next(results)
                program = self.folder / proof.protocol / str(number) / "pan"
                known = self._noted(certificate, each, program, known)
            yield each.case, search_of(known)

    @staticmethod
    def _noted(
        certificate: Certificate, each: Searched, program: Path, found: Found | None
    ) -> Found:
        certificate.note_read(sources_of(program), FOLDERS)
        code = code_of(program)
        if found is None:
            known = certificate.taken_of_code(each.unit, each.asked, code)
            assert known is not None
            return known
        certificate.found(each.unit, each.asked(found), code, found)
        return found

    def searched(self, proof: Proof) -> list[Answer]:
        """Return all answers of a protocol, and print each as it comes."""
        text = self.given.query
        rows: list[Answer] = []
        for case, found in self._searches(proof):
            for row in answers(case, found):
                rows.append(row)
                self._print(row)
        if not text and proof.is_of_one_core:
            more = []
            if proof.protocol == "lazy-floor":
                more += compared(self.folder, PROTOCOL, self.extent)
            if self.extent.takes(is_small=True):
                more += linked(proof.protocol, self.folder)
            if proof.has_scheduler:
                more += scheduled(proof.cases, self.folder, self.extent)
            for row in more:
                rows.append(row)
                self._print(row)
        return rows

    def _print(self, row: Answer) -> None:
        if not self.as_table:
            return
        verdict = row.found if row.is_expected else f"{row.found} (EXPECTED: {row.expected})"
        print(ROW.format(row.form, f"{row.name}: {row.query}", row.states, verdict), flush=True)
        print(*(f"    {line}" for line in row.way), sep="\n", end="\n" if row.way else "")

    def tried(self, proof: Proof) -> list[Fault]:
        """Try all faults of a protocol. Each breaks a rule within a few states, so they are
        quick."""
        certificate = self.certificates[proof.protocol]
        mutants = proof.mutants(self.extent)
        units = units_of("mutant", [mutant.key for mutant in mutants])
        put_in = [PutIn(u, proof, mutant) for u, mutant in zip(units, mutants, strict=True)]
        found = {each.unit: certificate.taken(each.unit, each.asked) for each in put_in}
        work = [
            lambda number=number, each=each: self._fate(proof, number, each)
            for number, each in enumerate(put_in)
            if found[each.unit] is None
        ]
        results = self._each(work)
        fates: list[Fault] = []
        for each in put_in:
            known = found[each.unit]
            if known is not None:
                fates.append(each.fault(known))
                continue
            fate = next(results)
            fates.append(fate)
            if fate.verdict == KILLED or fate.verdict in ARGUED:
                now = {"verdict": fate.verdict, "by": fate.by}
                certificate.found(each.unit, each.asked(now), "", now)
        if self.as_table:
            print_faults(fates)
        return fates

    def _fate(self, proof: Proof, number: int, each: PutIn) -> Fault:
        line = self.certificates[proof.protocol].line(each.unit)
        own = self.folder / f"{proof.protocol}-mutant{number}"
        before = None if line is None else line.found
        return fate(proof, each.mutant, self.folder, own, self.extent, before)

    def row(self, proof: Proof) -> tuple[Row, list[Answer]]:
        """Return the protocol's row of `plafond prove`, and its details."""
        began_s = time.monotonic()
        self.certificates[proof.protocol] = certificate_of(proof, reliance_of(self.given))
        if self.as_table:
            print(f"{proof.protocol}: {proof.scope}")
            print(ROW.format("form", "case and query", "states", "answer"))
        found = self.searched(proof)
        wrong = next((each for each in found if not each.is_expected), None)
        is_tried = self.given.mutants and wrong is None
        row = row_of(
            proof.protocol,
            "design",
            f"{self.extent.label(SMALL)}{proof.scope}; {sum(each.states for each in found)} states",
            began_s,
            faults=self.tried(proof) if is_tried else (),
            trace=() if wrong is None else wrong.way or (f"{wrong.name}: {wrong.found}",),
        )
        is_whole = self.extent is Extent.WHOLE and not self.given.query and is_tried
        row = self.certificates[proof.protocol].certified(row, is_whole=is_whole)
        if self.as_table:
            print(f"{row.verdict}: {row.scope}, {row.seconds} s\n", flush=True)
        return row, found


def prove(given: argparse.Namespace) -> bool:
    """Run the whole command. Return whether all answers are as expected."""
    wanted = [p for p in PROOFS if given.protocol in (None, p.protocol)]
    if given.query:
        wanted = [p for p in wanted if _chosen(p, given.query)]
    if not wanted:
        raise CouldNotRunError(f"no case and no query contains {given.query!r}")
    with tempfile.TemporaryDirectory(prefix="plafond-design-") as name:
        folder = Path(name)
        prepare(folder)
        found = [Run(given, folder).row(proof) for proof in wanted]
    rows = [row for row, _ in found]
    holds = all(row.is_right for row in rows)
    if given.format == "json":
        reported = {row.protocol: [asdict(each) for each in more] for row, more in found}
        print_json(NAME, rows, {"answers": reported}, holds=holds)
    return holds


if __name__ == "__main__":
    given = _options()
    sys.exit(concluded(NAME, lambda: prove(given)))
