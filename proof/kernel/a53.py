# SPDX-License-Identifier: MIT
"""Faults of the port a53: in the page tables, in the start and in the tests of access rights.

If QEMU shows the harm, the program with a foul task finds the fault. Otherwise the program that
reads back the tables, the registers and the instructions of the start finds it.
"""

from __future__ import annotations

from proof.kernel.in_image import Fault, fault_in, faults_of

_FOUL = "foul_faults-a53-standard-uprio-nprio"
_TABLES = "tables-a53-standard-uprio-nprio"
_TABLES_CONSOLE = "tables_console-a53-standard-uprio-nprio"
_READ = "misuse_memory-a53-standard-uprio-nprio"
_ADDRESSES = "addresses-a53-extended-uprio-nprio"
_STACKS = "stack_fault-a53-standard-uprio-nprio"
_MEMORY, _SCRIPT = "ports/a53/memory.c", "ports/a53/link.ld.j2"


def _page(name: str, kind: str, old: str, new: str, image: str = _TABLES) -> Fault:
    """A fault in the permissions of one kind of page."""
    return fault_in(_MEMORY, name, f"#define {kind} {old}\n", f"#define {kind} {new}\n", image)


def _start(name: str, old: str, new: str) -> Fault:
    """A fault in the code that turns on translation."""
    return fault_in(_MEMORY, name, old, new, _TABLES)


_GUARD = "\t\t. += 4096; /* the guard page, in no table */\n"
_MAINTENANCE = (
    "\tplf_dsb();\n"
    '\t__asm__ volatile("tlbi vmalle1\\n\\tic iallu" ::: "memory");\n'
    "\tplf_dsb();\n\tplf_isb();\n"
)

