# SPDX-License-Identifier: MIT
"""Measure the processor time that two protocols leave to others (Carminati 2012, Section VI)."""
