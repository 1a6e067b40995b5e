# SPDX-License-Identifier: MIT
"""Test the verdicts of the proofs."""
