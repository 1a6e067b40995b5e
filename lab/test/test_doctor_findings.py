# SPDX-License-Identifier: MIT
"""Single findings of `plafond doctor`, for which a whole machine is too much."""

from pathlib import Path

import pytest
from test_doctor_trees import (
    ALL_CAPABILITIES,
    ALL_GRANTED,
    CPU,
    DEADLINE,
    FIFO,
    NO_CAPABILITIES,
    NOTHING_GRANTED,
    Files,
    kernel,
    limits,
    machine,
    migration,
    status,
    thread,
    watched,
)

from plafond.doctor.clocks import clocks
from plafond.doctor.containers import container, find_container
from plafond.doctor.emulator import emulator
from plafond.doctor.groups import real_time_group
from plafond.doctor.kernel import preemption
from plafond.doctor.libc import libc
from plafond.doctor.machine import Machine
from plafond.doctor.memory import locking, memory
from plafond.doctor.model import Verdict
from plafond.doctor.probes import Tried
from plafond.doctor.rivals import rivals
from plafond.doctor.scheduling import pinning, scheduling
from plafond.doctor.stops import stops
from plafond.doctor.throttling import throttling
from plafond.doctor.time_limit import time_limit
from plafond.doctor.tracing import tracepoints
from plafond.doctor.virtual import virtual_machine
from plafond.witness import CpuBefore

RUNTIME = "cpu.rt_runtime_us"


def but(**changes: object) -> Tried:
    """Return the grants of a good machine, with these changes."""
    return ALL_GRANTED.model_copy(update=changes)


# scheduling


def test_priority_below_99_fails(tmp_path: Path) -> None:
    tree = machine(tmp_path, status(NO_CAPABILITIES, "0"), limits("40", "unlimited"))

    reported = scheduling(tree, but(highest_priority=40), None)

    assert reported.verdict is Verdict.FAIL
    assert reported.finding == (
        "SCHED_FIFO is granted only up to priority 40; no CAP_SYS_NICE, RLIMIT_RTPRIO is 40"
    )


def test_hard_limit_is_enough_for_ulimit(tmp_path: Path) -> None:
    tree = machine(tmp_path, limits("0", "65536", hard="unlimited"))

    assert scheduling(tree, NOTHING_GRANTED, None).change == "ulimit -r 99"
    assert locking(tree, NOTHING_GRANTED, None).change == "ulimit -l unlimited"


@pytest.mark.parametrize(
    ("files", "cause", "change"),
    [
        ({"proc/self/uid_map": "0 1000 1"}, "CAP_SYS_NICE of a user namespace", "rtprio 99"),
        ({"sys/fs/cgroup/cpu/cpu.rt_runtime_us": "0"}, "no real time", "tee /sys/fs/cgroup/cpu/"),
        ({"boot/config-6": "CONFIG_RT_GROUP_SCHED=y"}, "no real time", "rt_group_sched=0"),
        ({}, "the cause is not seen", "rtprio 99"),
    ],
)
def test_cause_of_a_refusal(files: Files, cause: str, change: str, tmp_path: Path) -> None:
    tree = machine(
        tmp_path, status(ALL_CAPABILITIES, "0"), {"proc/sys/kernel/osrelease": "6"}, files
    )

    reported = scheduling(tree, NOTHING_GRANTED, None)

    assert cause in reported.finding
    assert change in (reported.change or "")


def test_seccomp_is_a_cause(tmp_path: Path) -> None:
    tree = machine(tmp_path, status(ALL_CAPABILITIES, "0", seccomp=2))

    assert "a seccomp filter" in scheduling(tree, NOTHING_GRANTED, None).finding


def test_refused_pinning_fails() -> None:
    assert pinning(but(pin="EPERM")).verdict is Verdict.FAIL


def test_reason_of_what_was_not_tried_is_reported(tmp_path: Path) -> None:
    reported = scheduling(Machine(tmp_path), Tried(problem="took too long"), None)

    assert reported.finding == "SCHED_FIFO could not be tried here; took too long"


# real-time cgroup


def test_cgroup_without_runtime_fails(tmp_path: Path) -> None:
    tree = machine(
        tmp_path,
        {
            "proc/self/cgroup": "5:memory:/m\n4:cpu,cpuacct:/user.slice\n",
            f"sys/fs/cgroup/cpu,cpuacct/user.slice/{RUNTIME}": "0",
        },
    )

    reported = real_time_group(tree, NOTHING_GRANTED)

    assert reported.verdict is Verdict.FAIL
    assert f"/sys/fs/cgroup/cpu,cpuacct/user.slice/{RUNTIME}" in (reported.change or "")


