# SPDX-License-Identifier: MIT
"""What pydantic finds wrong, in words for a user."""

from pydantic import ValidationError

_PREFIX = "Value error, "  # of what a validator of ours says


def first_problem(error: ValidationError) -> str:
    """Return where the first problem is, such as `rows.0.check`, and what it is."""
    first = error.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    what = first["msg"].removeprefix(_PREFIX)
    return f"{place}: {what}" if place else what
