# SPDX-License-Identifier: MIT
"""Run all sets, on Linux and on the kernel, and the program of sections; make the report."""

from plafond.bench.kernel.asberg import PAPER
from plafond.progress import progress_by_step
from plafond.servers.model import ServersReport, SetRow
from plafond.servers.report import make_report
from plafond.servers.sections import measure_sections
from plafond.servers.sets import cases_of, run_on_linux, set_row


def measure_servers() -> ServersReport:
    """Boot two guests, and build and run images, with progress bars on standard error."""
    with progress_by_step("sections", 1):
        sections, kernel = measure_sections()
    cases = cases_of(range(len(PAPER.rows)))
    traces = run_on_linux(cases)
    rows: list[SetRow] = []
    with progress_by_step("on the kernel", len(cases)) as step:
        for case, trace in zip(cases, traces, strict=True):
            step(f"on the kernel: set {case.seed + 1}, {case.policy}", len(rows))
            rows.append(set_row(case, trace))
    return make_report(rows, sections, kernel)
