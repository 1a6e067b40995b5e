# SPDX-License-Identifier: MIT
"""`plafond bench servers`: what servers share on a stock kernel, after OSPERT 2010, 5.

It runs plans, so it lies above them, and not in `plafond.bench`.
"""
