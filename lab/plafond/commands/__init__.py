# SPDX-License-Identifier: MIT
"""The command line: one file a command. Nothing else in the lab uses these."""
