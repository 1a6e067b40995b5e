# SPDX-License-Identifier: MIT
"""The table [kernel]."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import AfterValidator

from plafond.describe.fields import (
    MOST_MODES,
    CompilerFlag,
    Files,
    Form,
    Listed,
    Modes,
    Oil,
    Strict,
    field,
    one_of,
)
from plafond.describe.kernel import (
    DEFAULT_MODE,
    DEFAULT_PROTOCOLS,
    Hook,
    Scheduler,
    Status,
    Warnings,
    protocols_under,
)
from plafond.protocols import GlobalProtocol, KernelProtocol


def _protocols(scheduler: Scheduler) -> str:
    return f"one of {', '.join(protocols_under(scheduler))}"


def _in_order(hooks: tuple[Hook, ...]) -> tuple[Hook, ...]:
    return tuple(hook for hook in Hook if hook in hooks)


class Kernel(Strict):
    """The table [kernel]."""

    oil_kind: ClassVar[str] = "OS"
    oil: ClassVar[str] = """
        ENUM [STANDARD, EXTENDED] STATUS = STANDARD;
        BOOLEAN STARTUPHOOK = FALSE;
        BOOLEAN SHUTDOWNHOOK = FALSE;
        BOOLEAN ERRORHOOK = FALSE;
        BOOLEAN PRETASKHOOK = FALSE;
        BOOLEAN POSTTASKHOOK = FALSE;
        BOOLEAN PROTECTIONHOOK = FALSE : "AUTOSAR's";
        BOOLEAN USEGETSERVICEID = FALSE : "ErrorHook has it always";
        BOOLEAN USEPARAMETERACCESS = FALSE : "whether ErrorHook has those of the service";
        BOOLEAN USERESSCHEDULER = TRUE : "then all tasks may lock RES_SCHEDULER";
        BOOLEAN STACKMONITORING = FALSE : "whether a fault of a stack is E_OS_STACKFAULT";
        BOOLEAN CONSOLE = FALSE : "whether tasks have WriteConsole()";
        STRING APP_SRC[] : "C files beside this one, in user mode: TASK(NAME)";
        STRING TRUSTED_SRC[] : "those that run in the kernel: hooks, and ISR(NAME)";
        STRING MIXED_SRC[] : "those that hold both, and run in both modes";
        STRING INCLUDE[] : "folders of headers beside this file";
        STRING FLAG[] : "of the compiler, for these C files";
        ENUM [SHOWN, ERRORS, NONE] WARNINGS = SHOWN : "of the compiler, about these C files";"""
    elsewhere: ClassVar[Mapping[str, str]] = {
        "cc": "no class of conformance: an image has what its description needs",
        "scheduler": "scheduler above the tables",
        "usegetserviceid": "nothing: ErrorHook has OSErrorGetServiceId() always",
        "useresscheduler": "a table [resource.RES_SCHEDULER], with which every task may take it",
    }

    status: Annotated[Status, one_of(list(Status))] = field(
        '"standard" or "extended"; how much the services check',
        Status.STANDARD,
        oil=Oil("STATUS", Form.WORD),
    )
    protocol: Annotated[KernelProtocol, one_of(list(KernelProtocol))] | None = field(
        f"{_protocols(Scheduler.PRIORITY)}, by hardware "
        f"{_protocols(Scheduler.HARDWARE)}, or under EDF {_protocols(Scheduler.EDF)}; "
        f"how tasks lock; without it {DEFAULT_PROTOCOLS[Scheduler.PRIORITY]}, by hardware "
        f"{DEFAULT_PROTOCOLS[Scheduler.HARDWARE]}, or under EDF "
        f"{DEFAULT_PROTOCOLS[Scheduler.EDF]}",
        None,
    )
    global_protocol: Annotated[GlobalProtocol, one_of(list(GlobalProtocol))] | None = field(
        f"one of {', '.join(GlobalProtocol)}; how tasks lock resources with users on "
        f"several CPUs; without it {GlobalProtocol.MPCP}, or {GlobalProtocol.MPCP_CALLED} where "
        "protocol is one of system calls",
        None,
        alias="global",
    )
    hooks: Annotated[
        tuple[Annotated[Hook, one_of(list(Hook))], ...], Listed(), AfterValidator(_in_order)
    ] = field(
        f"a list of some of {', '.join(Hook)}; the hooks to call",
        (),
        oil=Oil(" ".join(f"{hook.name}HOOK" for hook in Hook), Form.HOOKS),
    )
    sources: Files = field(
        "a list of C files beside the description; they run in user mode, and may "
        "hold the TASK(NAME) of tasks without a body",
        (),
        oil=Oil(also="appsrc src"),
    )
    trusted: Files = field(
        "a list of C files; they run in the kernel: hooks, and the ISR(NAME)",
        (),
        oil=Oil(also="trustedsrc"),
    )
    mixed: Files = field(
        "a list of C files; they run in both modes, and may hold what those of sources "
        "and trusted do",
        (),
        oil=Oil(also="mixedsrc"),
    )
    include: Files = field(
        "a list of folders beside the description; where its C files find headers, "
        "behind those of the kernel",
        (),
        oil=Oil("INCLUDE", Form.LIST),
    )
    flags: Annotated[tuple[CompilerFlag, ...], Listed(most=1000)] = field(
        'a list of flags of the compiler, such as "-DSPEED=3"; for these C files '
        "alone: macros, warnings, optimization, and the language",
        (),
        oil=Oil("FLAG", Form.LIST),
    )
    warnings: Annotated[Warnings, one_of(list(Warnings))] = field(
        f"one of {', '.join(Warnings)}; what becomes of the compiler's warnings about "
        "these C files",
        Warnings.SHOWN,
        oil=Oil("WARNINGS", Form.WORD, without="SHOWN"),
    )
    console: bool = field(
        "true or false; whether tasks have WriteConsole(), and on a53 the interrupt of "
        "source 1 comes for what is typed",
        False,
        oil=Oil("CONSOLE", Form.TRUE),
    )
    modes: Modes = field(
        f"a list of 1 to {MOST_MODES} names; the application modes of StartOS, which "
        f"main() of a trusted file calls; the first is {DEFAULT_MODE}, too: without main() it is "
        "the one",
        (),
        oil=Oil(also="appmode appmodes"),
    )
    parameters: bool = field(
        "true or false; whether ErrorHook has the parameters of the service that "
        "failed: OSError_SERVICE_PARAMETER()",
        False,
        oil=Oil("USEPARAMETERACCESS", Form.TRUE),
    )
    stack_monitoring: bool = field(
        "true or false; whether a task that leaves its stack gets E_OS_STACKFAULT "
        "instead of E_OS_PROTECTION_MEMORY; on sim nothing notices that",
        False,
        oil=Oil("STACKMONITORING", Form.TRUE),
    )

    @property
    def has_trusted_code(self) -> bool:
        """Whether there is a file that can contain hooks, handlers and callbacks."""
        return bool(self.trusted or self.mixed)


KERNEL = Kernel.model_construct()  # for a description without the table
