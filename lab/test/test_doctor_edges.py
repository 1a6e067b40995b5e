# SPDX-License-Identifier: MIT
"""Findings of `plafond doctor` at limits, for two of a kind, and for another CPU."""

import json
import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from test_doctor_command import rendered
from test_doctor_findings import RUNTIME, but, one_cpu
from test_doctor_trees import (
    ALL_CAPABILITIES,
    ALL_GRANTED,
    CPU,
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

from plafond.doctor import child, probes
from plafond.doctor.clocks import clocks
from plafond.doctor.containers import container, find_container
from plafond.doctor.emulator import emulator
from plafond.doctor.examine import examine
from plafond.doctor.groups import real_time_group
from plafond.doctor.kernel import preemption
from plafond.doctor.libc import libc
from plafond.doctor.machine import CAPABILITIES, Machine
from plafond.doctor.memory import locking, memory
from plafond.doctor.model import Finding, Report, Verdict, fail, warn
from plafond.doctor.power import power
from plafond.doctor.probes import Tried, try_here
from plafond.doctor.processors import processors
from plafond.doctor.rivals import rivals
from plafond.doctor.scheduling import pinning, scheduling
from plafond.doctor.stops import stops
from plafond.doctor.throttling import FAIR_SERVERS, throttling
from plafond.doctor.time_limit import time_limit
from plafond.doctor.virtual import virtual_machine

SOURCES = "sys/devices/system/clocksource/clocksource0"


# clocks


def test_the_best_available_clock_is_proposed(tmp_path: Path) -> None:
    names = {"current_clocksource": "hpet", "available_clocksource": "hpet kvm-clock tsc"}
    tree = machine(tmp_path, {f"{SOURCES}/{name}": text for name, text in names.items()})

    assert (clocks(tree, ALL_GRANTED)[0].change or "").startswith("echo tsc |")


def test_timer_slack_is_in_microseconds(tmp_path: Path) -> None:
    tree = machine(tmp_path, {"proc/self/timerslack_ns": "50000"})

    assert clocks(tree, ALL_GRANTED)[2].finding.startswith("50 µs for ordinary threads")


def test_two_nanoseconds_are_no_high_resolution(tmp_path: Path) -> None:
    reported = clocks(Machine(tmp_path), but(clock_resolution_ns=2))[1]

    assert reported.verdict is Verdict.WARN
    assert "a resolution of 2 ns" in reported.finding


# containers and emulators


@pytest.mark.parametrize("kind", ["docker", "podman"])
def test_a_runner_of_containers_gives_cpus(kind: str, tmp_path: Path) -> None:
    found = find_container(machine(tmp_path, {"run/systemd/container": kind}), Tried())

    assert (container(found).change or "").startswith(f"{kind} run --cpuset-cpus=CPUS")


def test_lxc_locks_unlimited_memory(tmp_path: Path) -> None:
    tree = machine(tmp_path, {"run/systemd/container": "lxc"}, limits("0", "0"))

    change = locking(tree, NOTHING_GRANTED, find_container(tree, Tried())).change
    assert change == "lxc.prlimit.memlock = unlimited  # in the container's config"


def test_all_missing_packages_are_installed(tmp_path: Path) -> None:
    reported = emulator(machine(tmp_path, {"usr/bin/apt-get": ""}))

    assert "qemu-system-x86, busybox-static missing" in reported.finding
    assert reported.change == "sudo apt install qemu-system-x86 busybox-static"


# real-time cgroup and throttling


def test_a_group_gets_less_than_an_unlimited_kernel_gives(tmp_path: Path) -> None:
    files: Files = {
        f"sys/fs/cgroup/cpu/{RUNTIME}": "300000",
        "sys/fs/cgroup/cpu/cpu.rt_period_us": "500000",
        "proc/sys/kernel/sched_rt_runtime_us": "-1",
    }
    reported = real_time_group(machine(tmp_path, files), ALL_GRANTED)

    assert reported.verdict is Verdict.WARN
    assert "may use 300 ms of each 500 ms, less than" in reported.finding


def test_the_group_of_the_process_comes_before_the_root(tmp_path: Path) -> None:
    files: Files = {
        "proc/self/cgroup": "4:cpu:/robot\n",
        f"sys/fs/cgroup/cpu/{RUNTIME}": "950000",
        f"sys/fs/cgroup/cpu/robot/{RUNTIME}": "0",
    }
    reported = real_time_group(machine(tmp_path, files), NOTHING_GRANTED)

    assert reported.verdict is Verdict.FAIL
    assert f"/sys/fs/cgroup/cpu/robot/{RUNTIME}" in (reported.change or "")


def test_a_runtime_of_the_whole_period_is_no_throttling(tmp_path: Path) -> None:
    names = ("sched_rt_runtime_us", "sched_rt_period_us")
    tree = machine(tmp_path, {f"proc/sys/kernel/{name}": "1000000" for name in names})

    assert throttling(tree)[0].verdict is Verdict.OK


def fair_server(root: Path, **runtimes_and_periods: str) -> Finding:
    """Return the finding about the fair server; keywords such as `cpu1_runtime` give the files."""
    files = {f"{FAIR_SERVERS}/{k.replace('_', '/')}": v for k, v in runtimes_and_periods.items()}
    return throttling(machine(root, {"proc/sys/kernel/osrelease": "6.12"}, files))[1]


def test_the_fair_server_of_another_cpu_is_read(tmp_path: Path) -> None:
    found = fair_server(
        tmp_path,
        cpu0_runtime="0",
        cpu0_period="1000000000",
        cpu1_runtime="30000000",
        cpu1_period="500000000",
    )

    assert "30 ms of each 500 ms, before SCHED_FIFO (CPU 1)" in found.finding


def test_the_largest_share_of_two_fair_servers_is_reported(tmp_path: Path) -> None:
    found = fair_server(tmp_path, cpu0_runtime="50000000", cpu1_runtime="300000000")

    assert "given up to 300 ms of each 1000 ms, before SCHED_FIFO (CPU 0-1)" in found.finding


def test_debugfs_that_is_not_mounted_is_mounted_to_see_the_fair_server(tmp_path: Path) -> None:
    (tmp_path / "sys/kernel/debug").mkdir(parents=True)
    assert (fair_server(tmp_path).change or "").startswith("sudo mount -t debugfs")

    (tmp_path / "sys/kernel/debug/sched").mkdir()
    assert fair_server(tmp_path).change == "run plafond doctor as root, to see it"


def test_a_cgroup_without_real_time_is_a_cause_before_a_filter(tmp_path: Path) -> None:
    tree = machine(
        tmp_path,
        status(ALL_CAPABILITIES, "0", seccomp=2),
        {f"sys/fs/cgroup/cpu/{RUNTIME}": "0"},
    )

    assert scheduling(tree, NOTHING_GRANTED, None).finding.endswith(
        "; this cgroup is given no real time"
    )


# preemption


def test_the_model_chosen_at_boot_comes_before_the_built_in_model(tmp_path: Path) -> None:
    files: Files = {
        "proc/sys/kernel/version": "#1 SMP PREEMPT_DYNAMIC",
        "proc/sys/kernel/osrelease": "6.1",
        "boot/config-6.1": "CONFIG_PREEMPT_VOLUNTARY=y",
        "proc/cmdline": "preempt=full",
    }

    assert "with model full" in preemption(machine(tmp_path, files)).finding


def test_ubuntu_gets_its_own_kernel(tmp_path: Path) -> None:
    files: Files = {
        "proc/sys/kernel/version": "#45-Ubuntu SMP PREEMPT_DYNAMIC",
        "proc/sys/kernel/osrelease": "6.8.0-45-generic",
        "boot/vmlinuz-6.8.0-45-generic": "",
        "etc/os-release": "NAME=Ubuntu\nID=ubuntu",
    }

    change = preemption(machine(tmp_path, files)).change
    assert change == "sudo pro enable realtime-kernel  # then reboot"


# libc


def test_the_oldest_libc_that_is_enough() -> None:
    assert libc(but(glibc="2.35"))[0].verdict is Verdict.OK
    assert libc(but(glibc="2.34"))[0].verdict is Verdict.FAIL


def test_both_missing_protocols_are_named() -> None:
    reported = libc(but(prio_inherit="ENOSYS", prio_protect="ENOTSUP"))[1]

    assert "PRIO_INHERIT (ENOSYS), PRIO_PROTECT (ENOTSUP)" in reported.finding


@pytest.mark.parametrize(("newer", "text"), [("OK", "FUTEX_LOCK_PI2 too"), ("ENOSYS", "not FUT")])
def test_the_newer_futex_is_reported(newer: str, text: str) -> None:
    assert f"; {text}" in libc(but(futex_lock_pi2=newer))[2].finding


# the files of a machine


def test_isolated_cpus_that_are_offline_are_not_usable(tmp_path: Path) -> None:
    files: Files = {f"{CPU}/online": "0-2", f"{CPU}/isolated": "2-3"}

    assert machine(tmp_path, files, status(NO_CAPABILITIES, "0-1")).usable == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "bit"),
    [("CAP_IPC_LOCK", 14), ("CAP_SYS_ADMIN", 21), ("CAP_SYS_NICE", 23), ("CAP_PERFMON", 38)],
)
def test_each_capability_has_its_bit(name: str, bit: int, tmp_path: Path) -> None:
    tree = machine(tmp_path, status(f"{1 << bit:016x}", "0"))

    assert [each for each in CAPABILITIES if tree.has(each)] == [name]


