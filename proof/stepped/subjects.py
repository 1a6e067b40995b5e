# SPDX-License-Identifier: MIT
"""The libraries that proof.stepped.mutants breaks, and how each is built and played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from proof.mutation import ByHand, Mutant, functions_in
from proof.result import ROOT
from proof.stepped import faults, faults_drop_in, faults_global, faults_library, faults_servers
from proof.stepped.checks import Script
from proof.stepped.workshop import Plan, Unit, units_in, units_of_test


@dataclass(frozen=True)
class Subject:
    """A library, its mutants, and the checks that play them."""

    protocol: str
    scope: str
    plan: Plan
    targets: Mapping[str, set[str] | None]  # functions with mutants, by file; None: all
    by_hand: tuple[ByHand, ...]
    equivalent: str  # the file with the arguments
    first: tuple[str, ...] = ()  # the scenes that find the most
    pairs: tuple[str, ...] = ()  # the scenes whose pairs are played, too
    tests: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # and their ways
    claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # tests, by file
    scripts: tuple[Script, ...] = ()
    of_one_cpu: frozenset[str] = frozenset()  # tests that need a single CPU, no matter which
    environment: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by way
    calls_are_steps: bool = False  # in generated mutants
    elsewhere: str = ""  # omit mutants whose text this regular expression finds
    patience_ms: int = 1000  # a run takes less than 1 ms, but a busy machine has gaps

    def __post_init__(self) -> None:
        """ValueError if a claim names an unknown test, or a file without mutants."""
        for file, claiming in self.claims.items():
            unknown = [test for test in claiming if test not in self.tests]
            if unknown or file not in self.targets:
                raise ValueError(
                    f"{self.protocol}: the claim of {file} names {', '.join(unknown) or 'the file'}"
                    "; expected tests of the subject, and a file that is mutated"
                )

    @property
    def is_argued_by_scenes(self) -> bool:
        """Whether an argued mutant meets only scenes, because its tests would have to be built."""
        return bool(self.plan.program) and not self.plan.preloads

    @property
    def is_argued_by_tests(self) -> bool:
        """Whether an argued mutant meets only tests: they are built, and scenes take long."""
        return self.plan.preloads

    def own_of(self, mutant: Mutant) -> str:
        """The scene or test that a mutant by hand names, or ""."""
        own = (f.scene or f.test for f in self.by_hand if f.name == mutant.what)
        return next(own, "")


STACK = "protocol/ceiling_stack.h"
# Functions of STACK that remove frames in any order. Only the drop-in does so.
ANY_ORDER = {"plf_namer", "plf_unlink", "plf_reckon", "plf_reckon_above"}

# These functions choose the writer of a section inside another section.
WRITERS = {"plf_mutex_lock_nested", "plf_mutex_unlock_nested"}

# Tests of linux/lib in which threads die, sleep in a section or lock wrongly, and their ways.
TESTS = {
    "dead_frame": ("user",),
    "second_gate": ("user",),
    "deadlock": ("user",),
    "owner_death": ("user", "strict"),
    "mutex_errors": ("user", "strict"),
    "tid_reuse": ("user",),
    "slots": ("user", "syscall"),
    "fork_in_section": ("user",),
    "fork_of_places": ("user", "syscall"),
    "glibc_robust": ("user",),
    "migration": ("user",),
    "two_cpus": ("syscall",),
    "preempted_unlock": ("user",),
    "timed_lock": ("user",),
    "recursive": ("user",),
}


CORE = ("-fPIC", "-Ilinux/core")
HELPERS_OF = {
    "servers": ("two_servers",),
    "server_steps": ("server_stage", "made_time"),
    "sharing_steps": ("server_stage", "made_time"),
}


def units_of_library_test(name: str) -> tuple[Unit, ...]:
    """The units of a test of linux/lib. The test `budgets` is built with budget.c itself."""
    if name == "budgets":
        return (Unit("linux/lib/test/budgets.c", CORE), Unit("linux/core/budget.c", CORE))
    helpers = ("supervise", "team", *HELPERS_OF.get(name, ()))
    return units_of_test("linux/lib/test", helpers, name)


# Files of proof/step that play on two CPUs.
ON_TWO_CPUS = ("actor", "arrival", "command", "play", "stand")

# Files of linux/core that the drop-in has, too: see sources.cmake there.
OF_BOTH = ("arena", "cpu", "device", "gate", "registry", "robust_list")
ROOMS = ("protocol", "linux/core", "linux/lib", "linux/module", "linux/real_time")

LIBRARY = Subject(
    protocol="ceiling-stack",
    scope="the protocol but for removal in any order, and the library's slow half; an arrival at "
    f"every boundary of all scenes, pairs in the smallest, and {len(TESTS)} tests of deaths, "
    "sleeps and errors",
    plan=Plan(
        parts=(*ROOMS, "proof/step"),
        library=(*units_in("linux/core", *CORE), *units_in("linux/lib", *CORE)),
        library_name="libplafond.so.0",
        library_flags=(
            "-Wl,--version-script=linux/lib/plafond.map",
            "-Wl,-soname,libplafond.so.0",
        ),
        program=tuple(
            Unit(f"proof/step/{name}.c", ("-mno-red-zone",))
            for name in ("actor", "arrival", "command", "play", "scene", "step")
        ),
        program_flags=(),
        tests={name: units_of_library_test(name) for name in TESTS},
    ),
    targets={
        STACK: functions_in(ROOT, STACK) - ANY_ORDER,
        "linux/core/frames.c": {"push", "pop", "is_gone", "next_frame", "claim"},
        "linux/core/gate.c": None,
        "linux/lib/mutex.c": WRITERS,
    },
    by_hand=faults.BY_HAND,
    equivalent="proof/stepped/equivalent.toml",
    first=("flat", "sleeper", "above", "death"),
    pairs=("flat",),
    tests=TESTS,
)

# Tests that claim the behaviour of a file of libplafond, the likeliest to find a fault first.
CLAIMS = {
    "linux/core/admission.c": (
        *("mutex_errors", "migration", "two_cpus", "ceiling_rule", "slots", "global_errors"),
    ),
    "linux/core/arena.c": (
        *("slots", "fork_of_places", "attach_kernel", "attach_errors", "owner_death", "tid_reuse"),
        *("fork_in_section", "backend_choice", "no_memory", "migration", "mutex_errors"),
        *("global_death", "global_kernel", "global_errors"),
    ),
    "linux/core/cpu.c": ("attach_errors", "attach_kernel"),
    "linux/core/eager.c": (
        *("eager_in_steps", "two_cpus", "ceiling_rule", "kernel_refuses", "owner_death"),
        *("ceiling_change", "ceiling_in_steps", "mutex_errors", "slots", "fork_of_places"),
        "fork_in_section",
        *("global_order", "global_errors", "timed_lock", "recursive"),
    ),
    "linux/core/effective.c": (
        *("ceiling_rule", "two_cpus", "kernel_refuses", "global_order", "global_errors"),
        *("fork_in_section", "ceiling_change", "slots"),
    ),
    "linux/core/frames.c": (
        *("mutex_errors", "ceiling_change", "ceiling_in_steps", "ceiling_rule", "migration"),
        *("slots", "owner_death"),
        *("deadlock", "two_cpus", "fork_in_section", "second_gate", "global_errors"),
        *("global_order", "preempted_unlock", "timed_lock", "recursive"),
    ),
    "linux/core/futex.h": ("timed_lock", "kernel_refuses"),
    "linux/core/recursive.c": ("recursive",),
    "linux/core/recursive.h": ("recursive", "mutex_errors"),
    "linux/core/registry.c": (
        *("registry_signals", "slots", "backend_choice", "fork_of_places", "attach_errors"),
    ),
    "linux/core/robust_list.c": ("glibc_robust", "kernel_refuses", "tid_reuse", "owner_death"),
    "linux/lib/attach.c": (
        *("slots", "attach_errors", "attach_kernel", "backend_choice", "no_memory", "migration"),
        *("fork_in_section", "fork_of_places", "tid_reuse", "owner_death", "kernel_refuses"),
        *("deadlock", "global_death", "global_kernel", "no_sequences", "server_errors", "servers"),
    ),
    "linux/lib/cond.c": (
        *("condition", "recursive", "kernel_refuses", "migration", "fork_of_queues", "servers"),
    ),
    "linux/lib/mutex.c": (
        *("mutex_errors", "ceiling_change", "ceiling_rule", "migration", "slots", "owner_death"),
        *("deadlock", "two_cpus", "fork_in_section", "second_gate", "global_errors"),
        *("global_death", "global_kernel", "global_order", "global_spin", "ceiling_in_steps"),
        *("timed_lock", "recursive"),
    ),
    "linux/lib/semaphore.c": ("semaphore_waits", "waits_in_section", "servers"),
    "linux/lib/wait.c": (
        *("periodic", "waits_in_section", "migration", "semaphore_waits", "servers"),
    ),
}
CLAIMING: dict[str, tuple[str, ...]] = {
    "attach_errors": ("user",),
    "attach_kernel": ("user",),
    "backend_choice": ("user",),
    "ceiling_change": ("syscall", "user", "strict"),
    "ceiling_in_steps": ("syscall", "user"),
    "ceiling_rule": ("syscall", "user", "strict"),
    "condition": ("user", "strict"),
    "deadlock": ("user", "syscall"),
    "eager_in_steps": ("syscall",),
    "fork_in_section": ("user", "syscall"),
    "fork_of_places": ("user", "syscall"),
    "fork_of_queues": ("user", "syscall"),
    "glibc_robust": ("user",),
    "global_death": ("user", "syscall"),
    "global_freed": ("user",),
    "global_kernel": ("user", "syscall"),
    "global_in_steps": ("user", "syscall"),
    "global_errors": ("user", "syscall", "strict"),
    "global_order": ("user", "syscall"),
    "global_spin": ("syscall", "user"),
    "kernel_refuses": ("syscall", "user"),
    "migration": ("user",),
    "mutex_errors": ("syscall", "user", "strict"),
    "no_memory": ("user", "syscall"),
    "no_sequences": ("user",),
    "owner_death": ("syscall", "user", "strict"),
    "periodic": ("user",),
    "preempted_unlock": ("user",),
    "recursive": ("user", "syscall", "strict"),
    "registry_signals": ("user",),
    "second_gate": ("user",),
    "semaphore_waits": ("user", "strict"),
    "server_errors": ("user",),
    "servers": ("user",),
    "slots": ("user", "syscall"),
    "tid_reuse": ("user",),
    "timed_lock": ("user", "syscall"),
    "two_cpus": ("syscall", "user"),
    "waits_in_section": ("user", "strict"),
}

CALLS = Subject(
    protocol="library",
    scope="faults by hand, and generated ones in places, attach, waits, the classic protocol and "
    f"the list of robust mutexes; {len(CLAIMING)} tests of what each file claims",
    plan=Plan(
        parts=(*ROOMS, "proof/stepped"),
        library=LIBRARY.plan.library,
        library_name=LIBRARY.plan.library_name,
        library_flags=LIBRARY.plan.library_flags,
        tests={name: units_of_library_test(name) for name in CLAIMING},
        marks=Unit("proof/stepped/marks.c", ("-fPIC",)),
    ),
    targets={
        "linux/core/admission.c": None,
        "linux/core/arena.c": {
            *("prepare_frames", "plf_slot_prepare", "plf_slot_use_stack", "is_free", "has_stack"),
            *("may_serve", "free_slot", "count", "uncount", "may_join", "find_slot"),
            *("plf_slot_disown", "free_slot_for_next", "plf_slot_release", "plf_slot_retire"),
            *("settle_all_dead", "plf_slot_claim", "plf_slot_visit", "plf_slot_end_visit"),
            *("plf_ref_is_gone", "restack", "open_gates", "forget"),
            *("plf_arena_after_fork", "plf_arena_map"),
        },
        "linux/core/cpu.c": None,
        "linux/core/eager.c": {
            *("wait_for", "replace_holder", "take", "held", "innermost", "leave"),
            *("lock", "unlock", "open_global", "set_ceiling", "join", "after_fork", "give"),
        },
        "linux/core/effective.c": None,
        "linux/core/frames.c": {
            *("lock", "unlock", "open_global", "set_ceiling", "join", "hold_again"),
        },
        "linux/core/futex.h": {"plf_futex_lock_pi"},
        "linux/core/recursive.c": None,
        "linux/core/recursive.h": None,
        "linux/core/registry.c": {
            *("plf_registry_lock", "plf_registry_unlock", "plf_keeper_in_use"),
            *("plf_registry_admits", "plf_registry_join", "plf_registry_leave"),
            "plf_registry_after_fork",
        },
        "linux/core/robust_list.c": None,
        "linux/lib/attach.c": {
            *("find_wanted", "own_choice", "choose_keeper", "may_be_strict"),
            *("pin", "plf_is_deadline", "set_policy", "release"),
            *("plf_set_up_process", "plf_move_in"),
            *("leave_arena", "abandon", "before_fork", "after_fork_in_parent"),
            *("after_fork_in_child", "set_up_process", "settle", "plf_attach", "plf_detach"),
            *("plf_backend", "plf_get_stats", "take_priority"),
        },
        "linux/lib/cond.c": {
            *("plf_cond_init", "plf_cond_destroy", "plf_cond_wait_until", "plf_cond_signal"),
            *("plf_cond_broadcast", "open_queue", "close_queue", "enqueue", "choose", "mark"),
            *("sleep_in_queue", "give_up", "leave_old_queue", "slot_number", "holds_last"),
        },
        "linux/lib/mutex.c": functions_in(ROOT, "linux/lib/mutex.c") - WRITERS,
        "linux/lib/semaphore.c": None,
        "linux/lib/wait.c": None,
    },
    calls_are_steps=True,
    # Omitted, because it needs plafond.ko:
    elsewhere=r"is_there|->part|rest_unused|policy \| slot->poli",
    by_hand=faults_library.BY_HAND,
    equivalent="proof/stepped/equivalent_library.toml",
    tests=CLAIMING,
    claims=CLAIMS,
)

# Tests of servers on a stock kernel. They wait for no clock: the test computes or makes the time.
SERVER_TESTS = dict.fromkeys(
    ("budgets", "server_steps", "sharing_steps", "server_errors"), ("user",)
)

SERVERS = Subject(
    protocol="servers-linux",
    scope="faults by hand, and generated ones in budgets, gates, bands, claims and decisions; "
    f"{len(SERVER_TESTS)} tests in time that is reckoned or made",
    plan=Plan(
        parts=(*ROOMS, "proof/stepped"),
        library=LIBRARY.plan.library,
        library_name=LIBRARY.plan.library_name,
        library_flags=LIBRARY.plan.library_flags,
        tests={name: units_of_library_test(name) for name in SERVER_TESTS},
        marks=Unit("proof/stepped/marks.c", ("-fPIC",)),
    ),
    targets={
        "linux/core/budget.c": None,
        "linux/core/server.c": None,
        "linux/core/server_manager.c": {
            *("has_to_keep_out", "end_of_idling", "keep_out", "on_event", "switch_servers"),
            *("look_at_claims", "publish", "catch_up", "first_from"),
        },
        "linux/lib/server.c": {
            *("supply_of", "plf_server_join", "share_of", "plf_server_share"),
        },
        "linux/lib/shared.c": None,
    },
    calls_are_steps=True,
    # Omitted, because it shows only if a thread comes between two accesses of another thread:
    elsewhere=r"instead of plf_cas32\(&shared|UINT32_MAX|plf_registry_|weaken next_ns > m->bud"
    r"|once while \(plf_load32\(&slot->parked",
    by_hand=faults_servers.BY_HAND,
    equivalent="proof/stepped/equivalent_servers.toml",
    tests=SERVER_TESTS,
    claims={
        "linux/core/budget.c": ("budgets",),
        "linux/core/server.c": ("server_steps", "sharing_steps", "server_errors"),
        "linux/core/server_manager.c": ("server_steps", "sharing_steps", "server_errors"),
        "linux/lib/server.c": ("server_errors", "sharing_steps", "server_steps"),
        "linux/lib/shared.c": ("sharing_steps",),
    },
    of_one_cpu=frozenset({"budgets"}),
)

GLOBAL_TESTS: dict[str, tuple[str, ...]] = {
    name: ways
    for name, ways in CLAIMING.items()
    if name.startswith("global_") or name in ("timed_lock", "recursive")
}
STEPPED = ("-mno-red-zone", "-Iproof/step")

GLOBAL = Subject(
    protocol="global-mutex",
    scope="faults by hand, and generated ones in the word, and in how a mutex is taken and given; "
    "an arrival, a death, a move at every boundary of all scenes, and "
    f"{len(GLOBAL_TESTS)} tests of order, deaths and errors",
    plan=Plan(
        parts=(*ROOMS, "proof/step", "proof/global"),
        library=LIBRARY.plan.library,
        library_name=LIBRARY.plan.library_name,
        library_flags=LIBRARY.plan.library_flags,
        program=(
            *units_in("proof/global", *STEPPED),
            *(Unit(f"proof/step/{name}.c", STEPPED) for name in ON_TWO_CPUS),
        ),
        tests={name: units_of_library_test(name) for name in GLOBAL_TESTS},
    ),
    targets={
        "linux/core/admission.h": {"plf_learn_of_death"},
        "linux/core/global.c": {"take", "give", "raise_to_band"},
        "protocol/global_word.h": None,
    },
    calls_are_steps=True,
    by_hand=faults_global.BY_HAND,
    equivalent="proof/stepped/equivalent_global.toml",
    first=("waits", "death-granted", "order-up", "two-cpus"),
    tests=GLOBAL_TESTS,
)

OF_CORE = "-Ilinux/core/processors/x86_64"
INCLUDED = ("-Ilinux/pthread", "-Ilinux/core", OF_CORE)
OF_PROCESSOR = "linux/pthread/processors/x86_64"
BUILT = (
    *("-fPIC", "-fvisibility=hidden", "-ftls-model=initial-exec", "-fno-plt", "-fexceptions"),
    *(*INCLUDED, f"-I{OF_PROCESSOR}"),
)
PLAYED = ("-mno-red-zone", "-Iproof/step", *INCLUDED)

# The drop-in's tests, which are ordinary pthread programs, and their ways.
SEMANTICS = (
    *("affinity", "attributes", "cancellation", "ceiling_check", "condition", "condition_order"),
    *("condition_time", "destroy", "effective_priority", "first_lock", "fork", "interrupted"),
    *("jumps", "kernel_answers", "mode_change", "moves", "nesting", "outside", "owner"),
    *("policies", "prioceiling"),
    *("privilege", "protocols", "random_sections", "release_order", "robust", "sandbox"),
    *("scheduling_calls", "signals", "thread_end", "timedlock", "trylock", "two_cpus", "types"),
    *("unlock_order", "vfork", "waits_inside"),
)
CONDITIONS = (
    *("calls", "cancellation", "destruction", "fork", "layout", "no_wakeup_lost"),
    *("other_mutexes", "versions", "wakeup_order"),
)
OF_TWO_CPUS = {
    *("semantics/affinity", "semantics/condition", "semantics/destroy", "semantics/fork"),
    *("semantics/interrupted", "semantics/jumps", "semantics/outside", "semantics/owner"),
    *("semantics/mode_change", "semantics/moves", "semantics/policies", "semantics/signals"),
    *("semantics/sandbox", "semantics/vfork"),
    *("semantics/two_cpus", "cond/cancellation", "cond/destruction", "cond/no_wakeup_lost"),
}
WAYS = {
    "lazy": {"SEMANTICS": "plafond", "PLAFOND_MODE": "lazy", "PLAFOND_BACKEND": "user"},
    "robust": {"SEMANTICS": "plafond", "PLAFOND_ROBUST": "1", "PLAFOND_BACKEND": "user"},
}
HELPERS = tuple(f"../semantics/{name}" for name in ("crowd", "differences", "team"))


def units_of_semantics(folder: str, name: str, *more: str) -> tuple[Unit, ...]:
    """The units of a test in this folder, with helpers of the semantic suite, and more helpers."""
    units = units_of_test(f"linux/pthread/test/{folder}", (*HELPERS, *more), name)
    return tuple(
        Unit(unit.source, (*unit.flags, "-Ilinux/pthread/test/semantics", OF_CORE))
        for unit in units
    )


def exporting(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The same units, for a program whose functions other libraries find."""
    return tuple(replace(unit, linking=("-rdynamic",)) for unit in units)


