# SPDX-License-Identifier: MIT
"""The lab of Plafond: the command line around its libraries and measuring programs.

`plafond.run()` and `plafond.draw()` are for notebooks: notebook.py. They are imported on first use,
because a command should not wait for them.
"""

from importlib import import_module

TYPE_CHECKING = False  # as of typing, whose import takes long before plafond.starting
if TYPE_CHECKING:
    from typing import Any

__all__ = ["draw", "run"]


def __getattr__(name: str) -> "Any":
    """Import a name of `__all__` on first use."""
    match name:
        case "run":
            return import_module(f"{__name__}.run")  # a package that can be called
        case "draw":
            return import_module(f"{__name__}.notebook").draw
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
