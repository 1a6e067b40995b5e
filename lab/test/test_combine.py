# SPDX-License-Identifier: MIT
"""The table of combinations: it refuses no pair that works, and each pair that does not."""

from itertools import combinations
from pathlib import Path

import pytest
from combinations import choice_for, choices, groups, refusing, with_implied, write

import plafond.describe.features as of
from plafond.analyse.analysis import analyse
from plafond.board.boards import BOARDS
from plafond.build.locks import locks_of
from plafond.build.refuse import refuse_unfit
from plafond.check.combination_text import combination_text
from plafond.describe import load
from plafond.describe.combine import FEATURES, ROWS, Place, Row, refusals
from plafond.describe.features import Feature
from plafond.describe.problems import DescriptionError
from plafond.describe.subject import subject_of

BOARD = BOARDS["a53"]
KERNELS = (Place.EVERYWHERE, Place.KERNEL)
RESULT = Path(__file__).parents[2] / "docs/results/check-combinations.txt"
OF_FILES = {of.MUTEXES}  # because a system does not know whether its file had mutexes


def words_of(row: Row) -> str:
    return f"{row.feature.name} with {row.other.name if row.other else 'nothing'}"


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_a_fragment_has_its_feature_and_no_other(tmp_path: Path, feature: Feature) -> None:
    choice = choice_for([feature]) or next(choices([feature]))
    system = load(write(tmp_path, [feature], choice))
    subject = subject_of(system, choice.protocol, choice.across)
    found = {each for each in FEATURES if any(each.uses(subject))}
    assert found == (with_implied([feature]) | choice.features) - OF_FILES


@pytest.mark.parametrize("row", [row for row in ROWS if row.place in KERNELS], ids=words_of)
def test_a_row_refuses_what_it_names(tmp_path: Path, row: Row) -> None:
    features = [each for each in (row.feature, row.other) if each]
    implied = with_implied(features)
    choice = min(choices(features), key=lambda each: len(refusing(implied | each.features)))
    file = write(tmp_path, features, choice)
    system = load(file) if row.place is Place.KERNEL else None
    with pytest.raises(DescriptionError) as refused:
        refuse_unfit(system, BOARD, locks_of(system, BOARD, None)) if system else load(file)
    expected = f"{row.instead}: {row.reason}".format(protocol=choice.protocol, board=BOARD.name)
    assert any(problem.expected == expected for _, problem in refused.value.problems)


@pytest.mark.parametrize("row", [row for row in ROWS if row.place is Place.ANALYSIS], ids=words_of)
def test_tasks_that_have_both_have_no_bound(tmp_path: Path, row: Row) -> None:
    features = [each for each in (row.feature, row.other) if each]
    for wanted in (features, features[:1], features[1:]):
        report = analyse(load(write(tmp_path, wanted, next(choices(wanted)))))
        assert any(row.why in note for note in report.notes) == (wanted == features)


@pytest.mark.parametrize("row", [row for row in ROWS if row.place is Place.OVERHEADS], ids=words_of)
def test_tasks_that_have_both_have_no_bound_with_overheads(tmp_path: Path, row: Row) -> None:
    features = [each for each in (row.feature, row.other) if each]
    for wanted in (features, features[:1], features[1:]):
        system = load(write(tmp_path, wanted, next(choices(wanted))))
        found = list(refusals(subject_of(system), Place.OVERHEADS))
        assert any(row.why in each for each in found) == (wanted == features)


def test_each_pair_is_in_a_group_or_refused() -> None:
    grouped = {
        frozenset(pair)
        for group, choice in groups()
        for pair in combinations(with_implied(group) | choice.features, 2)
    }
    for pair in combinations(FEATURES, 2):
        refused = [bool(refusing(with_implied(pair) | each.features)) for each in choices(pair)]
        assert (frozenset(pair) in grouped) != all(refused)


def test_the_guide_has_the_table() -> None:
    assert RESULT.read_text() == f"$ ./plafond check --combinations\n{combination_text()}\n"
