# SPDX-License-Identifier: MIT
"""`plafond run`: execute a description under several protocols, and measure.

A call of this package is a call of run() in notebook.py, because `plafond.run` is its name, too.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """A module that can be called."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run a description, and return the results: see run() in notebook.py."""
        # By its name, because notebook.py is a layer above this package.
        return import_module("plafond.notebook").run(*arguments, **named)


sys.modules[__name__].__class__ = _Callable