def units_of_part(test: str, parts: tuple[str, ...], *flags: str) -> tuple[Unit, ...]:
    """The units of a test that includes its part of the library, and other parts that it needs."""
    return (
        Unit(f"linux/pthread/test/{test}.c", (*INCLUDED, *flags)),
        *(Unit(f"linux/{part}.c", BUILT) for part in parts),
    )


# The tests of a part of the library by itself.
OF_PARTS = {
    "frames/walk": units_of_part(
        "frames/walk",
        ("pthread/kernel_calls", "core/arena", "core/gate", "core/registry"),
        *("-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"),
    ),
    "members/known": units_of_part("members/known", ("core/registry",)),
    "members/places": units_of_part(
        "members/places",
        (
            *("pthread/frames", "pthread/kernel_calls", "pthread/member", "core/arena"),
            *("core/gate", "core/registry", "core/robust_list"),
        ),
    ),
    "members/settles": units_of_part("members/settles", ("pthread/member", "core/registry")),
    "doors/tables": (
        Unit(
            "linux/pthread/test/doors/tables.c",
            INCLUDED,
            linking=("-Wl,-z,noseparate-code",),
        ),
    ),
}

# Functions of section.c that are not mutated. Claims need plafond.ko. Learned ceilings and counts
# have separate tests. Others follow a thread's move or a failed wait, or let a thread change a
# ceiling for which it settles.
NOT_OF_SECTIONS = {
    *("claim", "give_claim", "raise_eagerly", "why_eager", "count", "give_priority"),
    *("end_of_wait", "plf_section_hold_still"),
}

