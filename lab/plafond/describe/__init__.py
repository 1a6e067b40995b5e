# SPDX-License-Identifier: MIT
"""The description of a system: what a user writes, and what is made of it."""

from plafond.describe.load import load, loads
from plafond.describe.system import System

__all__ = ["System", "load", "loads"]
