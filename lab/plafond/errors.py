# SPDX-License-Identifier: MIT
"""What can go wrong, each with its exit code and one line for the user."""


class PlafondError(Exception):
    """A failure that is reported in one line."""

    exit_code = 1
    prefix = "plafond: "


class RefusedError(PlafondError):
    """This machine or this user may not do what was asked: a privilege is missing."""

    exit_code = 2


class ArgumentError(PlafondError):
    """An option has a value that it cannot have."""

    exit_code = 2
