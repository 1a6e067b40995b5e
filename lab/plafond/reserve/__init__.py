# SPDX-License-Identifier: MIT
"""`plafond analyse --irqs`: reservations for the interrupt threads of a report."""
