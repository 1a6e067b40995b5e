# SPDX-License-Identifier: MIT
"""Keys that a description does not have, but OSEK or its tools do."""

import pytest

from plafond.describe.osek_names import ELSEWHERE, FIELDS
from plafond.describe.schema import TABLES, Description, KernelFields, Strict, expected, fields_of

MODELS: dict[str, type[Strict]] = {"": Description, "kernel": KernelFields, **TABLES}


@pytest.mark.parametrize("table", FIELDS)
def test_each_name_means_a_field_and_is_none(table: str) -> None:
    fields = fields_of(MODELS[table])
    for key, field in FIELDS[table].items():
        assert field in fields, key
        assert expected(MODELS[table], field), key
    theirs = [*FIELDS[table], *ELSEWHERE.get(table, {})]
    assert not [key for key in theirs if key in fields or not key.isalpha() or key != key.lower()]
    assert len(theirs) == len(set(theirs))
