# SPDX-License-Identifier: MIT
"""Measure the drop-in with programs that know only pthreads: `plafond bench pthread`."""
