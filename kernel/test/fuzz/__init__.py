# SPDX-License-Identifier: MIT
"""Random systems and programs: the kernel's history beside that of a model of the standard."""
