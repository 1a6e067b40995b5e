# SPDX-License-Identifier: MIT
"""Rules of a study that span several of its fields."""

import re
from collections.abc import Iterator
from fractions import Fraction

from plafond.describe.kernel import Scheduler
from plafond.describe.problems import Problem
from plafond.describe.server import Sharing
from plafond.describe.study import (
    APART,
    Deadlines,
    Last,
    Method,
    Sections,
    Shape,
    Study,
    Variable,
    cluster_cpus,
)
from plafond.protocols import Protocol, names_of
from plafond.units import format_duration
from plafond.words import suggestion

WITH_BOUNDS = (Protocol.MPCP, Protocol.MSRP, Protocol.SPIN_PRIORITY)  # across CPUs
ACROSS_WITH_COSTS = names_of(lambda row: row.analysis and row.analysis_across in WITH_BOUNDS)
MOST_TASKS = 1000  # in a set, on average

_CLUSTER = re.compile(r"partitioned|global|clustered [1-9]\d{0,3}", re.ASCII)
CLUSTERS = 'a list of "partitioned", "clustered N" and "global"'


def problems_of(study: Study) -> Iterator[Problem]:
    """Yield every problem of a study."""
    yield from _problems_of_sets(study)
    if study.sections:
        yield from _problems_of_sections(study, study.sections)
    else:
        yield from _problems_without_sections(study)
    for place, name in enumerate(study.compared):
        if name in study.compared[:place]:
            yield Problem(("draw", "compare", place), f'"{name}" twice', "each once")


def protocols_to_compare(study: Study) -> tuple[str, ...]:
    """Return the values of `compare` that a study with sections allows; `costs` narrows them."""
    is_edf = study.scheduler is Scheduler.EDF
    if study.servers:
        return tuple(Sharing)
    if study.cpus > 1:
        return (*ACROSS_WITH_COSTS, APART) if study.costs else (*WITH_BOUNDS, APART)
    if study.costs:
        return names_of(lambda row: row.analysis and (row.analysis is Protocol.FLOOR) == is_edf)
    alone = (each for each in Protocol if not each.is_across)
    return tuple(each for each in alone if (each is Protocol.FLOOR) == is_edf)


def _problems_of_sets(study: Study) -> Iterator[Problem]:
    least, most = study.utilisations[0], study.utilisations[-1]
    where = ("draw", "utilisation")
    if most > study.cpus:
        yield Problem(where, f"up to {float(most):g}", f"at most cpus, {study.cpus}")
    if study.method is not Method.UNTIL_FULL:
        yield from _problems_of_method(study)
        return
    assert study.task_utilisation
    assert study.interval_ns
    heaviest = study.task_utilisation.most
    if study.last is Last.DISCARD and least < heaviest:
        wanted = f"{float(heaviest):g} or more, as else a set can have no task"
        yield Problem(where, f"from {float(least):g}", wanted)
    mean = (study.task_utilisation.at(0) + study.task_utilisation.at(1)) / 2
    if float(most) / mean > MOST_TASKS:
        found = f"sets of about {float(most) / mean:.0f} tasks"
        yield Problem(("draw", "task_utilisation"), found, f"up to {MOST_TASKS}")
    if study.task_utilisation.least * study.interval_ns.least < 1:
        found = f"runs below 1ns, of {format_duration(int(study.interval_ns.least))}"
        yield Problem(("draw", "interval"), found, "runs of 1ns or more")


def _problems_of_method(study: Study) -> Iterator[Problem]:
    where = ("draw", "method")
    if study.method is Method.AUTOMOTIVE and study.cpus > 1:
        yield Problem(where, f"{study.method} with {study.cpus} CPUs", "1 CPU: a task a period")
    if study.tasks is None:
        return
    least, most = bounds_of_task(study)
    for utilisation in (study.utilisations[0], study.utilisations[-1]):
        if not least * study.tasks <= utilisation <= most * study.tasks:
            found = f"{study.tasks} tasks of {float(least):g} to {float(most):g}"
            wanted = f"a number and a range that allow the utilisation {float(utilisation):g}"
            yield Problem(("draw", "tasks"), found, wanted)
    if study.task_utilisation and study.task_utilisation.shape is not Shape.UNIFORM:
        wanted = f'"uniform ..." with {study.method}, which draws inside a range'
        yield Problem(("draw", "task_utilisation"), f'"{study.task_utilisation.shape}"', wanted)


