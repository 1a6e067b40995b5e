# SPDX-License-Identifier: MIT
"""Measure cache-related preemption and migration delay, OSPERT 2010, 4: `plafond bench cpmd`."""
