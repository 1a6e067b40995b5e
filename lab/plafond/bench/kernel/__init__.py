# SPDX-License-Identifier: MIT
"""Repeat Zuepke's evaluation on a board of QEMU: `plafond bench kernel`."""
