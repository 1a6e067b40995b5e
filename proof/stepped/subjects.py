# SPDX-License-Identifier: MIT
"""What proof.stepped.mutants breaks, and how each is built and played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from proof.mutation import ByHand, Mutant
from proof.stepped import faults, faults_drop_in
from proof.stepped.workshop import Plan, Unit, units_in, units_of_test


@dataclass(frozen=True)
class Subject:
    """One library, its mutants, and what plays them."""

    protocol: str
    scope: str
    plan: Plan
    targets: Mapping[str, set[str] | None]  # mutated: these functions of a file, or all
    by_hand: tuple[ByHand, ...]
    equivalent: str  # the file with the arguments
    first: tuple[str, ...]  # the scenes that find the most
    pairs: tuple[str, ...]  # the scenes whose pairs are played, too
    tests: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # and their ways
    environment: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # of a way
    calls_are_steps: bool = False  # of the generated mutants
    patience_ms: int = 1000  # a run lasts less than one, but a busy machine has gaps

    def first_for(self, mutant: Mutant | None) -> tuple[str, ...]:
        """The scenes to begin with: the one that a mutant by hand is for."""
        if mutant is None:
            return self.first
        own = tuple(fault.scene for fault in self.by_hand if fault.name == mutant.what)
        return own if any(own) else self.first

    def test_for(self, mutant: Mutant | None) -> str:
        """The test to begin with, of a mutant by hand; "": none."""
        own = (f.test for f in self.by_hand if mutant is not None and f.name == mutant.what)
        return next(own, "")


# The tests of linux/lib where threads die, sleep inside or lock wrongly, and the ways to run them.
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
}

LIBRARY = Subject(
    protocol="ceiling-stack",
    scope="the protocol whole and the library's slow half; an arrival at every boundary of all "
    f"scenes, pairs in the smallest, and {len(TESTS)} tests of deaths, sleeps and errors",
    plan=Plan(
        parts=("protocol", "linux/lib", "linux/module", "linux/real_time", "proof/step"),
        library=units_in("linux/lib", "-fPIC"),
        library_name="libplafond.so.0",
        library_flags=(
            "-Wl,--version-script=linux/lib/plafond.map",
            "-Wl,-soname,libplafond.so.0",
        ),
        program=units_in("proof/step", "-mno-red-zone"),
        program_flags=(),
        tests={
            name: units_of_test("linux/lib/test", ("supervise", "team"), name) for name in TESTS
        },
    ),
    targets={
        "protocol/ceiling_stack.h": None,
        "linux/lib/gate.c": None,
        "linux/lib/mutex.c": {"push", "pop", "is_gone", "next_frame", "claim"},
    },
    by_hand=faults.BY_HAND,
    equivalent="proof/stepped/equivalent.toml",
    first=("flat", "sleeper", "above", "death"),
    pairs=("flat",),
    tests=TESTS,
)

INCLUDED = ("-Ilinux/pthread", "-Ilinux/lib")
BUILT = (
    *("-fPIC", "-fvisibility=hidden", "-ftls-model=initial-exec", "-fno-plt", "-fexceptions"),
    *INCLUDED,
)
PLAYED = ("-mno-red-zone", "-Iproof/step", *INCLUDED)

# The drop-in's tests, which are ordinary pthread programs, and the ways to run them.
SEMANTICS = (
    *("affinity", "attributes", "cancellation", "ceiling_check", "condition", "condition_order"),
    *("condition_time", "destroy", "effective_priority", "fork", "mode_change", "moves"),
    *("nesting", "policies", "prioceiling", "privilege", "protocols", "random_sections"),
    *("release_order", "robust", "scheduling_calls", "signals", "thread_end", "timedlock"),
    *("trylock", "two_cpus", "types", "unlock_order", "waits_inside"),
)
CONDITIONS = (
    *("calls", "cancellation", "destruction", "fork", "no_wakeup_lost", "other_mutexes"),
    *("versions", "wakeup_order"),
)
WAYS = {
    "lazy": {"SEMANTICS": "plafond", "PLAFOND_MODE": "lazy", "PLAFOND_BACKEND": "user"},
    "robust": {"SEMANTICS": "plafond", "PLAFOND_ROBUST": "1", "PLAFOND_BACKEND": "user"},
}
HELPERS = tuple(f"../semantics/{name}" for name in ("crowd", "differences", "team"))


def units_of_semantics(folder: str, name: str) -> tuple[Unit, ...]:
    """Of a test of that folder, with the helpers of the semantic suite."""
    units = units_of_test(f"linux/pthread/test/{folder}", HELPERS, name)
    return tuple(
        Unit(unit.source, (*unit.flags, "-Ilinux/pthread/test/semantics")) for unit in units
    )


DROP_IN = Subject(
    protocol="drop-in",
    scope="faults by hand, and generated ones in frames, robust mutexes and condition waits; an "
    "arrival at every boundary of all scenes, and "
    f"{len(SEMANTICS) + len(CONDITIONS)} tests of its semantics",
    plan=Plan(
        parts=(
            *("protocol", "linux/lib", "linux/module", "linux/pthread", "linux/real_time"),
            *("proof/step", "proof/pthread", "proof/stepped"),
        ),
        library=(
            *units_in("linux/pthread", *BUILT),
            *units_in("linux/pthread/waits", *BUILT),
            *(
                Unit(f"linux/lib/{name}.c", BUILT)
                for name in ("arena", "device", "gate", "robust_list")
            ),
        ),
        library_name="libplafond-pthread.so",
        library_flags=(
            *("-Wl,--version-script=linux/pthread/exports.map", "-Wl,-z,now", "-Wl,-z,nodelete"),
            "-Wl,-Bsymbolic-functions",
            "-Wl,--wrap=syscall,--wrap=ioctl,--wrap=fcntl",
        ),
        program=(
            *units_in("proof/pthread", *PLAYED),
            *(Unit(f"proof/step/{name}.c", PLAYED) for name in ("actor", "arrival", "play")),
        ),
        program_flags=("-Wl,--allow-shlib-undefined",),
        tests={
            **{f"semantics/{name}": units_of_semantics("semantics", name) for name in SEMANTICS},
            **{f"cond/{name}": units_of_semantics("cond", name) for name in CONDITIONS},
        },
        preloads=True,
        marks=Unit("proof/stepped/marks.c", BUILT),
    ),
    targets={
        "linux/pthread/robust.c": None,
        "linux/pthread/cond.c": {"enter", "give_up", "wait_ours"},
        "linux/pthread/frames.c": {
            *("higher", "free_frame", "namer", "let_go"),
            *("plf_frame_take_off", "plf_frame_take_back", "plf_wait_for_cover"),
        },
    },
    calls_are_steps=True,
    tests={
        **{f"semantics/{name}": ("robust" if name == "robust" else "lazy",) for name in SEMANTICS},
        **{f"cond/{name}": ("robust",) for name in CONDITIONS},
    },
    environment=WAYS,
    by_hand=faults_drop_in.BY_HAND,
    equivalent="proof/stepped/equivalent_drop_in.toml",
    first=("flat", "again", "out-of-order", "change"),
    pairs=(),
    patience_ms=1500,  # two CPUs have more of them
)

SUBJECTS = {subject.protocol: subject for subject in (LIBRARY, DROP_IN)}
