# SPDX-License-Identifier: MIT
"""A signal ends the command wherever it comes."""

import signal
import subprocess
import sys
from types import SimpleNamespace
from typing import cast

import pytest
from patience import HUNG_S

from plafond import signals

IN_A_DESTRUCTOR = """
import signal, sys, time
from plafond.signals import end_by_signals

class Destroyed:
    def __del__(self):
        signal.raise_signal({number})
        print("not reached")

end_by_signals()
destroyed = Destroyed()
try:
    del destroyed
    end_s = time.monotonic() + {hung_s}
    while time.monotonic() < end_s:
        time.sleep(0.01)  # a signal that comes just before a sleep is handled only after it
    print("swallowed")
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_a_destructor_ends_the_command(number: signal.Signals) -> None:
    script = IN_A_DESTRUCTOR.format(number=int(number), hung_s=HUNG_S)

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", "")


def test_a_signal_that_comes_too_soon_again_is_sent_once_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a busy machine the delay may be over before the thread that sends the signal has
    started."""
    starts = []

    class Timer:
        def __init__(self, *_: object) -> None:
            pass

        def start(self) -> None:
            starts.append(self)
            if len(starts) < 3:
                raise SystemExit(signals.ENDED)

    monkeypatch.setattr("threading.Timer", Timer)
    dropped = SimpleNamespace(exc_value=SystemExit(signals.ENDED))

    signals._send_again(cast("sys.UnraisableHookArgs", dropped))

    assert len(starts) == 3


def test_other_exceptions_of_destructors_are_reported() -> None:
    script = IN_A_DESTRUCTOR.replace("signal.raise_signal({number})", "sys.exit(3)")

    done = subprocess.run(
        [sys.executable, "-c", script.format(hung_s=0)], capture_output=True, text=True
    )

    assert (done.returncode, done.stdout) == (0, "swallowed\n")
    assert "Exception ignored in" in done.stderr


WHILE_IMPORTING = """
import os, runpy, signal, sys

class Interrupt:
    def find_spec(self, name, *_):
        if name in ("plafond.cli", "plafond.demo.show"):
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
runpy.run_module("{module}", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("module", ["plafond", "plafond.demo"])
def test_ctrl_c_while_modules_are_imported_leaves_no_traceback(module: str) -> None:
    script = WHILE_IMPORTING.format(module=module)

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_the_first_modules_need_none_that_python_has_not_loaded() -> None:
    """Ctrl-C leaves a traceback until they have run."""
    script = (
        "import runpy, sys\n"
        "before = set(sys.modules)\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'plafond.cli':\n"
        "            print(*sorted(set(sys.modules) - before))\n"
        "            sys.exit()\n"
        "sys.meta_path.insert(0, Stop())\n"
        "import plafond.__main__\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert done.stdout == "plafond plafond.__main__ plafond.starting\n"


def test_ctrl_c_stays_ignored_if_the_shell_ignores_it() -> None:
    script = WHILE_IMPORTING.format(module="plafond")
    script = f"import signal, sys\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n{script}"
    script = script.replace("runpy.run", "sys.argv[1:] = ['--version']\nrunpy.run")

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("plafond ")
