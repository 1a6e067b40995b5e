# SPDX-License-Identifier: MIT
"""Descriptions that a test writes as some.toml or some.json into its folder."""

from pathlib import Path

import pytest

from plafond.describe import load
from plafond.describe.problems import DescriptionError
from plafond.describe.system import System


def described(folder: Path, text: str, name: str = "some.toml") -> System:
    """Write a description and return its system."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return load(file)


def mistakes(folder: Path, text: str, name: str = "some.toml") -> list[str]:
    """Return the messages about a wrong description, without the folder's name."""
    with pytest.raises(DescriptionError) as caught:
        described(folder, text, name)
    return str(caught.value).replace(f"{folder}/", "").splitlines()