def bounds_of_task(study: Study) -> tuple[Fraction, Fraction]:
    """Return the least and the largest utilisation of a task with UUNIFAST."""
    spread = study.task_utilisation
    return (spread.least, spread.most) if spread else (Fraction(0), Fraction(1))


def _problems_without_sections(study: Study) -> Iterator[Problem]:
    if study.scheduler is not Scheduler.EDF:
        yield Problem(("scheduler",), f'"{study.scheduler}"', '"edf", as there are no sections')
    if study.costs:
        yield Problem(("draw", "costs"), "a file", "none, as there are no sections to lock")
    if study.servers:
        yield Problem(("draw", "servers"), "a table", "none, as there are no sections")
    if {*study.varied} - {Variable.CACHE, Variable.OVERHEAD}:
        wanted = '"cache" or "overhead", as there are none'
        yield Problem(("draw", "vary"), "a variable of sections", wanted)
    if Variable.OVERHEAD in study.varied and study.deadlines is Deadlines.HARD:
        wanted = (
            "none with hard deadlines: no test of clusters says how late a kernel sees arrivals"
        )
        yield Problem(("draw", "vary"), "an overhead", wanted)
    for place, name in enumerate(study.compared):
        where = ("draw", "compare", place)
        if not _CLUSTER.fullmatch(name):
            yield Problem(where, f'"{name}"', CLUSTERS)
        elif study.cpus % cluster_cpus(name, study.cpus):
            wanted = f"clusters of a size that divides cpus, {study.cpus}"
            yield Problem(where, f'"{name}"', wanted)


def _problems_of_servers(study: Study) -> Iterator[Problem]:
    if not study.servers:
        if Variable.BUDGET in study.varied:
            yield Problem(("draw", "vary"), "a budget", "none, as there are no servers")
        return
    if study.cpus > 1:
        yield Problem(("cpus",), f"{study.cpus}", "1, as there are servers")
    elif study.scheduler is Scheduler.EDF:
        yield Problem(("scheduler",), '"edf"', '"priority", as there are servers')
    ways = ", ".join(Sharing)
    if study.costs:
        wanted = f"none, as no report has what sections cost under {ways}"
        yield Problem(("draw", "costs"), "a file", wanted)
    for each in study.varied:
        if each in (Variable.CACHE, Variable.OVERHEAD):
            wanted = "none, as it is in no bound how often budgets switch tasks"
            yield Problem(("draw", "vary"), f'"{each}"', wanted)
    where, budget = ("draw", "servers", "budget"), study.servers.budget
    if budget is None and Variable.BUDGET not in study.varied:
        yield Problem(where, "nothing", 'a budget, or vary = "budget ..."')
    if budget is not None and Variable.BUDGET in study.varied:
        yield Problem(where, "a budget, which varies", "none")


def _problems_of_sections(study: Study, sections: Sections) -> Iterator[Problem]:
    if study.cpus > 1 and study.scheduler is Scheduler.EDF:
        yield Problem(("scheduler",), '"edf"', '"priority", as there are sections on several CPUs')
    if study.deadlines is Deadlines.SOFT:
        yield Problem(("draw", "deadlines"), '"soft"', '"hard", as there are sections')
    given = (
        ("length", Variable.SECTION, sections.length_ns),
        ("share", Variable.SHARE, sections.share),
    )
    for key, variable, value in given:
        where = ("draw", "sections", key)
        if value is None and variable not in study.varied:
            yield Problem(where, "nothing", f'a {key}, or vary = "{variable} ..."')
        if value is not None and variable in study.varied:
            yield Problem(where, f"a {key}, which varies", "none")
    yield from _problems_of_servers(study)
    known = protocols_to_compare(study)
    may_cost = not study.servers and not study.costs
    or_costs = ", or costs, a file that has it" if may_cost else ""
    for place, name in enumerate(study.compared):
        if name not in known:
            wanted = f"some of {', '.join(known)}{or_costs}{suggestion(name, list(known))}"
            yield Problem(("draw", "compare", place), f'"{name}"', wanted)
