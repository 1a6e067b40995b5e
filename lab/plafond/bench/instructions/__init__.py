# SPDX-License-Identifier: MIT
"""Count the instructions of locks on an emulated processor: `plafond bench instructions`."""
