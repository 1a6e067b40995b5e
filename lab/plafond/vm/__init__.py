# SPDX-License-Identifier: MIT
"""A virtual machine with Debian's PREEMPT_RT kernel, for any user: QEMU without acceleration."""