# memory


def test_just_enough_memory_is_enough(tmp_path: Path) -> None:
    def free(kib: int) -> Finding:
        return memory(
            machine(tmp_path, {"proc/meminfo": f"MemAvailable: {kib} kB"}), ALL_GRANTED, None
        )[1]

    assert (free(256 * 1024).verdict, free(256 * 1024 - 1).verdict) == (Verdict.OK, Verdict.WARN)


def test_a_mebibyte_is_not_1024_kibibytes(tmp_path: Path) -> None:
    tree = machine(tmp_path, limits("0", str(1 << 20), hard=str(1 << 30)))

    assert locking(tree, NOTHING_GRANTED, None).finding.endswith("RLIMIT_MEMLOCK is 1 MiB")


def test_the_soft_limit_is_reported(tmp_path: Path) -> None:
    tree = machine(tmp_path, status(NO_CAPABILITIES, "0"), limits("3", "8388608", hard="unlimited"))

    assert scheduling(tree, NOTHING_GRANTED, None).finding.endswith("RLIMIT_RTPRIO is 3")
    assert locking(tree, NOTHING_GRANTED, None).finding.endswith("RLIMIT_MEMLOCK is 8 MiB")


def test_each_swap_device_is_named(tmp_path: Path) -> None:
    files: Files = {"proc/swaps": "Filename Type\n/dev/dm-1 partition\n/swap file\n"}

    reported = memory(machine(tmp_path, files), ALL_GRANTED, None)[2]
    assert reported.finding.startswith("on (/dev/dm-1, /swap)")


