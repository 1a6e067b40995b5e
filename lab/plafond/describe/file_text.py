# SPDX-License-Identifier: MIT
"""The text of a file that is, or belongs to, a description."""

from pathlib import Path

from plafond.errors import PlafondError

LARGEST_FILE = 1 << 20


def text_of(file: Path, form: str) -> str:
    """Return it; PlafondError if it cannot be read, is too large, or is not UTF-8."""
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise PlafondError(f"{file}: found more than 1 MiB; expected a description")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise PlafondError(f"{file}: {error.strerror}; expected a description ({form})") from None
    except UnicodeDecodeError:
        raise PlafondError(f"{file}: found bytes that are not UTF-8; expected {form}") from None
