# SPDX-License-Identifier: MIT
"""OIL with several cores, as vendors write it: CPU_ID, CORE and SPINLOCK."""

from dataclasses import replace
from pathlib import Path

import pytest
from descriptions import described

OIL = """CPU c {
  OS o { APP_SRC = "tasks.c"; TRUSTED_SRC = "routine.c"; USERESSCHEDULER = FALSE; };
  TASK A { PRIORITY = 1; RESOURCE = R; };
  TASK B { PRIORITY = 2; CPU_ID = 0x1; };
  TASK D { PRIORITY = 3; CPU_ID = 1; };
  TASK E { PRIORITY = 4; };
  RESOURCE R;
  COUNTER K { SECONDSPERTICK = 0.001; CPU_ID = 1; };
  COUNTER L;
  ALARM X { COUNTER = K; ACTION = ACTIVATETASK { TASK = B; }; };
  ISR I { INTERRUPT = 1; CPU_ID = 1; };
  MESSAGE M { MESSAGEPROPERTY = SEND_ZERO_INTERNAL; CPU_ID = 1; };
  MESSAGE N { MESSAGEPROPERTY = RECEIVE_ZERO_INTERNAL { SENDINGMESSAGE = M; }; };
  SPINLOCK S {
    ACCESSING_APPLICATION = ONE; ACCESSING_APPLICATION = TWO; ACCESSING_APPLICATION = FAR;
    SUCCESSOR = T;
  };
  SPINLOCK T { ACCESSING_APPLICATION = TWO; ACCESSING_APPLICATION = ONE; };
  APPLICATION ONE { TASK = A; };
  APPLICATION TWO { TASK = B; TASK = D; COUNTER = K; ALARM = X; ISR = I; TRUSTED = TRUE; };
  APPLICATION FAR { CORE = 2; TASK = E; COUNTER = L; };
};
"""
TOML = """
cpus = 3

[kernel]
global = "spin-unordered"
status = "standard"
modes = ["OSDEFAULTAPPMODE"]
sources = ["tasks.c"]
trusted = ["routine.c"]

[application]
ONE = {}
TWO = { trusted = true }
FAR = {}

[task]
A = { priority = 1, resources = ["R", "S", "T"], application = "ONE" }
B = { priority = 2, cpu = 1, resources = ["S", "T"], application = "TWO" }
D = { priority = 3, cpu = 1, resources = ["S", "T"], application = "TWO" }
E = { priority = 4, cpu = 2, resources = ["S"], application = "FAR" }

[resource]
R = {}
S = { successor = "T" }
T = {}

[counter]
K = { tick = "1ms", cpu = 1, application = "TWO" }
L = { cpu = 2, application = "FAR" }

[alarm]
X = { counter = "K", action = "activate B", application = "TWO" }

[isr]
I = { source = 1, cpu = 1, application = "TWO" }

[message]
M = { type = "void", cpu = 1 }
N = { from = "M" }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("tasks.c", "routine.c"):
        (tmp_path / name).touch()
    return tmp_path


def test_it_is_the_same_system(folder: Path) -> None:
    oil = described(folder, OIL, "some.oil")
    toml = described(folder, TOML)
    assert replace(oil, file=None) == replace(toml, file=None)