# power


def test_a_single_cpu_that_saves_power_is_a_warning(tmp_path: Path) -> None:
    files: Files = {f"{CPU}/online": "0-1"}
    for cpu, name in enumerate(("performance", "powersave")):
        files[f"{CPU}/cpu{cpu}/cpufreq/scaling_governor"] = name

    reported = power(machine(tmp_path, files))[0]
    assert reported.verdict is Verdict.WARN
    assert "performance on CPU 0, powersave on CPU 1" in reported.finding


@pytest.mark.parametrize(
    ("latencies", "verdict"),
    [((20, 20), Verdict.OK), ((20, 21), Verdict.WARN), ((21, 20), Verdict.WARN)],
)
def test_the_deepest_idle_state_of_any_cpu_counts(
    latencies: tuple[int, int], verdict: Verdict, tmp_path: Path
) -> None:
    files: Files = {f"{CPU}/online": "0-1"}
    for cpu, latency in enumerate(latencies):
        files[f"{CPU}/cpu{cpu}/cpuidle/state0/latency"] = str(latency)

    assert power(machine(tmp_path, files))[1].verdict is verdict


# processors


def test_of_two_cpus_the_last_can_be_isolated(tmp_path: Path) -> None:
    reported = processors(machine(tmp_path, {f"{CPU}/online": "0-1", f"{CPU}/isolated": ""}))[1]

    assert reported.verdict is Verdict.WARN
    assert "isolcpus=managed_irq,domain,1 " in (reported.change or "")


