# SPDX-License-Identifier: MIT
"""What communication without the kernel must keep: AUTOSAR's IOC."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from plafond.describe.ioc import IocFields
from plafond.describe.message import NO_DATA
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Known, problems_of_headers


def problems_of_iocs(
    iocs: Mapping[str, IocFields], known: Known, folder: Path
) -> Iterator[Problem]:
    """Each of them by itself: data of a type, between tasks that are described."""
    for name, ioc in iocs.items():
        where: Where = ("ioc", name)
        yield from _problems_of_tasks(where, ioc, known)
        for sender in sorted({each for each in ioc.senders if ioc.senders.count(each) > 1}):
            yield Problem((*where, "senders"), f"{sender} twice", "each task once")
        yield from problems_of_headers((*where, "headers"), ioc.headers, folder)
        if ioc.type == NO_DATA:
            yield Problem((*where, "type"), NO_DATA, "a type of data; SetEvent only notifies")
        if ioc.queue is not None and "initial" in ioc.model_fields_set:
            expected = "none beside queue: a queue begins empty"
            yield Problem((*where, "initial"), str(ioc.initial), expected)


def _problems_of_tasks(where: Where, ioc: IocFields, known: Known) -> Iterator[Problem]:
    for index, sender in enumerate(ioc.senders):
        wrong = known.wrong_task(sender)
        if wrong:
            yield Problem((*where, "senders", index), sender, wrong)
        elif sender == ioc.receiver:
            yield Problem((*where, "senders", index), sender, "another task than its receiver")
    wrong = known.wrong_task(ioc.receiver)
    if wrong:
        yield Problem((*where, "receiver"), ioc.receiver, wrong)
