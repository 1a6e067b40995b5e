# SPDX-License-Identifier: MIT
"""Show that the sweep can fail: put in one fault after the other, and see each found."""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from by_hand import ByHand
from image import ISAS, CannotBuildError, Image
from mutation import Mutant, Mutator
from trial import Fate

from sweeping import VARIANTS, Job, Variant

NPRIO, KPRIO = "protocol/uprio_nprio.h", "protocol/uprio_kprio.h"
BOTH = (("nprio", NPRIO), ("kprio", KPRIO))
SECTION = "kernel/resource/plf_section.h"
EAGER, LAZY = (f"kernel/resource/{n}/plf_level.h" for n in ("uprio-kprio", "uprio-kprio-lazy"))
LEVEL_USER, LEVEL_KPRIO = (f"kernel/resource/plf_level_{n}.h" for n in ("user", "kprio"))
RAISE = "\tplf_raise(before > ceiling ? before : ceiling);\n"
SAVE = "\tplf_store32(saved, before);\n"
UPPER = "\tif (prio > highest)\n\t\tplf_store32(uprio, prio = highest);\n"
LOWER = "\tif (prio < lowest)\n\t\tplf_store32(uprio, prio = lowest);\n"

BY_HAND = (
    ByHand(
        "the old priority is saved before the new one is published",
        SECTION,
        RAISE + SAVE,
        SAVE + RAISE,
    ),
    ByHand(
        "an inner section of a lower ceiling lowers",
        SECTION,
        RAISE,
        "\tplf_raise(ceiling);\n",
    ),
    ByHand(
        "nothing is saved",
        SECTION,
        RAISE + SAVE,
        RAISE,
    ),
    *(ByHand(f"{how}: no upper bound", file, UPPER, "") for how, file in BOTH),
    *(ByHand(f"{how}: no lower bound", file, LOWER, "") for how, file in BOTH),
    *(
        ByHand(
            f"{how}: the bounds are not told",
            file,
            UPPER + LOWER,
            (UPPER + LOWER).replace("plf_store32(uprio, ", "").replace("t);", "t;"),
        )
        for how, file in BOTH
    ),
    *(
        ByHand(
            f"{how}: below the lowest priority is the lowest of all",
            file,
            LOWER,
            LOWER.replace("prio = lowest", "prio = 0"),
        )
        for how, file in BOTH
    ),
    ByHand(
        "kprio only rises",
        KPRIO,
        "\tplf_store32(kprio, prio);\n",
        "\tif (prio > plf_load32(kprio))\n\t\tplf_store32(kprio, prio);\n",
    ),
    ByHand(
        "nprio is published only while somebody is ready",
        "protocol/uprio_nprio.h",
        "\tplf_store32(nprio, next);\n",
        "\tif (next > 0)\n\t\tplf_store32(nprio, next);\n",
    ),
    ByHand(
        "nprio is published only when it rises",
        NPRIO,
        "\tplf_store32(nprio, next);\n",
        "\tif (next > plf_load32(nprio))\n\t\tplf_store32(nprio, next);\n",
    ),
    ByHand(
        "the release restores nothing",
        SECTION,
        "plf_lower(plf_load32(saved))",
        "plf_lower(plf_load32(&plf_find_page()->words.uprio))",
    ),
    ByHand(
        "the call is forgotten",
        SECTION,
        "\t\tplf_call0(PLF_CALL_PREEMPT);\n",
        "\t\t;\n",
    ),
    ByHand(
        "the call is made always",
        SECTION,
        "\tif (plf_lower(plf_load32(saved)))\n",
        "\tplf_lower(plf_load32(saved));\n",
    ),
    ByHand(
        "eager: an entry does not synchronise",
        EAGER,
        "\tplf_sync_level(core, core->running);\n",
        "\t(void)core;\n",
    ),
    ByHand(
        "lazy: a decision does not synchronise",
        LAZY,
        "\tplf_sync_level(core, core->running);\n",
        "",
    ),
    ByHand(
        "a task goes on at its base",
        LEVEL_USER,
        "plf_store32(&words->uprio, level)",
        "plf_store32(&words->uprio, task->running)",
    ),
    ByHand(
        "a task goes on with kprio as it was",
        LEVEL_KPRIO,
        "\tplf_store32(&core->words->kprio, level);\n",
        "",
    ),
    ByHand(
        "extended: left after the priority was lowered",
        SECTION,
        "\t\tplf_note_released(resource);\n\t}\n"
        "\tplf_release(&plf_find_page()->resources[resource].saved);\n",
        "\t}\n\tplf_release(&plf_find_page()->resources[resource].saved);\n"
        "\tif (PLF_EXTENDED_STATUS)\n\t\tplf_note_released(resource);\n",
    ),
    ByHand(
        "extended: noted before the priority is raised",
        SECTION,
        "\tplf_acquire(&plf_find_page()->resources[resource].saved, plf_ceiling[resource]);\n"
        "\tif (PLF_EXTENDED_STATUS)\n\t\tplf_note_got(resource);\n",
        "\tif (PLF_EXTENDED_STATUS)\n\t\tplf_note_got(resource);\n"
        "\tplf_acquire(&plf_find_page()->resources[resource].saved, plf_ceiling[resource]);\n",
    ),
)
MUTATED = (
    *(NPRIO, KPRIO, EAGER, LAZY, "kernel/resource/uprio-nprio/plf_level.h"),
    *("kernel/resource/plf_level_user.h", "kernel/resource/plf_level_kprio.h"),
)
# The errors of extended status are for programs that make them, in kernel/test.
SERVICES = {
    *("plf_acquire", "plf_release", "plf_note_got", "plf_note_released"),
    *("GetResource", "ReleaseResource"),
}
COMMON = ("protocol", "resource")
Digests = dict[tuple[str, Variant], str]


