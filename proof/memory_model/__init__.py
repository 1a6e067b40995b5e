# SPDX-License-Identifier: MIT
"""Words of several CPUs under Arm's memory model, in herd7."""