def test_cgroup_without_runtime_only_warns_if_it_was_granted_nevertheless(tmp_path: Path) -> None:
    tree = machine(tmp_path, {f"sys/fs/cgroup/cpu/{RUNTIME}": "0"})

    assert real_time_group(tree, ALL_GRANTED).verdict is Verdict.WARN


@pytest.mark.parametrize(
    ("runtime", "verdict"),
    [("950000", Verdict.OK), ("-1", Verdict.OK), ("300000", Verdict.WARN)],
)
def test_share_of_a_cgroup(runtime: str, verdict: Verdict, tmp_path: Path) -> None:
    tree = machine(
        tmp_path,
        {
            f"sys/fs/cgroup/cpu/{RUNTIME}": runtime,
            "proc/sys/kernel/sched_rt_runtime_us": "950000",
        },
    )

    assert real_time_group(tree, ALL_GRANTED).verdict is verdict


# throttling


@pytest.mark.parametrize(
    ("release", "option", "verdict", "server"),
    [
        ("6.1.0", "# CONFIG_RT_GROUP_SCHED is not set", Verdict.WARN, Verdict.OK),
        ("6.12.1", "# CONFIG_RT_GROUP_SCHED is not set", Verdict.OK, Verdict.UNKNOWN),
        ("6.12.1", "CONFIG_RT_GROUP_SCHED=y", Verdict.WARN, Verdict.UNKNOWN),
    ],
)
def test_throttling_and_its_successor(
    release: str, option: str, verdict: Verdict, server: Verdict, tmp_path: Path
) -> None:
    tree = machine(
        tmp_path,
        {
            "proc/sys/kernel/osrelease": release,
            "proc/sys/kernel/sched_rt_runtime_us": "950000",
            "proc/sys/kernel/sched_rt_period_us": "1000000",
            f"boot/config-{release}": option,
        },
    )

    assert [reported.verdict for reported in throttling(tree)] == [verdict, server]


def test_fair_server_is_read(tmp_path: Path) -> None:
    folder = "sys/kernel/debug/sched/fair_server"
    tree = machine(
        tmp_path,
        {
            "proc/sys/kernel/osrelease": "6.12.1",
            f"{folder}/cpu0/runtime": "50000000",
            f"{folder}/cpu0/period": "1000000000",
            f"{folder}/cpu1/runtime": "0",
        },
    )

    reported = throttling(tree)[1]

    assert reported.verdict is Verdict.WARN
    assert "50 ms of each 1000 ms, before SCHED_FIFO (CPU 0)" in reported.finding


# time limit


@pytest.mark.parametrize(
    ("soft", "hard", "verdict", "finding"),
    [
        (
            "unlimited",
            "unlimited",
            Verdict.OK,
            "RLIMIT_RTTIME is unlimited: nothing ends a real-time",
        ),
        ("2000000", "unlimited", Verdict.WARN, "does not sleep is ended after 2s (SIGXCPU)"),
        ("unlimited", "300000", Verdict.WARN, "does not sleep is ended after 300ms (SIGKILL)"),
        ("200000", "200000", Verdict.WARN, "does not sleep is ended after 200ms (SIGKILL)"),
        ("200000", "250000", Verdict.WARN, "after 200ms (SIGXCPU) and after 250ms (SIGKILL)"),
    ],
)
def test_a_limit_of_real_time_is_named_with_its_signals(
    soft: str, hard: str, verdict: Verdict, finding: str, tmp_path: Path
) -> None:
    line = f"Max realtime timeout      {soft}            {hard}            us\n"
    reported = time_limit(machine(tmp_path, {"proc/self/limits": line}))

    assert reported.verdict is verdict
    assert reported.finding.endswith(finding) or reported.finding.startswith(finding)
    assert (reported.change is None) is (verdict is Verdict.OK)
    assert "rtkit" not in reported.finding


def test_a_hard_limit_is_changed_by_root(tmp_path: Path) -> None:
    for soft, hard, change in (("9", "unlimited", "ulimit -R"), ("9", "9", "rttime unlimited")):
        line = f"Max realtime timeout      {soft}            {hard}            us\n"
        reported = time_limit(machine(tmp_path, {"proc/self/limits": line}))
        assert change in (reported.change or "")


def test_rtkit_needs_the_limit(tmp_path: Path) -> None:
    line = "Max realtime timeout      unlimited            unlimited            us\n"
    files: Files = {"proc/self/limits": line, "usr/libexec/rtkit-daemon": ""}

    assert time_limit(machine(tmp_path, files)).finding.endswith("of 200 ms by default")


def test_a_limit_that_is_not_readable_is_not_known(tmp_path: Path) -> None:
    assert time_limit(machine(tmp_path, {})).verdict is Verdict.UNKNOWN


# memory


