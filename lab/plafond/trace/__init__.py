# SPDX-License-Identifier: MIT
"""The traces of runs, and the measures that are computed from them."""
