# SPDX-License-Identifier: MIT
"""The protocols as models for Spin, made of the headers that ship."""
