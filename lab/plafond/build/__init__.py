# SPDX-License-Identifier: MIT
"""`plafond build`: images of Plafond's own kernel, generated from a description."""
