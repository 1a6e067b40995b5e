# SPDX-License-Identifier: MIT
"""Read the kernel's own trace, which has every thread that ran, described or not."""
