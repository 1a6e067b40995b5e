# SPDX-License-Identifier: MIT
"""Imitations of machines for `plafond doctor`, and how they are read."""

import gzip
from pathlib import Path

import pytest

from plafond.doctor.cpulist import format_cpus, parse_cpus
from plafond.doctor.machine import UNLIMITED, Machine
from plafond.doctor.model import Finding, Report
from plafond.doctor.probes import Tried
from plafond.witness import CpuBefore, Speed

CPU = "sys/devices/system/cpu"
ALL_CAPABILITIES = "000001ffffffffff"
NO_CAPABILITIES = "0000000000000000"
KERNEL_THREAD = 0x00200040
FIFO, RR, DEADLINE = 1, 2, 6


def watched(stops: int, longest_ns: int = 0, slowest: float = 9.5) -> CpuBefore:
    return CpuBefore(
        cpu=0,
        seconds=1,
        stops=stops,
        longest_stop_ns=longest_ns,
        stopped_ns=longest_ns,
        turns_per_us=Speed(median=10, slowest=slowest),
    )


ALL_GRANTED = Tried(
    highest_priority=99,
    pin="OK",
    lock_memory="OK",
    lock_more="OK",
    glibc="2.36",
    prio_inherit="OK",
    prio_protect="OK",
    robust_protect="ENOTSUP",
    futex_lock_pi="OK",
    futex_lock_pi2="OK",
    clock_resolution_ns=1,
    container="none",
    virtual_machine="none",
    watched=[watched(0)],
)
NOTHING_GRANTED = ALL_GRANTED.model_copy(
    update={"highest_priority": 0, "watched": [], "lock_memory": "ENOMEM", "lock_more": "EAGAIN"}
)

Files = dict[str, str]


def machine(root: Path, *parts: Files) -> Machine:
    for part in parts:
        for name, text in part.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return Machine(root)


def status(capabilities: str, cpus: str, seccomp: int = 0) -> Files:
    lines = f"CapEff:\t{capabilities}\nSeccomp:\t{seccomp}\nCpus_allowed_list:\t{cpus}\n"
    return {"proc/self/status": lines}


def limits(real_time: str, memory: str, hard: str | None = None) -> Files:
    """Return /proc/self/limits. Both hard limits are alike."""
    return {
        "proc/self/limits": "Limit                     Soft Limit           Hard Limit   Units\n"
        f"Max locked memory         {memory}              {hard or memory}        bytes\n"
        f"Max realtime priority     {real_time}                    {hard or real_time}\n"
        "Max realtime timeout      unlimited            unlimited            us\n"
    }


def thread(
    number: int, name: str, policy: int, priority: int, cpus: str, flags: int = 0, group: int = 0
) -> Files:
    """Return a thread of process `group`, or the first thread of a process."""
    fields = ["0"] * 50
    fields[0] = "S"
    fields[6], fields[37], fields[38] = str(flags), str(priority), str(policy)
    fields[36] = cpus.partition("-")[0]
    stat = f"{number} ({name}) {' '.join(fields)}\n"
    folder = f"proc/{group or number}/task/{number}"
    files = {f"{folder}/stat": stat, f"{folder}/status": f"Cpus_allowed_list:\t{cpus}\n"}
    return files if group else files | {f"proc/{number}/stat": stat}


def kernel(number: int, name: str, policy: int, priority: int, cpus: str) -> Files:
    return thread(number, name, policy, priority, cpus, KERNEL_THREAD)


def migration(cpus: int) -> Files:
    """Return kthreadd and the threads that every kernel has."""
    files = kernel(2, "kthreadd", 0, 0, f"0-{cpus - 1}")
    for cpu in range(cpus):
        files |= kernel(10 + cpu, f"migration/{cpu}", FIFO, 99, str(cpu))
    return files