A53 = (
    fault_in(_SCRIPT, "no guard page below a stack", _GUARD, "", _FOUL),
    fault_in(_SCRIPT, "no guard page in the layout", _GUARD, "", _TABLES),
    fault_in(
        _MEMORY,
        "the guard of the kernel's stack is mapped",
        "\tmap(level2, NULL, guard, guard + PLF_KERNEL_GUARD, 0);\n",
        "\t(void)guard;\n",
        _TABLES,
    ),
    _page(
        "tasks may execute their data",
        "USER_DATA   ",
        "(MAPPED | USER | NEVER_EXECUTE)",
        "(MAPPED | USER | NO_EXECUTE_BY_KERNEL)",
    ),
    _page(
        "tasks may execute constants",
        "USER_CONST  ",
        "(MAPPED | READ_ONLY | USER | NEVER_EXECUTE)",
        "(MAPPED | READ_ONLY | USER | NO_EXECUTE_BY_KERNEL)",
        _FOUL,
    ),
    _page(
        "the kernel may execute its data",
        "KERNEL_DATA ",
        "(MAPPED | NEVER_EXECUTE)",
        "(MAPPED | NO_EXECUTE_BY_USER)",
    ),
    _page(
        "the kernel may execute its constants",
        "KERNEL_CONST",
        "(MAPPED | READ_ONLY | NEVER_EXECUTE)",
        "(MAPPED | READ_ONLY | NO_EXECUTE_BY_USER)",
    ),
    _page(
        "the kernel may execute what tasks execute",
        "USER_TEXT   ",
        "(MAPPED | READ_ONLY | USER | NO_EXECUTE_BY_KERNEL)",
        "(MAPPED | READ_ONLY | USER)",
    ),
    _page(
        "tasks may execute the kernel",
        "KERNEL_TEXT ",
        "(MAPPED | READ_ONLY | NO_EXECUTE_BY_USER)",
        "(MAPPED | READ_ONLY)",
    ),
    _page(
        "tasks may write constants",
        "USER_CONST  ",
        "(MAPPED | READ_ONLY | USER | NEVER_EXECUTE)",
        "(MAPPED | USER | NEVER_EXECUTE)",
        _FOUL,
    ),
    _page(
        "the kernel may write its constants",
        "KERNEL_CONST",
        "(MAPPED | READ_ONLY | NEVER_EXECUTE)",
        "(MAPPED | NEVER_EXECUTE)",
    ),
    _page(
        "a task's own pages are global",
        "OWN_DATA    ",
        "(USER_DATA | OF_ONE_ASID)",
        "USER_DATA",
    ),
    _page(
        "other tasks' pages are global",
        "OTHERS_DATA ",
        "(KERNEL_DATA | OF_ONE_ASID)",
        "KERNEL_DATA",
    ),
    _page(
        "tasks may use the devices",
        "DEVICE\t\t    ",
        "(LEAF | BLOCK | UINT64_C(1) << 2 | NEVER_EXECUTE) /* second attribute */",
        "(LEAF | BLOCK | USER | UINT64_C(1) << 2 | NEVER_EXECUTE)",
        _FOUL,
    ),
    _page(
        "devices are memory",
        "DEVICE\t\t    ",
        "(LEAF | BLOCK | UINT64_C(1) << 2 | NEVER_EXECUTE) /* second attribute */",
        "(LEAF | BLOCK | NEVER_EXECUTE)",
    ),
    fault_in(
        _MEMORY,
        "the tasks share their words of resources",
        "(attributes == OWN_DATA ? own_resources(index) : page)",
        "page",
        _TABLES,
    ),
    fault_in(
        _MEMORY,
        "in the table of the start every task maps the words of resources",
        "\tmap_resources(level2, NULL, 0, OTHERS_DATA);\n",
        "",
        _TABLES,
    ),
    fault_in(
        _MEMORY,
        "a task reaches the stacks of the others",
        "\t\tmap_private(level2, NULL, index, OTHERS_DATA);\n",
        "\t\tmap_private(level2, NULL, index, OWN_DATA);\n",
        _FOUL,
    ),
    fault_in(
        _MEMORY,
        "all tasks have one ASID",
        "(uint64_t)(index + 1) << ASID_SHIFT",
        "(uint64_t)(index != PLF_TASKS) << ASID_SHIFT",
        _TABLES,
    ),
    fault_in(
        "ports/a53/vectors.S",
        "a switch keeps the table",
        "\tmsr\tttbr0_el1, x2\n",
        "",
        _TABLES,
    ),
    _start("what is writable may be executed", " | WXN", ""),
    _start("no cache of data", " | DATA_CACHE", ""),
    _start("no cache of instructions", " | INSTRUCTION_CACHE", ""),
    _start("the kernel's stack pointer is not checked", " | CHECK_SP |", " |"),
    _start("the upper half is translated", " | NO_UPPER_HALF", ""),
    _start("walks pass by the caches", " | WALKS_CACHED", ""),
    _start("devices are cached", "0x00ff)", "0xffff)"),
    _start("the TLB keeps what is stale", "tlbi vmalle1\\n\\t", ""),
    _start("the instruction cache keeps what is stale", "\\n\\tic iallu", ""),
    _start(
        "the tables are not waited for",
        _MAINTENANCE,
        _MAINTENANCE.removeprefix("\tplf_dsb();\n"),
    ),
    _start(
        "the maintenance is not waited for",
        _MAINTENANCE,
        _MAINTENANCE.replace("\tplf_dsb();\n\tplf_isb();\n", ""),
    ),
    _start(
        "the kernel goes on before translation is on",
        '\tPLF_WRITE("sctlr_el1", sctlr);\n\tplf_isb();\n',
        '\tPLF_WRITE("sctlr_el1", sctlr);\n',
    ),
    fault_in(
        _MEMORY,
        "what a task may read it may write, in the eyes of the kernel",
        "at s1e0w, %0",
        "at s1e0r, %0",
        _ADDRESSES,
    ),
    fault_in(
        "console.c",
        "the kernel reads for a task what the task may not",
        "!plf_port_may_read(core->running, address, size)",
        "!core->running",
        _READ,
    ),
    fault_in(
        _MEMORY,
        "what the kernel may read, a task may",
        "at s1e0r, %0",
        "at s1e1r, %0",
        _READ,
    ),
    fault_in(
        _MEMORY,
        "a task may read what begins where it may",
        "user_may_read_page(address) && user_may_read_page(address + size - 1)",
        "user_may_read_page(address) && size",
        _READ,
    ),
    fault_in(
        _MEMORY,
        "a task may read what ends where it may",
        "user_may_read_page(address) && user_may_read_page(address + size - 1)",
        "user_may_read_page(address + size - 1)",
        _READ,
    ),
    fault_in(
        _MEMORY,
        "the last byte is not asked for",
        "user_may_read_page(address + size - 1)",
        "user_may_read_page(address + size - 2)",
        _READ,
    ),
    fault_in(
        _MEMORY,
        "tasks may use the serial device",
        "PLF_SERIAL | DEVICE",
        "PLF_SERIAL | DEVICE | USER",
        _READ,
    ),
    fault_in(
        _MEMORY,
        "the serial device is memory",
        "PLF_SERIAL | DEVICE",
        "PLF_SERIAL | (DEVICE & ~(UINT64_C(1) << 2))",
        _TABLES_CONSOLE,
    ),
    fault_in(
        _MEMORY,
        "every image reaches the serial device",
        "if (PLF_CONSOLE)\n\t\tlevel2",
        "if (PLF_SERIAL)\n\t\tlevel2",
        _TABLES,
    ),
    *faults_of(
        "ports/a53/port.c",
        {
            "is_stack_fault": _STACKS,
            "fault_of": _STACKS,
            "fault_of: keep only class == CLASS_DATA": _FOUL,  # _FOUL monitors no stacks
        },
    ),
)