# Tests of the library's reports when a program ends, and of its settings.
EVIDENCE = Script(
    "linux/pthread/test/evidence/test_evidence.py",
    without=("any_number", "lost_evidence", "threads_made", "robust_mutexes"),
    programs={
        "EVIDENCE_PROGRAM": "evidence/program",
        "EVIDENCE_ROBUST": "semantics/robust",
        "EVIDENCE_ANSWERS": "evidence/answers",
    },
    library="EVIDENCE_DROP_IN",
    environment={"PLAFOND_BACKEND": "user"},
)

DROP_IN = Subject(
    protocol="drop-in",
    scope="faults by hand, and generated ones in removal in any order, frames, lock words, "
    "sections, members, robust mutexes and conditions, not in all their functions; an arrival "
    "at every boundary of all scenes, and "
    f"{len(SEMANTICS) + len(CONDITIONS)} tests of its semantics, and "
    f"{len(OF_PARTS)} of its parts",
    plan=Plan(
        parts=(*ROOMS, "linux/pthread", "proof/step", "proof/pthread", "proof/stepped"),
        library=(
            *units_in("linux/pthread", *BUILT),
            *units_in("linux/pthread/waits", *BUILT),
            *units_in(OF_PROCESSOR, *BUILT),
            *(Unit(f"linux/core/{name}.c", BUILT) for name in OF_BOTH),
        ),
        library_name="libplafond-pthread.so",
        library_flags=(
            *(f"-Wl,--version-script={OF_PROCESSOR}/exports.map", "-Wl,-z,now", "-Wl,-z,nodelete"),
            "-Wl,-Bsymbolic-functions",
            "-Wl,--wrap=syscall,--wrap=ioctl,--wrap=fcntl",
        ),
        program=(
            *units_in("proof/pthread", *PLAYED),
            *(Unit(f"proof/step/{name}.c", PLAYED) for name in ON_TWO_CPUS),
        ),
        program_flags=("-Wl,--allow-shlib-undefined",),
        tests={
            **{f"semantics/{name}": units_of_semantics("semantics", name) for name in SEMANTICS},
            **{f"cond/{name}": units_of_semantics("cond", name) for name in CONDITIONS},
            "cond/layout": exporting(units_of_semantics("cond", "layout")),
            **OF_PARTS,
            "doors/doors": units_of_semantics("doors", "doors", "crossing"),
            "evidence/answers": (Unit("linux/pthread/test/evidence/answers.c"),),
            "evidence/program": exporting((Unit("linux/pthread/test/evidence/program.c"),)),
        },
        preloads=True,
        marks=Unit("proof/stepped/marks.c", BUILT),
    ),
    targets={
        "linux/pthread/robust.c": None,
        "linux/pthread/commit.c": {
            *("next_to_commit", "keep_eagerly", "commit_frames", "needs_commit", "plf_commit"),
            "plf_commit_moved",
        },
        "linux/pthread/section.c": functions_in(ROOT, "linux/pthread/section.c") - NOT_OF_SECTIONS,
        "linux/pthread/settle.c": None,
        "linux/pthread/member.c": None,
        "linux/pthread/place.c": None,
        "linux/pthread/process.c": {
            *("begin", "plf_process_begin", "plf_process_end", "end"),
            *("renew", "after_fork_in_child", "after_fork_in_parent"),
        },
        "linux/pthread/settings.c": {
            *("read_mode", "read_robust", "plf_settings_read", "plf_settings_after_fork"),
            "plf_mode_name",
        },
        "linux/pthread/lock_word.c": {
            *("share", "first_mode", "try_after_death", "is_monotonic", "plf_check_deadline"),
            *("plf_sleep_forever", "is_local_here", "choose_mode", "lock_pi"),
            *("plf_lock_word_try", "plf_lock_word_wait", "plf_lock_word_give", "nap", "futex"),
        },
        "linux/pthread/cond_state.c": {
            *("generation_of", "present", "has_waiters", "is_shared", "plf_cond_leave"),
            *("plf_cond_wake", "plf_cond_enter", "init_leaves", "plf_cond_layout_known"),
        },
        "linux/pthread/cond.c": {"enter", "give_up", "wait_ours"},
        "linux/pthread/frames.c": None,
        # The tests of other libraries cover the rest of this file.
        "linux/pthread/doors.c": {"redirect", "own_function", "has_door", "shut_each"},
        "linux/pthread/symbols.c": None,
        "linux/core/arena.c": {"plf_slot_leave_behind", "plf_slot_bury"},
        "linux/core/clock.h": {"plf_on_realtime"},
        STACK: ANY_ORDER,
    },
    calls_are_steps=True,
    # Omitted. Claims need plafond.ko, and so do the causes that are asked for because of claims.
    # Some faults show only if a thread of another CPU comes between two calls of an unlock. Some
    # need a library behind the drop-in, a race checker, or a C++ program (test_inversions.py). No
    # test can time a fork while another thread decides about a first lock.
    elsewhere=r"laim|CLAIM|cause == PLF_\w+$|keep only plf_me\.published != 0"
    r"|swap plf_robust_leave|keep only ours != 0$|leave_to_race_checker|plf_first_locks_after_fork"
    r"|flip plf_mode == PLF_MODE_OFF$|keep only plf_learning$",
    tests={
        **{f"semantics/{name}": ("robust" if name == "robust" else "lazy",) for name in SEMANTICS},
        **{f"cond/{name}": ("robust",) for name in CONDITIONS},
        **dict.fromkeys((*OF_PARTS, "doors/doors"), ("lazy",)),
    },
    scripts=(EVIDENCE,),
    of_one_cpu=frozenset(
        {f"semantics/{name}" for name in SEMANTICS}
        | {f"cond/{name}" for name in CONDITIONS}
        | set(OF_PARTS)
        | {"doors/doors"}
    )
    - OF_TWO_CPUS,
    environment=WAYS,
    by_hand=faults_drop_in.BY_HAND,
    equivalent="proof/stepped/equivalent_drop_in.toml",
    first=("flat", "again", "out-of-order", "change"),
    pairs=(),
    patience_ms=1500,  # two CPUs have more gaps
)

SUBJECTS = {subject.protocol: subject for subject in (LIBRARY, CALLS, SERVERS, GLOBAL, DROP_IN)}