def laptop(root: Path) -> Machine:
    """Return an ordinary Debian laptop of an ordinary user: 4 CPUs on 2 cores."""
    cpus: Files = {f"{CPU}/online": "0-3\n", f"{CPU}/isolated": "\n", f"{CPU}/nohz_full": "(null)"}
    for cpu in range(4):
        folder = f"{CPU}/cpu{cpu}"
        cpus |= {
            f"{folder}/topology/thread_siblings_list": f"{cpu % 2},{cpu % 2 + 2}\n",
            f"{folder}/cpufreq/scaling_governor": "powersave\n",
            f"{folder}/cpuidle/state0/name": "POLL\n",
            f"{folder}/cpuidle/state0/latency": "0\n",
            f"{folder}/cpuidle/state1/name": "C10\n",
            f"{folder}/cpuidle/state1/latency": "890\n",
            f"{folder}/cpuidle/state1/disable": "0\n",
        }
    return machine(
        root,
        cpus,
        status(NO_CAPABILITIES, "0-3"),
        limits("0", "8388608"),
        migration(4),
        thread(900, "pipewire", 0, 0, "0-3"),
        thread(901, "data-loop.0", RR, 88, "0-3", group=900),
        {
            "proc/self/timerslack_ns": "50000\n",
            "proc/self/cgroup": "0::/user.slice/user-1000.slice/session-2.scope\n",
            "proc/1/cgroup": "0::/init.scope\n",
            "proc/cpuinfo": "processor : 0\nflags\t\t: fpu vme tsc\n",
            "proc/sys/kernel/osrelease": "6.1.0-18-amd64\n",
            "proc/sys/kernel/version": "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)\n",
            "proc/sys/kernel/sched_rt_runtime_us": "950000\n",
            "proc/sys/kernel/sched_rt_period_us": "1000000\n",
            "proc/sys/kernel/perf_event_paranoid": "3\n",
            "proc/meminfo": "MemTotal: 16000000 kB\nMemAvailable:    8000000 kB\n",
            "proc/swaps": "Filename Type Size Used Priority\n/dev/dm-1 partition 1 0 -2\n",
            "sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never\n",
            "sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n",
            "sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc hpet\n",
            "boot/config-6.1.0-18-amd64": "# CONFIG_RT_GROUP_SCHED is not set\n"
            "CONFIG_PREEMPT_DYNAMIC=y\nCONFIG_PREEMPT_VOLUNTARY=y\n",
            "boot/vmlinuz-6.1.0-18-amd64": "",
            "etc/os-release": 'NAME="Debian GNU/Linux"\nID=debian\n',
        },
    )


def container(root: Path) -> Machine:
    """Return root in a container without privilege: nothing of the host is visible."""
    return machine(
        root,
        status("00000000a80425fb", "0-7", seccomp=2),
        limits("0", "8388608"),
        thread(1, "sh", 0, 0, "0-7"),
        {
            ".dockerenv": "",
            "proc/1/cgroup": "0::/\n",
            "proc/self/cgroup": "0::/\n",
            "proc/self/uid_map": "         0          0 4294967295\n",
            "proc/sys/kernel/osrelease": "6.8.0-45-generic\n",
            "proc/sys/kernel/version": "#45-Ubuntu SMP PREEMPT_DYNAMIC Fri Aug 30\n",
            f"{CPU}/online": "0-7\n",
        },
    )


