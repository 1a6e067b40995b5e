# SPDX-License-Identifier: MIT
"""Identify this machine."""

from pathlib import Path


def cpu_model() -> str:
    """Return the processor's name in /proc/cpuinfo, or `unknown`."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return "unknown"
