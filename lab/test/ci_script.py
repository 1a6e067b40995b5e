# SPDX-License-Identifier: MIT
"""Load the Python scripts of .ci/ as modules."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / ".ci"


def loaded(name: str) -> Any:
    """Return the module of a script, such as `check-docs`, whose name has no suffix."""
    loader = SourceFileLoader(name.replace("-", "_"), str(FOLDER / name))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module
