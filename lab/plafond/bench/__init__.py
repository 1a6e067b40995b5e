# SPDX-License-Identifier: MIT
"""The measurements of `plafond bench` on this machine."""
