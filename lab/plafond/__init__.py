# SPDX-License-Identifier: MIT
"""The lab of Plafond: the command line around its libraries and measuring programs."""
