# SPDX-License-Identifier: MIT
"""How much processor time two protocols leave to others (Carminati 2012, Section VI)."""
