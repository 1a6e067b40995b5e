# SPDX-License-Identifier: MIT
"""`plafond analyse`: the longest blocking and response time of every task of a description."""
