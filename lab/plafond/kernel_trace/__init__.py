# SPDX-License-Identifier: MIT
"""What the kernel's own trace says of every thread that ran, described or not."""
