# SPDX-License-Identifier: MIT
"""Whether sporadic tasks keep their deadlines under EDF on several processors: a file a test.

Tests of global EDF are sufficient only: what none accepts may still keep all deadlines.
"""
