# SPDX-License-Identifier: MIT
"""Tests of the proofs' own verdicts."""
