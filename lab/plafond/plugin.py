# SPDX-License-Identifier: MIT
"""Protocols of other packages for Plafond's own kernel: the entry point group `plafond.protocols`.

The name of the entry point is the name of the protocol, and its value is a `Plugin`. The name has a
dot, as in `mine.ceiling`, so that it differs from the names of all versions of Plafond. The
registry loads the value, so its module imports nothing else of `plafond` at its top. The functions
of the module may import everything.
"""

import re
import sys
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

# From a System and its Task to Bounds or a str: analyse/plugged.py checks that.
Analysis = Callable[[Any, Any], Any]
GROUP = "plafond.protocols"
# The contract of a folder: kernel/resource.h.
HEADERS = ("plf_words.h", "plf_resource.h", "plf_level.h")
SCHEDULERS = ("priority", "hardware")
ANALYSES = ("ceiling", "inherit", "none")  # of resources of one CPU, under SCHEDULERS
_WORDS = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
_NAME = re.compile(rf"{_WORDS}\.{_WORDS}")


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """A protocol for resources of one CPU.

    There is no default for `analysis`, because the bounds of another protocol do not hold:

    - a function returns the bounds of a task in ns, or the reason why the task has none. They are
      for the times of the description. It may raise NoWindowError;
    - a name of ANALYSES says that the bounds of this analysis hold for the protocol;
    - None: no task has a bound.
    """

    analysis: Analysis | str | None
    kernel: Path  # the folder with HEADERS
    schedulers: tuple[str, ...] = ("priority",)  # some of SCHEDULERS
    is_called: bool = False  # its sections are system calls; otherwise they are user code
    waits: bool = False  # a task waits while another task holds the resource


def load_plugins() -> dict[str, Plugin]:
    """Return the plug-ins of all installed packages by name.

    A wrong plug-in is left out, because commands that do not use it must work. A line on standard
    error has the reason.
    """
    found: dict[str, Plugin] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        plugin, why = _loaded(point, found)
        if plugin:
            found[point.name] = plugin
        else:
            package = f" of {point.dist.name}" if point.dist else ""
            print(f"plafond: left out the protocol {point.name}{package}: {why}", file=sys.stderr)
    return found


def _loaded(point: EntryPoint, taken: Container[str]) -> tuple[Plugin | None, str]:
    """Return the plug-in, or None and the reason."""
    if not _NAME.fullmatch(point.name):
        return None, "found this name; expected two words with a dot between, as in mine.ceiling"
    if point.name in taken:
        return None, "found the name in two packages; expected different names"
    try:
        plugin = point.load()
    except Exception as error:
        return None, f"found {type(error).__name__}: {error}; expected {point.value} to load"
    if not isinstance(plugin, Plugin):
        return None, f"found {type(plugin).__name__}; expected plafond.plugin.Plugin"
    why = next(_faults(plugin), "")
    return (None, why) if why else (plugin, "")


def _faults(plugin: Plugin) -> Iterator[str]:
    analysis = plugin.analysis
    if not (analysis is None or callable(analysis) or analysis in ANALYSES):
        expected = f"a function, None or one of {', '.join(ANALYSES)}"
        yield f"found the analysis {analysis!r}; expected {expected}"
    missing = [name for name in HEADERS if not (plugin.kernel / name).is_file()]
    if missing:
        yield f"found no {missing[0]} in {plugin.kernel}; expected {', '.join(HEADERS)}"
    if not plugin.schedulers or not {*plugin.schedulers} <= {*SCHEDULERS}:
        yield f"found the schedulers {plugin.schedulers}; expected some of {', '.join(SCHEDULERS)}"