def test_the_topology_of_one_cpu_is_enough(tmp_path: Path) -> None:
    siblings = f"{CPU}/cpu0/topology/thread_siblings_list"

    reported = processors(machine(tmp_path, {f"{CPU}/online": "0-1", siblings: "0"}))[2]
    assert reported.verdict is Verdict.OK


# threads


def rival(root: Path, *threads: Files) -> Finding:
    (found,) = rivals(one_cpu(root, migration(1), *threads))
    return found


def test_three_names_are_shown_and_of_four_the_most_urgent(tmp_path: Path) -> None:
    three = [kernel(40 + n, f"{'abc'[n]}", FIFO, 5 + n, "0") for n in range(3)]

    assert "(c, b, a)" in rival(tmp_path, *three).finding
    assert "(d, c, b, ...)" in rival(tmp_path, kernel(50, "d", FIFO, 9, "0")).finding


def test_of_equal_ranges_the_most_urgent_is_proposed(tmp_path: Path) -> None:
    reported = rival(tmp_path, thread(50, "jackd", FIFO, 33, "0"), thread(51, "x", FIFO, 66, "0"))
    assert "within 67 to 98" in (reported.change or "")  # 32 priorities, as 1 to 32 and 34 to 65


def test_a_thread_of_a_user_is_no_interrupt(tmp_path: Path) -> None:
    assert rival(tmp_path, thread(50, "irq/9-mine", FIFO, 7, "0")).finding.startswith(
        "1 user thread at 7 (irq)"
    )


def test_a_thread_is_on_each_of_its_cpus(tmp_path: Path) -> None:
    cpus: Files = {f"{CPU}/online": "0-1"}
    tree = machine(tmp_path, cpus, migration(2), thread(50, "jackd", FIFO, 10, "0-1"))

    assert [found.topic for found in rivals(tree)] == ["threads, CPU 0-1"]


def test_a_thread_without_a_list_of_cpus_is_on_its_processor(tmp_path: Path) -> None:
    tree = machine(
        tmp_path, {f"{CPU}/online": "0-1"}, migration(2), thread(50, "jackd", FIFO, 10, "1")
    )
    (tmp_path / "proc/50/task/50/status").unlink()

    assert [found.topic for found in rivals(tree)] == ["threads, CPU 0", "threads, CPU 1"]
    assert "jackd" in rivals(tree)[1].finding


# stops


def test_stops_are_a_rate_and_each_figure_is_of_the_worst_cpu() -> None:
    long, often = watched(1, 12_000_000), watched(41, 1_000_000, slowest=2)
    half = often.model_copy(update={"seconds": 2})

    for order in ([long, half], [half, long]):
        assert stops(but(watched=order)).finding == (
            "20.5 a second, for up to 12 ms; the slowest 10 us at 20% of the usual speed"
        )


# the rest


def test_what_was_not_tried_is_named() -> None:
    assert pinning(Tried(problem="died")).finding == (
        "pinning a thread could not be tried here; died"
    )


@pytest.mark.parametrize("folder", ["usr/libexec", "usr/lib/rtkit", "usr/lib"])
def test_rtkit_is_found_in_each_of_its_folders(folder: str, tmp_path: Path) -> None:
    line = "Max realtime timeout      unlimited            unlimited            us\n"
    files: Files = {"proc/self/limits": line, f"{folder}/rtkit-daemon": ""}

    assert "; rtkit gives" in time_limit(machine(tmp_path, files)).finding


def test_the_product_shows_a_virtual_machine(tmp_path: Path) -> None:
    tree = machine(tmp_path, {"sys/class/dmi/id/product_name": "Virtual Machine"})

    assert "(Virtual Machine)" in virtual_machine(tree, Tried()).finding


# the report


def test_the_report_has_each_finding_on_libc(tmp_path: Path) -> None:
    topics = [found.topic for found in examine(Machine(tmp_path), ALL_GRANTED).findings]

    assert topics[-5:] == ["libc", "pthread mutexes", "futexes", "tracepoints", "emulator"]


