# SPDX-License-Identifier: MIT
"""`plafond check`: find mistakes in a description, and report its ceilings, floors and load."""
