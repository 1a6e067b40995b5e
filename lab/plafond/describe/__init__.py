# SPDX-License-Identifier: MIT
"""The description of a system: what a user writes, and what is made of it.

What reads one is imported when it is first asked for: that takes longer than what a program does
that only starts an image.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plafond.describe.loading import load, loads
    from plafond.describe.system import System

__all__ = ["System", "load", "loads"]


def __getattr__(name: str) -> Any:
    """Import one of `__all__`."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{'system' if name == 'System' else 'loading'}")
    return getattr(module, name)
