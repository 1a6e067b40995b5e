# SPDX-License-Identifier: MIT
"""An emulator whose main loop never sleeps, as on a busy machine."""

import os
import shutil
import sys
from pathlib import Path

from plafond.vm.guest import Processor
from plafond.vm.qemu import MACHINES

PROGRAM = MACHINES[Processor.X86_64].program

# QEMU's main loop waits for SIGALRM, and each signal makes it go round without other work.
STIRRED = """\
#!{python}
import os, signal, sys, time
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
emulator = os.getpid()
if os.fork() == 0:
    while os.getppid() == emulator:
        os.kill(emulator, signal.SIGALRM)
        time.sleep(0.0002)
    os._exit(0)
os.execv({program!r}, sys.argv)
"""


def stirred_emulator(folder: Path) -> dict[str, str]:
    """Write the emulator into the folder. Return an environment whose PATH finds it first."""
    program = folder / PROGRAM
    program.write_text(STIRRED.format(python=sys.executable, program=shutil.which(PROGRAM)))
    program.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}
