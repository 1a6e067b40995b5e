# SPDX-License-Identifier: MIT
"""The certificates of designs: searches of models, and mutants."""

from __future__ import annotations

from plafond.prove.model import Fault

from proof.certificate import FOLDER, Certificate, Found, Reliance, digest, digest_of
from proof.design.cases import Case
from proof.design.mutants import asked
from proof.design.protocols import Proof
from proof.design.spin import HERE, Search, run
from proof.mutation import Mutant
from proof.prover import compilers, packages
from proof.result import ROOT

_PROVER = ("spin.py", "cases.py", "mutants.py", "model.pml")


def certificate_of(proof: Proof, reliance: Reliance) -> Certificate:
    """Return the certificate of a protocol's row."""
    files = {str((HERE / name).relative_to(ROOT)): digest_of(HERE / name) for name in _PROVER}
    spin = run(["spin", "-V"], HERE).strip()
    prover = {**packages(), **compilers(["gcc"]), "spin": spin, **files}
    file = FOLDER / proof.protocol / "design.jsonl"
    return Certificate(f"{proof.protocol}, design", file, prover, reliance)


class Searched:
    """A case as a unit of a certificate."""

    def __init__(self, unit: str, case: Case) -> None:
        """`unit`: its name in the certificate."""
        self.unit, self.case = unit, case

    def asked(self, found: Found) -> str:
        """Hash the model. The expected answers are compared again in each run."""
        return digest(*sorted(found), repr(self.case.model()))


def found_by(search: Search) -> Found:
    """Return the finding in the form of a certificate."""
    return {
        "states": search.states,
        "depth": search.depth,
        "reached": "".join("01"[is_reached] for is_reached in search.reached),
        "rules": " ".join(sorted(search.asked)),
        "way": "\n".join(search.way),
    }


def search_of(found: Found) -> Search:
    """Return the search from the finding in a certificate."""
    return Search(
        int(found["states"]),
        int(found["depth"]),
        tuple(bit == "1" for bit in str(found["reached"])),
        frozenset(str(found["rules"]).split()),
        tuple(str(found["way"]).splitlines()),
    )


class PutIn:
    """A mutant as a unit of a certificate."""

    def __init__(self, unit: str, proof: Proof, mutant: Mutant) -> None:
        """`unit`: its name in the certificate."""
        self.unit, self.mutant, self._proof = unit, mutant, proof

    def asked(self, found: Found) -> str:
        """Hash the fault and the case that found it."""
        return asked(self._proof, self.mutant, found)

    def fault(self, found: Found) -> Fault:
        """Return the fault for the table."""
        verdict, by = str(found["verdict"]), str(found["by"])
        return Fault(mutant=self.mutant.key, verdict=verdict, by=by, line=self.mutant.line)
