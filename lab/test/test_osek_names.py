# SPDX-License-Identifier: MIT
"""Keys of OSEK or of its tools that a description does not have."""

from itertools import chain

import pytest

from plafond.describe.description import SINGLE, TABLES, Description
from plafond.describe.fields import Strict, fields_of, oil_of

MODELS: dict[str, type[Strict]] = {"": Description, **SINGLE, **TABLES}


@pytest.mark.parametrize("table", MODELS)
def test_each_name_means_one_field_and_is_no_other(table: str) -> None:
    fields = fields_of(MODELS[table])
    names = {name: oil_of(field).plain_names for name, field in fields.items()}
    theirs = [*chain(*names.values(), MODELS[table].elsewhere)]
    assert all(key.isalpha() and key == key.lower() for key in theirs)
    assert len(theirs) == len(set(theirs))
    assert not [name for name in names if names[name] & (fields.keys() - {name})]
