# SPDX-License-Identifier: MIT
"""Measure interrupt threads in reservations, after OSPERT 2010, 6: `plafond bench irqs`."""