def test_room_for_little_more_is_a_warning(tmp_path: Path) -> None:
    tree = machine(tmp_path, limits("99", "67108864"))

    reported = locking(tree, but(lock_more="EAGAIN"), None)

    assert reported.verdict is Verdict.WARN
    assert "RLIMIT_MEMLOCK is 64 MiB" in reported.finding


def test_little_free_memory_is_a_warning(tmp_path: Path) -> None:
    tree = machine(tmp_path, {"proc/meminfo": "MemAvailable:  102400 kB"})

    assert "only 100 MiB available" in memory(tree, ALL_GRANTED, None)[1].finding


# containers and virtual machines


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({".dockerenv": ""}, "docker"),
        ({"run/.containerenv": ""}, "podman"),
        ({"run/systemd/container": "systemd-nspawn\n"}, "systemd-nspawn"),
        ({"proc/1/environ": "HOME=/\0container=lxc\0"}, "lxc"),
        ({"proc/1/cgroup": "12:cpu:/docker/0123456789ab\n"}, "docker"),
        ({"proc/1/cgroup": "0::/kubepods/besteffort/pod1\n"}, "kubernetes"),
        ({"proc/1/cgroup": "0::/lxc.payload.box\n"}, "lxc"),
    ],
)
def test_container_is_found(files: Files, kind: str, tmp_path: Path) -> None:
    found = find_container(machine(tmp_path, files), Tried())

    assert found
    assert found.kind == kind
    assert container(found).verdict is Verdict.WARN


def test_container_is_found_by_systemd(tmp_path: Path) -> None:
    found = find_container(Machine(tmp_path), Tried(container="rkt"))

    assert found
    assert found.seen_in == "systemd-detect-virt"


def test_sign_of_a_container_beside_kernel_threads_is_not_one(tmp_path: Path) -> None:
    tree = machine(tmp_path, {".dockerenv": ""}, migration(1), limits("0", "0"))

    found = find_container(tree, Tried())

    assert container(found).verdict is Verdict.OK
    assert "limits.conf" in (scheduling(tree, NOTHING_GRANTED, found).change or "")


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("lxc", "lxc.prlimit.rtprio = 99"),
        ("systemd-nspawn", "systemd-nspawn --capability=CAP_SYS_NICE"),
        ("podman", "podman run --cap-add=SYS_NICE --ulimit rtprio=99"),
        ("kubernetes", '{add: ["SYS_NICE"]}'),
    ],
)
def test_each_container_has_its_way(kind: str, change: str, tmp_path: Path) -> None:
    tree = machine(tmp_path, {"run/systemd/container": kind}, limits("0", "0"))
    found = find_container(tree, Tried())

    assert change in (scheduling(tree, NOTHING_GRANTED, found).change or "")


@pytest.mark.parametrize(
    ("files", "tried", "name"),
    [
        ({}, Tried(virtual_machine="kvm"), "(kvm)"),
        ({"proc/cpuinfo": "flags : fpu hypervisor tsc"}, Tried(), "(hypervisor)"),
        ({"sys/class/dmi/id/sys_vendor": "QEMU"}, Tried(), "(QEMU)"),
    ],
)
def test_virtual_machine_is_found(files: Files, tried: Tried, name: str, tmp_path: Path) -> None:
    reported = virtual_machine(machine(tmp_path, files), tried)

    assert reported.verdict is Verdict.WARN
    assert name in reported.finding


def test_steal_time_is_reported(tmp_path: Path) -> None:
    tree = machine(tmp_path, {"proc/stat": "cpu  100 0 0 880 0 0 0 20 0 0\ncpu0 1\n"})

    reported = virtual_machine(tree, Tried(virtual_machine="kvm"))

    assert "steal time: 2.00% since boot" in reported.finding


# preemption


@pytest.mark.parametrize(
    ("version", "files", "text"),
    [
        ("#1 SMP PREEMPT RT", {}, "PREEMPT_RT"),
        ("#1 SMP PREEMPT", {}, "model full"),
        ("#1 SMP", {}, "model none or voluntary"),
        (
            "#1 SMP PREEMPT_DYNAMIC",
            {"sys/kernel/debug/sched/preempt": "none voluntary (full)"},
            "model full",
        ),
        ("#1 SMP PREEMPT_DYNAMIC", {"proc/cmdline": "quiet preempt=lazy"}, "model lazy"),
        ("#1 SMP PREEMPT_DYNAMIC", {}, "model not readable"),
    ],
)
def test_preemption_model(version: str, files: Files, text: str, tmp_path: Path) -> None:
    tree = machine(tmp_path, {"proc/sys/kernel/version": version}, files)

    assert text in preemption(tree).finding


# threads


def one_cpu(root: Path, *threads: Files) -> Machine:
    return machine(root, {f"{CPU}/online": "0"}, status(NO_CAPABILITIES, "0"), *threads)


