# SPDX-License-Identifier: MIT
"""Arrivals at every instruction boundary of a driver, and faults that must be found."""
