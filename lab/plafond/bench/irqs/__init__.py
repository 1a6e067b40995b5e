# SPDX-License-Identifier: MIT
"""`plafond bench irqs`: interrupt threads in reservations, after OSPERT 2010, 6."""
