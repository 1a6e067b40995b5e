# SPDX-License-Identifier: MIT
"""What was measured once is kept in a file, and found again only by all that it depends on."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from plafond.errors import RefusedError


class Kept:
    """A result in a file, with a hash of what it depends on."""

    def __init__(self, file: Path, depends_on: Iterable[bytes]) -> None:
        """Take the file, and the contents that make another one of it if they change."""
        self._file = file
        parts = b"".join(sha256(part).digest() for part in depends_on)
        self._key = sha256(parts).hexdigest()

    def read(self) -> dict[str, Any] | None:
        """Return it, or None: there is none, or of something else."""
        try:
            content: dict[str, Any] = json.loads(self._file.read_text())
        except (OSError, ValueError):
            return None
        return content if content.pop("key", None) == self._key else None

    def write(self, content: Mapping[str, Any]) -> None:
        """Keep it."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps({"key": self._key, **content}, indent=2))
        except OSError as error:
            raise RefusedError(f"cannot write to {self._file}: {error.strerror}") from None
