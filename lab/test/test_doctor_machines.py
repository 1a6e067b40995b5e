# SPDX-License-Identifier: MIT
"""`plafond doctor` on imitations of whole machines."""

from pathlib import Path

import pytest
from test_doctor_trees import (
    ALL_GRANTED,
    NOTHING_GRANTED,
    container,
    laptop,
    machine,
    named,
    robot,
)

from plafond.doctor.examine import examine
from plafond.doctor.machine import Machine
from plafond.doctor.model import Verdict
from plafond.doctor.probes import Tried


def test_laptop_is_refused_and_reported_the_lines_to_copy(tmp_path: Path) -> None:
    report = examine(laptop(tmp_path), NOTHING_GRANTED)

    assert not report.meaningful
    scheduling, memory = named(report, "SCHED_FIFO"), named(report, "locked memory")
    assert scheduling.finding == "SCHED_FIFO is refused; no CAP_SYS_NICE, RLIMIT_RTPRIO is 0"
    assert scheduling.change == (
        'echo "$USER - rtprio 99" | sudo tee -a /etc/security/limits.conf  # log in again'
    )
    assert memory.finding == "memory cannot be locked (ENOMEM); RLIMIT_MEMLOCK is 8 MiB"
    assert memory.change
    assert "memlock unlimited" in memory.change


@pytest.mark.parametrize(
    ("topic", "finding", "change"),
    [
        ("throttling", "950 ms of each 1000 ms", "sudo sysctl -w kernel.sched_rt_runtime_us=-1"),
        ("swap", "on (/dev/dm-1)", "sudo swapoff -a"),
        ("huge pages", "always", "echo madvise | sudo tee"),
        ("preemption", "PREEMPT_DYNAMIC with model voluntary", "linux-image-rt-amd64"),
        ("isolated CPUs", "none", "isolcpus=managed_irq,domain,3"),
        ("SMT siblings", "0,2 1,3", "echo off | sudo tee"),
        ("threads, CPU 0-3", "1 user thread at 88 (data-loop.0)", "within 1 to 87"),
        ("clock source", "hpet", "echo tsc | sudo tee"),
        ("frequency", "powersave on CPU 0-3", "echo performance | sudo tee"),
        ("idle states", "C10, 890 µs to leave, on CPU 0-3", "/dev/cpu_dma_latency"),
        ("tracepoints", "perf_event_paranoid is 3", "kernel.perf_event_paranoid=1"),
    ],
)
def test_laptop_is_warned(topic: str, finding: str, change: str, tmp_path: Path) -> None:
    report = examine(laptop(tmp_path), NOTHING_GRANTED)

    reported = named(report, topic)
    assert reported.verdict is Verdict.WARN
    assert finding in reported.finding
    assert change in (reported.change or "")


def test_warnings_alone_leave_it_meaningful(tmp_path: Path) -> None:
    report = examine(laptop(tmp_path), ALL_GRANTED)

    assert report.meaningful
    assert Verdict.WARN in {finding.verdict for finding in report.findings}


def test_container_is_reported_how_to_be_started(tmp_path: Path) -> None:
    report = examine(container(tmp_path), NOTHING_GRANTED)

    assert not report.meaningful
    assert named(report, "SCHED_FIFO").change == (
        "docker run --cap-add=SYS_NICE --ulimit rtprio=99 IMAGE"
    )
    assert named(report, "locked memory").change == (
        "docker run --cap-add=IPC_LOCK --ulimit memlock=-1 IMAGE"
    )
    assert "docker, by /.dockerenv" in named(report, "container").finding
    assert named(report, "threads").verdict is Verdict.UNKNOWN
    assert "apt" not in (named(report, "preemption").change or "")


def test_robot_has_nothing_to_change_but_priorities(tmp_path: Path) -> None:
    report = examine(robot(tmp_path), ALL_GRANTED)

    assert report.meaningful
    not_ok = {f.topic for f in report.findings if f.verdict is not Verdict.OK}
    assert not_ok == {"threads, CPU 0", "threads, CPU 1"}
    assert "RLIMIT_RTPRIO" in named(report, "SCHED_FIFO").finding
    assert named(report, "isolated CPUs").finding == "2-3; without timer tick (nohz_full): 2-3"
    assert named(report, "fair server").finding == "off"


def test_robot_reports_of_unhooked_threads_on_each_cpu(tmp_path: Path) -> None:
    report = examine(robot(tmp_path), ALL_GRANTED)

    first, second = named(report, "threads, CPU 0"), named(report, "threads, CPU 1")
    assert first.finding.startswith(
        "1 irq thread at 50, 1 other kernel thread at 1 (rcuc); unhooked"
    )
    assert first.change == (
        "keep priorities and ceilings within 51 to 98, or use the backend syscall"
    )
    assert second.finding.startswith("2 irq threads up to 60, 1 other kernel thread at 1 (rcuc)")
    assert "within 2 to 49" in (second.change or "")
    assert "no real-time threads" in named(report, "threads, CPU 2-3").finding


@pytest.mark.parametrize("text", ["", "\n", "garbage\n", "-\0\xff) (", "9" * 30, "a:b\nflags:\n"])
def test_garbage_everywhere_raises_nothing(text: str, tmp_path: Path) -> None:
    for build in (laptop, container, robot):
        build(tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            path.write_text(text)

    assert examine(Machine(tmp_path), NOTHING_GRANTED).findings


def test_missing_files_everywhere_are_unknown(tmp_path: Path) -> None:
    report = examine(machine(tmp_path), Tried())

    assert not report.meaningful
    verdicts = {finding.topic: finding.verdict for finding in report.findings}
    failed = {topic for topic, verdict in verdicts.items() if verdict is Verdict.FAIL}
    assert failed == {"SCHED_FIFO", "pinning", "locked memory"}
    nothing_found = {"container", "emulator"}
    assert {
        topic for topic, verdict in verdicts.items() if verdict is not Verdict.UNKNOWN
    } == failed | nothing_found


def test_what_was_granted_counts_without_any_file(tmp_path: Path) -> None:
    assert examine(machine(tmp_path), ALL_GRANTED).meaningful
