# SPDX-License-Identifier: MIT
"""Let Ctrl-C end the command at once while its modules are imported, which takes a second."""

import _signal  # type: ignore[import-not-found]  # "signal" imports others, and takes long


def end_by_ctrl_c() -> None:
    """Give SIGINT the action of the system, unless the caller of the command ignores it.

    The shell then reports 130, and no traceback is printed. end_by_signals() ends this state.
    """
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
