# SPDX-License-Identifier: MIT
"""Keep a measured result in a file. The result is valid only while its dependencies are equal."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from plafond.errors import RefusedError
from plafond.writing import write_whole


class Kept:
    """A result in a file, with a hash of its dependencies."""

    def __init__(self, file: Path, depends_on: Iterable[bytes]) -> None:
        """Take the file and the contents of all dependencies; a change makes the result invalid."""
        self._file = file
        parts = b"".join(sha256(part).digest() for part in depends_on)
        self._key = sha256(parts).hexdigest()

    def read(self) -> dict[str, Any] | None:
        """Return the result; None if there is none, or if its dependencies were different."""
        try:
            content: dict[str, Any] = json.loads(self._file.read_text())
        except (OSError, ValueError):
            return None
        return content if content.pop("key", None) == self._key else None

    def write(self, content: Mapping[str, Any]) -> None:
        """Write the result to the file; RefusedError if that is impossible."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, json.dumps({"key": self._key, **content}, indent=2))
        except OSError as error:
            raise RefusedError(f"cannot write to {self._file}: {error.strerror}") from None
