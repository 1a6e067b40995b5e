# SPDX-License-Identifier: MIT
"""Describe the errors that pydantic finds, for a user."""

from pydantic import ValidationError

_PREFIX = "Value error, "  # pydantic puts it before the message of our validators


def first_problem(error: ValidationError) -> str:
    """Return the place and the message of the first problem; a place is such as `rows.0.check`."""
    first = error.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    what = first["msg"].removeprefix(_PREFIX)
    return f"{place}: {what}" if place else what
