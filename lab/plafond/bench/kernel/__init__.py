# SPDX-License-Identifier: MIT
"""`plafond bench kernel`: Zuepke's evaluation, measured again on a board of QEMU."""
