# SPDX-License-Identifier: MIT
"""UPRIO|KPRIO, synchronised at each entry or for decisions only, and UPRIO|NPRIO."""

from __future__ import annotations

from proof.design.ceilings import of

KPRIO = (
    *of("uprio_kprio.h", "kprio.c", {"EAGER": 1}),
    *of("uprio_kprio.h, lazy", "kprio.c", {"EAGER": 0}),
)
NPRIO = of("uprio_nprio.h", "nprio.c", {})
