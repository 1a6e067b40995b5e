# SPDX-License-Identifier: MIT
"""`plafond bench cpmd`: cache-related preemption and migration delay, OSPERT 2010, 4."""
