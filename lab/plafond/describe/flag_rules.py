# SPDX-License-Identifier: MIT
"""Compiler flags that a description may have for its C files.

Flags for the meaning, the optimization and the warnings of C are allowed. All other flags belong to
the image. Flags for another processor, calling convention, section or file would silently break
assumptions of the kernel.
"""

import re
from collections.abc import Iterator

from plafond.describe.kernel_table import Kernel
from plafond.describe.problems import Problem

# Neither a macro of Plafond or the compiler, nor the name that trusted files have for main().
OURS = r"(?!plf_|PLF_|__|main\b)"
RESERVED = re.compile(r"-[DU](plf_|PLF_|__|main\b)")
OTHER = "another macro: __, plf_ and PLF_ begin reserved names, and main is reserved"
TAKEN = re.compile(
    rf"""
      -D{OURS}[A-Za-z_]\w*(\([\w, .]*\))?(=.*)?
    | -U{OURS}[A-Za-z_]\w*
    | -O([0-3gs]|fast)?
    | -g[0-3]? | -ggdb[0-3]?
    | -std=(c|gnu)(11|17|18|2x)
    | -w | -W[a-z][a-z0-9+=-]* | -pedantic(-errors)?
    | -fanalyzer | -fmax-errors=\d+ | -fdiagnostics-[a-z-]+(=[a-z]+)?
    | -f(no-)?(strict-aliasing|strict-overflow|delete-null-pointer-checks|omit-frame-pointer)
    | -fwrapv
    | -f(un)?signed-char
    | -f(no-)?(unroll-loops|tree-vectorize|tree-slp-vectorize|jump-tables|ipa-[a-z-]+)
    | -fno-inline(-[a-z-]+)? | -finline-functions | -finline-limit=\d+
    | -fno-builtin(-\w+)?
    """,
    re.VERBOSE,
)
KINDS = "-D, -U, -O, -W, -std, -g, or -f of the language and of optimization"
# Better advice for common flags, by their prefix.
INSTEAD = {
    "-I": "the folder in include of [kernel]",
    "-isystem": "the folder in include of [kernel]",
    "-iquote": "the folder in include of [kernel]",
    "-include": "the header where the C files include it",
    "-m": "no flag of the processor: the board has its own",
    "-l": "no library: an image has the C files of [kernel]",
    "-L": "no library: an image has the C files of [kernel]",
}


def problems_of_flags(kernel: Kernel) -> Iterator[Problem]:
    """Yield each flag that is not allowed."""
    for index, flag in enumerate(kernel.flags):
        if not TAKEN.fullmatch(flag):
            if RESERVED.match(flag):
                yield Problem(("kernel", "flags", index), flag, OTHER)
                continue
            starts = [start for start in INSTEAD if flag.startswith(start)]
            expected = INSTEAD[max(starts, key=len)] if starts else KINDS
            yield Problem(("kernel", "flags", index), flag, expected)
