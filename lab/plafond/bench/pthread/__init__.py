# SPDX-License-Identifier: MIT
"""`plafond bench pthread`: what the drop-in changes for programs that know pthreads only."""
