# SPDX-License-Identifier: MIT
"""A certificate counts only for the inputs that it names, and only if it is unchanged."""

from collections.abc import Callable
from pathlib import Path

import pytest
from plafond.prove.model import Fault, Row, Verdict

from proof.certificate import Certificate, Found, Reliance, digest, digest_of

ROW = "lazy, boundaries"
PROVER = {"gcc": "gcc 12.2.0", "proof/engine/walk.py": "0f"}
USED, RENEWED = Reliance(is_certified=True), Reliance(is_certified=True, renews=True)
KILLED = {"verdict": "killed", "by": "flat, x86-64: two are inside"}
COUNTED = {"boundaries": 7, "states": 120}
UNITS: dict[str, Found] = {"mutant drop a": KILLED, "mutant drop b": KILLED, "sweep flat": COUNTED}
HEADER = "protocol/word.h"


def asked(_: Found) -> str:
    return "the question"


def row(faults: int = 0) -> Row:
    killed = [Fault(mutant=f"{i}", verdict="killed", by="") for i in range(faults)]
    return Row(protocol="lazy", check="boundaries", scope="", verdict="holds", faults=killed)


class Prover:
    """Counts the units that it must prove."""

    def __init__(self, tree: Path) -> None:
        """Start with a source, `tree/HEADER`."""
        self.tree, self.file = tree, tree / "certificates/lazy.jsonl"
        self.source("#define CEILING 3\n")
        self.found = dict(UNITS)
        self.code = "the machine code"

    def source(self, text: str, name: str = HEADER) -> None:
        """Write a source."""
        (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / name).write_text(text)

    def proved(
        self,
        reliance: Reliance = USED,
        prover: dict[str, str] = PROVER,
        name: str = ROW,
        *,
        is_whole: bool = True,
    ) -> tuple[list[str], Row]:
        """Return the units that were proved, and the row."""
        certificate = Certificate(name, self.file, prover, reliance, self.tree)
        again = []
        for unit, found in self.found.items():
            if certificate.taken(unit, asked) or certificate.taken_of_code(unit, asked, self.code):
                continue
            again.append(unit)
            certificate.note_read([Path(HEADER)], [Path("protocol"), Path("protocol/first")])
            certificate.found(unit, asked({}), self.code, found)
        return again, certificate.certified(row(), is_whole=is_whole)


@pytest.fixture
def prover(tmp_path: Path) -> Prover:
    """A prover whose certificate exists."""
    found = Prover(tmp_path)
    assert found.proved(RENEWED)[0] == list(UNITS)
    return found


def test_what_is_certified_is_not_proved_again(prover: Prover) -> None:
    again, found = prover.proved()

    assert again == []
    assert (found.verdict, found.certificate) == (Verdict.HOLDS, "3 of 3 by certificate")


def test_all_is_proved_if_certificates_are_not_asked_for(prover: Prover) -> None:
    again, found = prover.proved(Reliance())

    assert (again, found.certificate) == (list(UNITS), "")


def test_a_file_has_a_line_for_each_unit_and_each_input_in_order(prover: Prover) -> None:
    lines = prover.file.read_text().splitlines()

    starts = [line.split(",")[0] for line in lines]
    assert starts[0] == '{"row": "lazy'
    assert starts[1:-1] == [
        '{"prover": "gcc"',
        '{"prover": "proof/engine/walk.py"',
        '{"source": "protocol/word.h"',
        '{"folder": "protocol"}',
        '{"folder": "protocol/first"}',
        *(f'{{"unit": "{unit}"' for unit in UNITS),
    ]


def edited(old: str, new: str) -> Callable[[Path], object]:
    def edit(file: Path) -> None:
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))

    return edit


def without_a_mutant(file: Path) -> None:
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(line for line in lines if "drop b" not in line))


def of_another_row(file: Path) -> None:
    other = Prover(file.parent.parent)
    other.proved(RENEWED, name="inbox, design")


def unreadable(file: Path) -> None:
    file.unlink()
    file.mkdir()


EDITED = "3 proved: the seal of its certificate does not fit: it was edited or merged"


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (Path.unlink, "3 proved: there is no certificate"),
        (edited('"killed"', '"equivalent"'), EDITED),
        (edited("120", "121"), EDITED),
        (edited("gcc 12.2.0", "gcc 13.2.0"), EDITED),
        (without_a_mutant, EDITED),
        (lambda file: file.write_text(""), "cannot be read"),
        (lambda file: file.write_text("no line of JSON\n"), EDITED),
        (lambda file: file.write_bytes(b"\xff\xfe"), "cannot be read"),
        (unreadable, "cannot be read"),
        (of_another_row, "its file has another certificate: "),
    ],
)
def test_a_spoilt_certificate_proves_nothing(
    prover: Prover, spoil: Callable[[Path], object], reason: str
) -> None:
    spoil(prover.file)

    again, found = prover.proved()

    assert again == list(UNITS)
    assert found.verdict is Verdict.HOLDS
    assert reason in found.certificate
    assert found.certificate.startswith("0 of 3 by certificate")


