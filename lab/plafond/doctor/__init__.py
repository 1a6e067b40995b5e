# SPDX-License-Identifier: MIT
"""`plafond doctor`: the fitness of this machine for real-time programs."""
