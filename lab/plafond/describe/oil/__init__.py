# SPDX-License-Identifier: MIT
"""Files of OSEK's implementation language, OIL 2.5, converted while they are read."""
