# SPDX-License-Identifier: MIT
"""`plafond doctor`: what this machine gives a real-time program."""
