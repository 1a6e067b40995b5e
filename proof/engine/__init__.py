# SPDX-License-Identifier: MIT
"""Runs machine code in Unicorn, and explores all arrivals."""
