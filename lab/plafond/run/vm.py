# SPDX-License-Identifier: MIT
"""Run plans in a virtual machine, all of them in the same boot."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from plafond.errors import PlafondError, RefusedError
from plafond.programs import find_program
from plafond.progress import progress_by_step
from plafond.run.job import Job, Outcome
from plafond.run.wrappers import Places, command_of, programs_of
from plafond.trace.model import parse_trace
from plafond.vm.guest import Guest
from plafond.vm.machine import READY, prepare, run_in_vm
from plafond.vm.messages import Message

BOOT_S = 300.0  # long enough for a busy host
# An emulated second takes some seconds, even on an idle host.
SLOWEST = 20
# As on this machine, no plan runs after a plan that left no trace.
RUN_PLAN = """\
run_plan() {
	number=$1
	shift
	"$@" 2>/said
	echo $? >/status
	[ ! -s /trace ] || post trace-$number /trace
	[ ! -s /recording ] || post recording-$number /recording
	post said-$number /said
	post status-$number /status
	[ -s /trace ] || exit
	rm -f /trace /recording
}"""


def run_in_guest(jobs: Iterable[Job], guest: Guest) -> Iterator[Outcome]:
    """Run `plafond-run` in the guest for each job; yield the finished jobs before a failure."""
    jobs = list(jobs)
    arrived: dict[str, bytes] = {}
    failure: BaseException | None = None
    try:
        _run_all(jobs, guest, arrived)
    except (PlafondError, KeyboardInterrupt, SystemExit) as error:
        failure = error
    for number, job in enumerate(jobs):
        if failure and f"status-{number}" not in arrived:
            raise failure
        yield _outcome(job, number, arrived)


def _run_all(jobs: Sequence[Job], guest: Guest, arrived: dict[str, bytes]) -> None:
    """Fill `arrived` with the messages of the guest, even if the guest fails before its end."""
    files: dict[str, Path | bytes] = {
        f"/plans/{number}": job.plan.encode() for number, job in enumerate(jobs)
    }
    for name in dict.fromkeys(name for job in jobs for name in programs_of(job)):
        files[f"/bin/{Path(name).name}"] = find_program(guest.built(name))
    commands = [RUN_PLAN, *(line_of(number, job) for number, job in enumerate(jobs))]
    longest_s = BOOT_S + SLOWEST * sum(job.limit_ns for job in jobs) / 1e9
    prepare(guest)
    with progress_by_step(f"booting Linux {guest.kernel}", len(jobs)) as step:

        def keep(message: Message) -> None:
            arrived[message.name] = message.content
            if message.name == READY:
                step(jobs[0].what, 0)
            elif message.name.startswith("status-"):
                done = int(message.name.removeprefix("status-")) + 1
                step(jobs[done].what if done < len(jobs) else "powering off", done)

        run_in_vm(guest, files, commands, longest_s, keep)


def line_of(number: int, job: Job) -> str:
    """Return the line of the guest's shell that runs this job; `number`: the job's index."""
    places = Places(f"/plans/{number}", "/trace", "/recording")
    command = command_of(job, lambda name: Path(name).name, places)
    return shlex.join(["run_plan", str(number), *command])


def _outcome(job: Job, number: int, arrived: dict[str, bytes]) -> Outcome:
    status = int(arrived[f"status-{number}"])
    said = arrived[f"said-{number}"].decode(errors="replace").strip()
    last_line = said.splitlines()[-1] if said else f"exit code {status}"
    if status == RefusedError.exit_code:
        raise RefusedError(f"{job.what}: {last_line} (in the virtual machine)")
    trace = arrived.get(f"trace-{number}")
    if trace is None:
        raise PlafondError(f"{job.what}: plafond-run failed in the virtual machine: {last_line}")
    recording = arrived.get(f"recording-{number}")
    return Outcome(parse_trace(trace, f"the trace of {job.what}"), None, recording)
