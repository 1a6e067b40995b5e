# SPDX-License-Identifier: MIT
"""A signal ends the command wherever it comes."""

import signal
import subprocess
import sys

import pytest
from patience import HUNG_S

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
    time.sleep({hung_s})
    print("swallowed")
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_a_destructor_ends_the_command(number: signal.Signals) -> None:
    script = IN_A_DESTRUCTOR.format(number=int(number), hung_s=HUNG_S)

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", "")


def test_other_exceptions_of_destructors_are_reported() -> None:
    script = IN_A_DESTRUCTOR.replace("signal.raise_signal({number})", "sys.exit(3)")

    done = subprocess.run(
        [sys.executable, "-c", script.format(hung_s=0)], capture_output=True, text=True
    )

    assert (done.returncode, done.stdout) == (0, "swallowed\n")
    assert "Exception ignored in" in done.stderr