def test_a_change_that_fits_its_line_is_beside_its_topic() -> None:
    changes = ["x" * 92, "y" * 93]  # after the topic and two spaces
    found = [warn("topic!", "finding", change) for change in changes]
    lines = rendered(Report(meaningful=True, findings=found))

    assert f"topic!  {changes[0]}" in lines
    assert f"    {changes[1]}" in lines


def test_reasons_that_do_not_fit_are_counted() -> None:
    found = [fail("topic", f"{name * 30}; more", None) for name in "abc"]

    last = rendered(Report(meaningful=False, findings=found))[-1]
    assert last == f"run --on linux will not be meaningful here: {'a' * 30} (and 2 more)"


# trying


def test_the_results_of_trying_are_of_their_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    cpus: list[int] = []

    def watch(some: list[int]) -> list[object]:
        cpus.extend(some)
        return []

    monkeypatch.setattr(probes, "_run", lambda _: ("", None))
    monkeypatch.setattr(probes, "_detect", lambda what: f"by {what}")
    monkeypatch.setattr(probes, "stops_before", watch)
    monkeypatch.setattr("time.clock_getres", lambda _: 0.004)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {9, 3, 5, 7, 8})
    tried = try_here()

    assert (tried.container, tried.virtual_machine) == ("by --container", "by --vm")
    assert tried.clock_resolution_ns == 4_000_000
    assert cpus == [3, 5, 7, 8]


def test_the_highest_granted_priority_is_left_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, int]] = []

    def schedule(_: int, policy: int, param: os.sched_param) -> None:
        if param.sched_priority > 40:
            raise PermissionError
        calls.append((policy, param.sched_priority))

    monkeypatch.setattr(os, "sched_setscheduler", schedule)

    assert child._highest_priority() == 40
    assert calls == [(os.SCHED_FIFO, 40), (os.SCHED_OTHER, 0)]


def test_a_refused_lock_of_more_memory_unlocks_all(monkeypatch: pytest.MonkeyPatch) -> None:
    class Libc:
        unlocked = 0

        def munlockall(self) -> None:
            self.unlocked += 1

    def refused(*_: object) -> None:
        raise OSError(11, "no more")

    fake = Libc()
    monkeypatch.setattr(child, "libc", fake)
    monkeypatch.setattr("mmap.mmap", refused)
    with pytest.raises(OSError, match="no more"):
        child._lock_more()

    assert fake.unlocked == 1


@pytest.mark.parametrize("robust", [False, True])
def test_a_mutex_is_robust_only_if_asked(robust: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Libc:
        calls: tuple[str, ...] = ()

        def __getattr__(self, name: str) -> Callable[..., int]:
            self.calls += (name.removeprefix("pthread_mutexattr_"),)
            return lambda *_: 0

    fake = Libc()
    monkeypatch.setattr(child, "libc", fake)

    assert child._mutex(child.PTHREAD_PRIO_PROTECT, robust) == "OK"
    assert ("setrobust" in fake.calls) is robust


def test_each_probe_asks_for_its_own_kind(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("_bound", "_glibc", "_pin", "_highest_priority", "_lock_memory", "_lock_more"):
        monkeypatch.setattr(child, name, lambda: None)
    monkeypatch.setattr(child, "_mutex", lambda kind, robust=False: f"{kind}{' robust' * robust}")
    monkeypatch.setattr(child, "_futex", lambda operation: operation)
    child.main()
    found: dict[str, object] = {}
    for line in capsys.readouterr().out.splitlines():
        found |= json.loads(line)

    assert (found["prio_inherit"], found["prio_protect"]) == ("1", "2")
    assert found["robust_protect"] == "2 robust"
    assert (found["futex_lock_pi"], found["futex_lock_pi2"]) == (6, 13)


@pytest.mark.parametrize(
    ("hard", "is_set"), [(resource.RLIM_INFINITY, True), (6, True), (5, False), (4, False)]
)
def test_a_limit_is_only_lowered(hard: int, is_set: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (0, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, pair: calls.append((kind, pair)))
    child._limit(resource.RLIMIT_CPU, 5)

    assert calls == ([(resource.RLIMIT_CPU, (5, 5))] if is_set else [])
