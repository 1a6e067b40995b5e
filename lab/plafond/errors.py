# SPDX-License-Identifier: MIT
"""The kinds of failure, each with its exit code and a line for the user."""


class PlafondError(Exception):
    """A failure that is reported in one line."""

    exit_code = 1
    prefix = "plafond: "


class RefusedError(PlafondError):
    """This machine or this user may not do the requested thing, because a privilege is missing."""

    exit_code = 2


class ArgumentError(PlafondError):
    """An option has a value that it cannot have."""

    exit_code = 2
