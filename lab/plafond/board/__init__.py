# SPDX-License-Identifier: MIT
"""Images of Plafond's own kernel: where they run, and what comes back."""
