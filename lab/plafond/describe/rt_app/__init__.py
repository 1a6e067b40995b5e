# SPDX-License-Identifier: MIT
"""Descriptions of the scheduling tool rt-app, converted while they are read."""
