# SPDX-License-Identifier: MIT
"""Tests of EDF on several processors: whether sporadic tasks keep their deadlines.

Tests of global EDF are only sufficient: tasks that all tests reject may still keep all deadlines.
"""