def mutants(sources: Path) -> list[Mutant]:
    """Generated ones and those made by hand, no two alike."""
    found = [m for file in MUTATED for m in Mutator(sources, file).mutants()]
    found += Mutator(sources, SECTION, SERVICES).mutants()
    found += [fault.mutant(sources) for fault in BY_HAND]
    return list({(m.file, m.start, m.end, m.text): m for m in found}.values())


def copy(sources: Path, folder: Path) -> None:
    """Copy what the driver is made of."""
    for room in ("protocol", "kernel", "proof/uprio"):
        shutil.copytree(sources / room, folder / room, dirs_exist_ok=True)


def affected(file: str) -> tuple[Variant, ...]:
    """The variants that include it."""
    if "nprio" in file:
        return tuple(v for v in VARIANTS if v.folder == "uprio-nprio")
    if "kprio" in file:
        folder = Path(file).parent.name
        return tuple(v for v in VARIANTS if "kprio" in v.folder and folder in (v.folder, *COMMON))
    return VARIANTS


def _killer(variant: Variant, image: Image, arrivals: int) -> str | None:
    for scenario in variant.scenarios:
        result = Job(image, variant, scenario).run(arrivals)
        if result.violation is not None:
            return f"{result.scenario}, {result.variant}, {result.isa}: {result.violation}"
    return None


@dataclass(frozen=True, slots=True)
class Trial:
    """Of a mutant of these sources."""

    mutant: Mutant
    sources: Path
    original: Digests
    arguments: dict[str, str]

    def __call__(self) -> Fate:
        """Build it and sweep it until it falls; what is argued, with one arrival only."""
        try:
            verdict, by = self._judge()
        except CannotBuildError as error:
            verdict, by = "stillborn", str(error)
        return Fate(self.mutant.key, self.mutant.line, verdict, by)

    def _judge(self) -> tuple[str, str]:
        with tempfile.TemporaryDirectory(prefix="plafond-mutant-") as name:
            folder = Path(name)
            copy(self.sources, folder)
            source = (self.sources / self.mutant.file).read_bytes()
            (folder / self.mutant.file).write_bytes(self.mutant.apply(source))
            changed: list[tuple[Variant, Image]] = []
            for isa in ISAS:  # most faults fall at once: build no more than that takes
                for variant in affected(self.mutant.file):
                    image = variant.build(isa, folder)
                    if image.digest != self.original[isa, variant]:
                        changed.append((variant, image))
                        by = _killer(variant, image, 1)
                        if by is not None:
                            return "killed", by
        if not changed:
            return "same code", "the compilers make the same machine code of it"
        argument = self.arguments.get(self.mutant.key)
        if argument is not None:
            return "equivalent", argument
        for variant, image in changed:
            by = _killer(variant, image, 2)
            if by is not None:
                return "killed", by
        return "survived", ""


def trials(sources: Path, only: str = "") -> list[Trial]:
    """All faults whose name contains the text."""
    text = (sources / "proof/uprio/equivalent.toml").read_text(encoding="utf-8")
    arguments: dict[str, str] = tomllib.loads(text)
    original = {(isa, v): v.build(isa, sources).digest for isa in ISAS for v in VARIANTS}
    return [Trial(m, sources, original, arguments) for m in mutants(sources) if only in m.key]
