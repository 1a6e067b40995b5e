# SPDX-License-Identifier: MIT
"""Words that several CPUs share, under Arm's memory model, in herd7."""
