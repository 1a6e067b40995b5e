# SPDX-License-Identifier: MIT
"""Run images of Plafond's own kernel on boards, and read their results."""