def test_migration_threads_alone_are_ok(tmp_path: Path) -> None:
    (reported,) = rivals(one_cpu(tmp_path, migration(1)))

    assert reported.verdict is Verdict.OK


def test_deadline_threads_come_before_all(tmp_path: Path) -> None:
    tree = one_cpu(tmp_path, migration(1), kernel(40, "sugov:0", DEADLINE, 0, "0"))

    (reported,) = rivals(tree)

    assert reported.finding == "1 SCHED_DEADLINE (sugov), before every SCHED_FIFO thread"
    assert reported.change is None


def test_any_name_of_a_thread_is_read(tmp_path: Path) -> None:
    tree = one_cpu(tmp_path, migration(1), thread(50, "a) R (b [c]", FIFO, 7, "0"))

    (reported,) = rivals(tree)

    assert reported.finding.startswith("1 user thread at 7 (a) R (b [c])")


def test_threads_of_other_cpus_are_not_reported(tmp_path: Path) -> None:
    tree = one_cpu(tmp_path, migration(1), kernel(40, "irq/9-acpi", FIFO, 50, "1-3"))

    assert [reported.verdict for reported in rivals(tree)] == [Verdict.OK]


def test_own_threads_are_reported_though_the_kernels_are_hidden(tmp_path: Path) -> None:
    tree = one_cpu(tmp_path, thread(50, "jackd", FIFO, 10, "0"))

    seen, hidden = rivals(tree)

    assert seen.change == "keep priorities and ceilings within 11 to 98, or use the backend syscall"
    assert hidden.verdict is Verdict.UNKNOWN


# clocks


def test_slow_clock_without_a_better_one(tmp_path: Path) -> None:
    folder = "sys/devices/system/clocksource/clocksource0"
    tree = machine(tmp_path, {f"{folder}/current_clocksource": "acpi_pm"})

    assert "tsc=reliable" in (clocks(tree, ALL_GRANTED)[0].change or "")


def test_coarse_timers_are_a_warning(tmp_path: Path) -> None:
    reported = clocks(Machine(tmp_path), but(clock_resolution_ns=4_000_000))[1]

    assert reported.verdict is Verdict.WARN


# libc


def test_old_libc_fails() -> None:
    assert libc(but(glibc="2.31"))[0].verdict is Verdict.FAIL


def test_missing_protocol_is_a_warning() -> None:
    reported = libc(but(prio_protect="ENOTSUP"))[1]

    assert reported.verdict is Verdict.WARN
    assert "PRIO_PROTECT (ENOTSUP)" in reported.finding


def test_missing_priority_inheritance_futex_fails() -> None:
    assert libc(but(futex_lock_pi="ENOSYS"))[2].verdict is Verdict.FAIL


# tracepoints


def test_root_needs_no_mounted_tracefs(tmp_path: Path) -> None:
    tree = machine(
        tmp_path,
        status(ALL_CAPABILITIES, "0"),
        {"proc/sys/kernel/perf_event_paranoid": "2", "sys/kernel/tracing/.empty": ""},
    )

    assert tracepoints(tree).verdict == "ok"


def test_tracepoints_that_may_be_counted(tmp_path: Path) -> None:
    tree = machine(
        tmp_path,
        {
            "proc/sys/kernel/perf_event_paranoid": "-1",
            "sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id": "7",
        },
    )

    assert tracepoints(tree).verdict is Verdict.OK


# the virtual machine


def test_what_the_virtual_machine_needs_is_named(tmp_path: Path) -> None:
    reported = emulator(machine(tmp_path, {"bin/busybox": "", "usr/bin/apt-get": ""}))

    assert reported.verdict is Verdict.WARN
    assert "qemu-system-x86 missing" in reported.finding
    assert reported.change == "sudo apt install qemu-system-x86"


@pytest.mark.parametrize(
    ("seen", "verdict", "finding"),
    [
        ([], Verdict.UNKNOWN, "not watched: "),
        ([watched(0)], Verdict.OK, "none above 100 us in a second; the slowest 10 us at 95% "),
        ([watched(0), watched(0, slowest=5)], Verdict.OK, "none above 100 us in a second; "),
        ([watched(0, slowest=4.9)], Verdict.WARN, "0 a second, for up to 0 ms; the slowest 10 us "),
        ([watched(0), watched(41, 12_000_000)], Verdict.WARN, "41 a second, for up to 12 ms; "),
    ],
)
def test_stops_of_the_machine(seen: list[CpuBefore], verdict: Verdict, finding: str) -> None:
    found = stops(but(watched=seen))
    assert found.verdict is verdict
    assert found.finding.startswith(finding)
    cures = ("another host", "isolated CPUs", "--on vm", "--on sim")
    assert all(cure in (found.change or "") for cure in cures) == (verdict is Verdict.WARN)