OF_ROW = '{"row": "lazy, boundaries"}'


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("[]", "its file has another certificate: []"),
        ("{}", "its file has another certificate: {}"),
        (f"{OF_ROW}\n3", "cannot be read: found 3"),
        (f'{OF_ROW}\n{{"unit": "a", "asked": "", "code": "", "states": [1]}}', "read: found [1]"),
        (f'{OF_ROW}\n{{"unit": "a", "asked": 1, "code": ""}}', "cannot be read: found {"),
        ("not JSON", "cannot be read: Expecting value"),
    ],
)
def test_a_sealed_file_that_is_no_certificate_proves_nothing(
    prover: Prover, lines: str, reason: str
) -> None:
    seal = f'{{"seal": "{digest(*lines.splitlines())}"}}'
    prover.file.write_text(f"{lines}\n{seal}\n")

    again, found = prover.proved()

    assert again == list(UNITS)
    assert reason in found.certificate


def test_another_compiler_proves_all_again(prover: Prover) -> None:
    again, found = prover.proved(prover=PROVER | {"gcc": "gcc 13.2.0"})

    assert again == list(UNITS)
    assert "3 proved: another prover: gcc was gcc 12.2.0, is gcc 13.2.0" in found.certificate


def test_another_prover_is_named_by_its_file(prover: Prover) -> None:
    _, found = prover.proved(prover=PROVER | {"proof/engine/walk.py": "0e", "new.py": "1"})

    assert "3 proved: another prover: new.py, proof/engine/walk.py" in found.certificate


def test_other_machine_code_is_proved_and_its_source_named(prover: Prover) -> None:
    prover.source("#define CEILING 4\n")
    prover.code = "other machine code"

    again, found = prover.proved()

    assert again == list(UNITS)
    assert found.certificate.endswith("3 proved: other machine code: protocol/word.h")


def test_a_source_that_makes_the_same_machine_code_changes_nothing(prover: Prover) -> None:
    prover.source("#define CEILING 3\n#define UNUSED 1\n")

    assert prover.proved()[0] == []


def test_a_comment_changes_nothing_at_all(prover: Prover) -> None:
    prover.source("/* As in the paper. */\n#define CEILING 3 // of R1\n")
    prover.code = "the compiler was not asked for it"

    assert prover.proved()[0] == []


def test_a_header_that_hides_another_one_is_a_change(prover: Prover) -> None:
    prover.source("#define CEILING 5\n", "protocol/first/word.h")
    prover.code = "other machine code"

    again, found = prover.proved()

    assert again == list(UNITS)
    assert found.certificate.endswith("other machine code: protocol/first/word.h")


def test_a_header_in_a_folder_that_is_not_looked_into_changes_nothing(prover: Prover) -> None:
    prover.source("#define CEILING 5\n", "protocol/other/word.h")
    prover.code = "the compiler was not asked for it"

    assert prover.proved()[0] == []


def test_another_question_is_asked(prover: Prover) -> None:
    certificate = Certificate(ROW, prover.file, PROVER, USED, prover.tree)

    assert certificate.taken("sweep flat", lambda _: "of two arrivals") is None
    certificate.found("sweep flat", "of two arrivals", prover.code, COUNTED)
    assert certificate.note == "0 of 1 by certificate; 1 proved: another scenario or fault"


def test_a_new_mutant_is_put_in_and_one_that_is_no_more_loses_its_line(prover: Prover) -> None:
    del prover.found["mutant drop a"]
    prover.found["mutant drop c"] = KILLED

    again, found = prover.proved(RENEWED)

    assert again == ["mutant drop c"]
    assert "1 proved: no line in its certificate" in found.certificate
    assert prover.proved()[0] == []
    assert "drop a" not in prover.file.read_text()


def test_a_part_that_is_renewed_leaves_the_lines_of_the_rest(prover: Prover) -> None:
    prover.found = {"sweep flat": COUNTED, "sweep nested": COUNTED}

    assert prover.proved(RENEWED, is_whole=False)[0] == ["sweep nested"]
    prover.found |= UNITS
    assert prover.proved()[0] == []