def robot(root: Path) -> Machine:
    """Return a PREEMPT_RT machine with CPUs 2 and 3 isolated and the user's limits raised."""
    cpus: Files = {f"{CPU}/online": "0-3", f"{CPU}/isolated": "2-3", f"{CPU}/nohz_full": "2-3"}
    for cpu in range(4):
        folder = f"{CPU}/cpu{cpu}"
        cpus |= {
            f"{folder}/topology/thread_siblings_list": f"{cpu}\n",
            f"{folder}/cpufreq/scaling_governor": "performance\n",
            f"{folder}/cpuidle/state0/name": "POLL\n",
            f"{folder}/cpuidle/state0/latency": "0\n",
            f"{folder}/cpuidle/state1/name": "C6\n",
            f"{folder}/cpuidle/state1/latency": "133\n",
            f"{folder}/cpuidle/state1/disable": "1\n",
            f"sys/kernel/debug/sched/fair_server/cpu{cpu}/runtime": "0\n",
        }
    return machine(
        root,
        cpus,
        status(NO_CAPABILITIES, "0-1"),
        limits("99", "unlimited"),
        migration(4),
        kernel(30, "irq/24-nvme0q0", FIFO, 50, "0"),
        kernel(31, "irq/25-eth0", FIFO, 60, "1"),
        kernel(32, "irq/26-eth1", FIFO, 50, "1"),
        kernel(33, "rcuc/0", FIFO, 1, "0"),
        kernel(34, "rcuc/1", FIFO, 1, "1"),
        {
            "proc/self/timerslack_ns": "50000",
            "proc/cpuinfo": "flags : fpu tsc",
            "proc/sys/kernel/osrelease": "6.12.9-rt",
            "proc/sys/kernel/version": "#1 SMP PREEMPT_RT Mon",
            "proc/sys/kernel/sched_rt_runtime_us": "-1",
            "proc/sys/kernel/sched_rt_period_us": "1000000",
            "proc/sys/kernel/perf_event_paranoid": "1",
            "proc/meminfo": "MemAvailable: 4000000 kB",
            "proc/swaps": "Filename Type Size Used Priority",
            "sys/kernel/realtime": "1",
            "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never",
            "sys/kernel/tracing/events/raw_syscalls/sys_enter/id": "412",
            "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc",
            "boot/config-6.12.9-rt": "CONFIG_PREEMPT_RT=y",
            "usr/bin/qemu-system-x86_64": "",
            "usr/bin/apt-get": "",
            "bin/busybox": "",
        },
    )


def named(report: Report, topic: str) -> Finding:
    (finding,) = (f for f in report.findings if f.topic == topic)
    return finding


@pytest.mark.parametrize(
    ("text", "cpus"),
    [("0-3,8", {0, 1, 2, 3, 8}), ("", set()), ("5\n", {5}), ("(null)", None), ("x-2", None)],
)
def test_list_of_cpus_is_read(text: str, cpus: set[int] | None) -> None:
    assert parse_cpus(text) == cpus


@pytest.mark.parametrize(("cpus", "text"), [({0, 1, 3}, "0-1,3"), ({2}, "2"), (set(), "none")])
def test_list_of_cpus_is_written(cpus: set[int], text: str) -> None:
    assert format_cpus(cpus) == text


def test_missing_files_are_none(tmp_path: Path) -> None:
    empty = Machine(tmp_path)

    assert empty.text("proc/1/environ") is None
    assert empty.number("sys/kernel/realtime") is None
    assert empty.limit("Max locked memory") is None
    assert (empty.release, empty.allowed, empty.usable) == (None, frozenset(), [])
    assert not empty.has("CAP_SYS_NICE")
    assert empty.option("RT_GROUP_SCHED") is None


def test_folder_in_place_of_a_file_is_none(tmp_path: Path) -> None:
    (tmp_path / "proc/meminfo").mkdir(parents=True)

    assert Machine(tmp_path).text("proc/meminfo") is None


def test_limits_are_soft_and_hard(tmp_path: Path) -> None:
    tree = machine(tmp_path, limits("0", "8388608", hard="unlimited"))

    assert tree.limit("Max locked memory") == (8388608, UNLIMITED)
    assert tree.limit("Max realtime priority") == (0, UNLIMITED)


def test_capability_of_a_user_namespace_does_not_count(tmp_path: Path) -> None:
    tree = machine(tmp_path, status(ALL_CAPABILITIES, "0"), {"proc/self/uid_map": "0 1000 1\n"})

    assert tree.holds("CAP_SYS_NICE")
    assert not tree.has("CAP_SYS_NICE")


def test_isolated_cpus_are_usable_though_not_given(tmp_path: Path) -> None:
    assert robot(tmp_path).usable == [0, 1, 2, 3]


def test_configuration_is_read_from_proc_or_boot(tmp_path: Path) -> None:
    tree = machine(
        tmp_path,
        {"proc/sys/kernel/osrelease": "6.1", "boot/config-6.1": "CONFIG_PREEMPT=y"},
    )
    assert tree.option("PREEMPT") is True

    (tmp_path / "proc/config.gz").write_bytes(gzip.compress(b"# CONFIG_PREEMPT is not set\n"))
    assert Machine(tmp_path).option("PREEMPT") is False

    (tmp_path / "proc/config.gz").write_bytes(b"\x1f\x8b broken")
    assert Machine(tmp_path).option("PREEMPT") is True
