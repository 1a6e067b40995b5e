# SPDX-License-Identifier: MIT
"""Compiles and loads engine/, which has the loops for which Python is too slow."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from unicorn import unicorn_py3

ENGINE = Path(__file__).resolve().parent
COMMAND = [
    "gcc",
    "-std=c17",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Werror",
    "-shared",
    "-fPIC",
]
UNICORN: Any = unicorn_py3.unicorn.uclib  # the engine calls it, too
_HEADERS = Path(unicorn_py3.__file__).resolve().parents[1] / "include"


class CannotLoadError(OSError):
    """There is no compiler, or the compiler refuses."""


class Progress(ctypes.Structure):
    """`struct progress` of engine.h."""

    _fields_ = tuple((name, ctypes.c_int64) for name in ("boundaries", "pairs", "states"))


class Value(ctypes.Structure):
    """`struct value` of numbered.h."""

    _fields_ = (("at", ctypes.c_void_p), ("length", ctypes.c_size_t))


@cache
def prepare() -> ctypes.CDLL:
    """Load the engine; OSError if it cannot be made. Processes that are forked later share it."""
    with tempfile.TemporaryDirectory(prefix="plafond-engine-") as folder:
        target = Path(folder) / "engine.so"
        files = [*map(str, sorted(ENGINE.glob("*.c"))), UNICORN._name, "-o", str(target)]
        try:
            command = [*COMMAND, "-isystem", str(_HEADERS), *files]
            subprocess.run(command, check=True, capture_output=True, text=True)
        except subprocess.CalledProcessError as error:
            raise CannotLoadError(f"proof/engine does not compile: {error.stderr}") from error
        engine = ctypes.CDLL(str(target))
    for function in ("moments_create", "exploration_create", "machine_create", "machine_map"):
        getattr(engine, function).restype = ctypes.c_void_p
    engine.exploration_progress.restype = Progress
    engine.exploration_way.restype = ctypes.c_size_t
    engine.machine_value.restype = Value
    return engine
