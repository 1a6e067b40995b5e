# SPDX-License-Identifier: MIT
"""Zuepke, Bommert, Kaiser 2014: the cycles of Tables II and III, and Table I.

Where a cell of Table III stands for several times, so does its figure here.
"""

from plafond.protocols import KernelProtocol

VARIANTS = (KernelProtocol.SYSCALL, KernelProtocol.UPRIO_KPRIO, KernelProtocol.UPRIO_NPRIO)
BOARDS = ("TMS570", "AM3359")

# By benchmark and board: the cycles of the three variants.
CYCLES: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "null-syscall": ((157, 185, 157), (144, 167, 144)),
    "schedule": ((329, 351, 359), (251, 283, 279)),
    "chain-task": ((416, 433, 443), (295, 327, 324)),
    "activate-low": ((295, 320, 312), (244, 267, 280)),
    "activate-high": ((983, 1060, 1060), (710, 776, 752)),
    "event-loop": ((1166, 1262, 1224), (917, 1031, 958)),
    "non-nested": ((370, 101, 101), (327, 28, 28)),
    "non-nested+low@T1": ((670, 437, 424), (581, 296, 276)),
    "non-nested+low@T2": ((670, 659, 424), (581, 506, 276)),
    "non-nested+medium@T1": ((1321, 1148, 1136), (1046, 839, 783)),
    "non-nested+medium@T2": ((1321, 1382, 1299), (1046, 1040, 935)),
    "non-nested+high@T1": ((1340, 1157, 1140), (1061, 822, 787)),
    "non-nested+high@T2": ((1340, 1400, 1140), (1061, 1046, 787)),
    "nested": ((747, 184, 184), (651, 58, 58)),
    "nested+low@T1": ((1014, 504, 482), (901, 313, 293)),
    "nested+low@T2": ((1014, 730, 482), (901, 531, 293)),
    "nested+low@T3": ((1014, 947, 482), (901, 736, 293)),
    "nested+medium@T1": ((1707, 1216, 1197), (1376, 840, 804)),
    "nested+medium@T2": ((1707, 1455, 1367), (1376, 1058, 957)),
    "nested+medium@T3": ((1707, 1668, 1367), (1376, 1275, 957)),
    # B is above the outer ceiling only: at T3 it is preempting "as soon as a section is left", too.
    "nested+between@T3": ((1707, 1668, 1367), (1376, 1275, 957)),
    "nested+high@T1": ((1694, 1223, 1206), (1382, 846, 804)),
    "nested+high@T2": ((1694, 1450, 1206), (1382, 1076, 804)),
    "nested+high@T3": ((1694, 1669, 1206), (1382, 1275, 804)),
}

# Table II, the platform: the cycles of each board, which the variant does not change.
PLATFORM_CYCLES = {
    "nops": (7.5, 2),
    "calls": (22, 7),
    "read-constants": (2474, 786),
    "read-variables": (2078, 786),
    "write-variables": (2078, 786),
}

# Section V.A, in words alone: what the first variable that tasks can read costs (the task's
# index), and the second (uprio).
FIRST_VARIABLE = "about 4 %"
SECOND_VARIABLE_SWITCH, SECOND_VARIABLE_PRIORITY = "less than 2 %", "about 4 %"

# Table I, but for what a board of QEMU has no counterpart of.
TABLE_I = {
    "CPU core": ("Cortex-R4", "Cortex-A8"),
    "architecture": ("Armv7-R", "Armv7-A"),
    "pipeline": ("8 stages, 1 ALU", "13 stages, 2 ALUs"),
    "caches": ("none", "2x 32 KB, L1"),
    "protection": ("MPU", "MMU"),
    "board": ("Hercules TMS570LS3137", "BeagleBone Black"),
    "clock": ("180 MHz", "550 MHz"),
    "memory": ("SRAM, 180 MHz", "SRAM, 275 MHz"),
    "instructions from": ("flash, 180 MHz", "I-cache, 550 MHz"),
    "compiler": ("GCC 4.6.3, -Os", "GCC 4.6.3, -Os"),
}


def gain(benchmark: str, variant: str, board: str) -> float | None:
    """Return what the paper gives in braces: the cycles saved or added, relative to syscall."""
    if benchmark not in CYCLES or variant not in VARIANTS:
        return None
    cycles = CYCLES[benchmark][BOARDS.index(board)]
    return cycles[VARIANTS.index(KernelProtocol(variant))] / cycles[0] - 1
