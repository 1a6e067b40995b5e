# SPDX-License-Identifier: MIT
"""Faults in plafond.ko, tried in a guest."""
