# SPDX-License-Identifier: MIT
"""Descriptions that a test writes: some.toml or some.json, in a folder of its own."""

from pathlib import Path

import pytest

from plafond.describe import load
from plafond.describe.problems import DescriptionError
from plafond.describe.system import System


def described(folder: Path, text: str, name: str = "some.toml") -> System:
    """Return the system of a description."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return load(file)


def mistakes(folder: Path, text: str, name: str = "some.toml") -> list[str]:
    """Return the messages about one that is wrong, without the folder."""
    with pytest.raises(DescriptionError) as caught:
        described(folder, text, name)
    return str(caught.value).replace(f"{folder}/", "").splitlines()
