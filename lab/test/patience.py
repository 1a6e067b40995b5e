# SPDX-License-Identifier: MIT
"""When a test takes a process for hung: nothing on a busy machine takes as long."""

HUNG_S = 1800.0
