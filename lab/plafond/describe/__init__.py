# SPDX-License-Identifier: MIT
"""The description of a system: the user's tables, and the `System` made from them.

The names of `__all__` are imported on first use, because importing the reader takes longer than a
program that only starts an image.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plafond.describe.loading import load, loads
    from plafond.describe.system import System

__all__ = ["System", "load", "loads"]


def __getattr__(name: str) -> Any:
    """Import a name of `__all__` on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{'system' if name == 'System' else 'loading'}")
    return getattr(module, name)
