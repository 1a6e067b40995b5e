# SPDX-License-Identifier: MIT
"""All findings, and whether runs with real threads are meaningful here."""

from plafond.doctor.clocks import clocks
from plafond.doctor.containers import container, find_container
from plafond.doctor.emulator import emulator
from plafond.doctor.groups import real_time_group
from plafond.doctor.kernel import preemption
from plafond.doctor.libc import libc
from plafond.doctor.machine import Machine
from plafond.doctor.memory import memory
from plafond.doctor.model import Report, Verdict
from plafond.doctor.power import power
from plafond.doctor.probes import Tried
from plafond.doctor.processors import processors
from plafond.doctor.rivals import rivals
from plafond.doctor.scheduling import pinning, scheduling
from plafond.doctor.stops import stops
from plafond.doctor.throttling import throttling
from plafond.doctor.time_limit import time_limit
from plafond.doctor.tracing import tracepoints
from plafond.doctor.virtual import virtual_machine


def examine(machine: Machine, tried: Tried) -> Report:
    """Return all findings, from the files and from the probes. Only a failure denies meaning."""
    found = find_container(machine, tried)
    findings = [
        scheduling(machine, tried, found),
        pinning(tried),
        real_time_group(machine, tried),
        *throttling(machine),
        time_limit(machine),
        *memory(machine, tried, found),
        container(found),
        virtual_machine(machine, tried),
        stops(tried),
        preemption(machine),
        *processors(machine),
        *rivals(machine),
        *clocks(machine, tried),
        *power(machine),
        *libc(tried),
        tracepoints(machine),
        emulator(machine),
    ]
    meaningful = all(finding.verdict is not Verdict.FAIL for finding in findings)
    return Report(meaningful=meaningful, findings=findings)
