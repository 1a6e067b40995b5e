# SPDX-License-Identifier: MIT
"""ORTI files: the objects of an image, for debuggers that show an OSEK system."""
