# SPDX-License-Identifier: MIT
"""The text of a file that is a description or belongs to one."""

from pathlib import Path

from plafond.errors import PlafondError
from plafond.regular import open_regular

LARGEST_FILE = 1 << 20


def text_of(file: Path, form: str, *, may_be_latin_1: bool = False) -> str:
    """Return the text; PlafondError if the file is unreadable, over 1 MiB or not UTF-8.

    Only a regular file is read. `may_be_latin_1`: a file that is not UTF-8 is Latin-1.
    """
    try:
        with open_regular(file) as opened:
            content = opened.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise PlafondError(f"{file}: found more than 1 MiB; expected a description")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise PlafondError(f"{file}: {error.strerror}; expected a description ({form})") from None
    except UnicodeDecodeError:
        if may_be_latin_1:
            return content.decode("latin-1")
        raise PlafondError(f"{file}: found bytes that are not UTF-8; expected {form}") from None
