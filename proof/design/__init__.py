# SPDX-License-Identifier: MIT
"""The protocols as models for Spin, built from the headers that ship."""