def test_a_part_that_is_renewed_after_a_change_drops_the_rest(prover: Prover) -> None:
    prover.source("#define CEILING 4\n")
    prover.code, prover.found = "other machine code", {"sweep flat": COUNTED}
    prover.proved(RENEWED, is_whole=False)
    prover.found = dict(UNITS)

    assert prover.proved()[0] == ["mutant drop a", "mutant drop b"]


def seed_that_draws(unit: str, *, is_drawn: bool = True) -> str:
    seeds = (f"{number}" for number in range(1000))
    return next(s for s in seeds if Reliance(seed=s).draws(ROW, unit) is is_drawn)


def test_a_tenth_is_drawn_by_the_seed() -> None:
    drawn = [{n for n in range(5000) if Reliance(seed=s).draws(ROW, str(n))} for s in "ab"]

    assert all(400 < len(each) < 600 for each in drawn)
    assert drawn[0] != drawn[1]
    assert not any(Reliance().draws(ROW, str(n)) for n in range(100))


def test_what_is_drawn_is_proved_again(prover: Prover) -> None:
    sampled = Reliance(is_certified=True, seed=seed_that_draws("sweep flat"))

    again, found = prover.proved(sampled)

    assert "sweep flat" in again
    assert found.verdict is Verdict.HOLDS
    assert f"; {len(again)} certified and proved again" in found.certificate


@pytest.mark.parametrize(
    ("old", "new", "unit", "difference"),
    [
        ("120", "121", "sweep flat", "states 121, found boundaries 7, states 120"),
        (
            '"killed"',
            '"equivalent"',
            "mutant drop a",
            "certified equivalent, by flat, x86-64: two are inside, found killed",
        ),
    ],
)
def test_a_forged_line_under_a_fitting_seal_is_not_reproduced(
    prover: Prover, old: str, new: str, unit: str, difference: str
) -> None:
    edited(old, new)(prover.file)
    *lines, _ = prover.file.read_text().splitlines()
    seal = f'{{"seal": "{digest(*lines)}"}}'
    prover.file.write_text("".join(f"{line}\n" for line in (*lines, seal)))

    sampled = Reliance(is_certified=True, seed=seed_that_draws(unit), renews=True)
    forged = prover.file.read_text()
    _, found = prover.proved(sampled)

    assert found.verdict is Verdict.VIOLATED
    assert found.trace[0] == "its certificate cannot be reproduced:"
    assert found.trace[1].startswith(f"{unit}: certified ")
    assert difference in found.trace[1]
    assert prover.file.read_text() == forged


def test_nothing_is_written_unless_that_is_asked_for(prover: Prover) -> None:
    before = prover.file.read_text()
    prover.source("#define CEILING 4\n")
    prover.code = "other machine code"
    prover.file.chmod(0o400)
    prover.file.parent.chmod(0o500)
    try:
        assert prover.proved()[1].verdict is Verdict.HOLDS
    finally:
        prover.file.parent.chmod(0o700)

    assert prover.file.read_text() == before


def test_a_row_that_is_wrong_gets_no_certificate(tmp_path: Path) -> None:
    file = tmp_path / "lazy.jsonl"
    certificate = Certificate(ROW, file, PROVER, RENEWED, tmp_path)
    certificate.found("mutant drop a", "", "", KILLED)
    survived = row().model_copy(update={"mutants": 1})

    certificate.certified(survived, is_whole=True)

    assert not file.exists()


def test_two_units_of_one_name_are_refused(tmp_path: Path) -> None:
    certificate = Certificate(ROW, tmp_path / "lazy.jsonl", PROVER, USED, tmp_path)
    certificate.found("mutant drop a", "", "", KILLED)

    with pytest.raises(ValueError, match="two units are named mutant drop a"):
        certificate.found("mutant drop a", "", "", KILLED)


@pytest.mark.parametrize(
    ("name", "same", "other"),
    [
        ("a.py", 'def f():\n    """B."""\n    return 1  # c\n', "def f():\n    return 2\n"),
        ("a.c", "/* b\n */ int f(void) { return 1; }\n", "int f(void) { return 2; }\n"),
        ("b.c", "char *f(void) { return 1; }\n\n", 'char *f(void) { return "/* 1 */"; }\n'),
    ],
)
def test_a_file_is_the_same_but_for_its_comments(
    name: str, same: str, other: str, tmp_path: Path
) -> None:
    def hashed(text: str) -> str:
        (tmp_path / name).write_text(text)
        return digest_of(tmp_path / name)

    bare = "def f():\n    return 1\n" if name.endswith("py") else same.replace("/* b\n */ ", "")
    assert hashed(same) == hashed(bare)
    assert hashed(same) != hashed(other)
    assert digest_of(tmp_path / "none.c") == "missing"
