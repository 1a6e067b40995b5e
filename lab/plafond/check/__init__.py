# SPDX-License-Identifier: MIT
"""`plafond check`: is a description right, and what follows from it."""
