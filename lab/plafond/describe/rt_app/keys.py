# SPDX-License-Identifier: MIT
"""The keys of rt-app's description: taken, ignored or refused.

As in our own schema, the text of a taken key up to the first semicolon is the expected value, which
messages show.
"""

from plafond.describe.fields import HIGHEST_PRIORITY, MOST_CPUS, NAME

# rt-app reads numbers as C's int.
MOST = 2**31 - 1
MICROSECONDS = f"a whole number of microseconds from 1 to {MOST}"
LOOP = f"-1, or a whole number from 1 to {MOST}"
NAMED = "characters that a task's name cannot have become underscores"
WAIT_FOR_TIME = "run, sleep, lock, unlock and timer: a task waits for time and resources only"
IN_THREAD = "it in the thread: a task has one"
NO_DEADLINE = "no keys of SCHED_DEADLINE"
BEFORE_1_0 = "events: this is a key of rt-app before 1.0"

# Keys that are taken, by their table.
TAKEN = {
    "": {
        "tasks": f"a table of threads; each is a task, named {NAME}; {NAMED}",
        "resources": "a table of resources; mutexes and timers; what only events name is there, "
        "too",
        "global": "a table; what holds for all threads",
    },
    "global": {
        "default_policy": "SCHED_FIFO, SCHED_RR or another policy; of threads without one; default "
        "SCHED_OTHER, which no thread may have",
        "duration": f"-1, or a whole number of seconds from 1 to {MOST}; after so long no thread "
        "is activated any more; default -1: a run decides",
    },
    "resources.NAME": {
        "type": '"mutex" or "timer"; default mutex',
    },
    "tasks.NAME": {
        "policy": '"SCHED_FIFO" or "SCHED_RR"; the latter with a priority of its own on its CPU, '
        "where both are the same",
        "priority": f"a whole number from 1 to {HIGHEST_PRIORITY}; larger is more urgent; "
        "default 10",
        "cpus": f"a list of one CPU from 0 to {MOST_CPUS - 1}; where it runs",
        "instance": "a whole number from 1 to 1000; how many threads there are; the tasks of "
        "several are NAME_0, NAME_1 and so on; default 1",
        "delay": f"a whole number of microseconds from 0 to {MOST}; before its first activation; "
        "default 0",
        "loop": f"{LOOP}; how many activations there are; default -1: no limit",
        "phases": "a table of phases; the events of all, of each as often as its loop says, are "
        "one activation; of an only phase the loop counts activations",
    },
    "phases.NAME": {
        "loop": f"{LOOP}; how often it comes, -1 only for an only phase; default 1",
    },
    "events": {
        "run": f"{MICROSECONDS}; processor time",
        "sleep": f"{MICROSECONDS}; the last event, or the first one, separates activations "
        "where there is no timer: they are at least as far apart as all events take",
        "lock": "the name of a mutex; its ceiling is computed",
        "unlock": "the name of a mutex; that which was locked last",
        "timer": "a table; the last event, or the first one: an activation is what lies between "
        "two of its uses",
    },
    "timer": {
        "ref": 'a name; "unique...", or one that no other thread uses',
        "period": f"{MICROSECONDS}; how far activations are apart",
        "mode": '"relative" or "absolute"; activations are sporadic, for a late one moves those '
        "behind it, or periodic; default relative",
    },
}
# Keys of `global` that are ignored, and the reasons.
IGNORED = {
    "calibration": "run steps burn time, so nothing is calibrated",
    "pi_enabled": "`plafond run --protocol` says how resources are locked",
    "lock_pages": "a run always locks its memory",
    "logdir": "a run writes its own report",
    "log_basename": "a run writes its own report",
    "log_size": "a run writes its own report",
    "ftrace": "a run records its own trace",
    "gnuplot": "a run draws its own pictures",
    "cumulative_slack": "a run has its own measures",
    "io_device": "only iorun uses it, which is refused",
    "mem_buffer_size": "only mem and iorun use it, which are refused",
}
# Keys that are refused, and the expected alternatives.
BOTH = "tasks.NAME and phases.NAME"
REFUSED = {
    BOTH: {
        "util_min": "none: a run step takes its time at every frequency",
        "util_max": "none: a run step takes its time at every frequency",
        "nodes_membind": "none: memory is not placed",
        "membind_nodes": "none: memory is not placed",
        "taskgroup": "none: groups are of SCHED_OTHER",
        "dl-runtime": NO_DEADLINE,
        "dl-period": NO_DEADLINE,
        "dl-deadline": NO_DEADLINE,
        "period": "a timer: this is a key of SCHED_DEADLINE, or of rt-app before 1.0",
        "deadline": NO_DEADLINE,
        "exec": BEFORE_1_0,
        "lock_order": BEFORE_1_0,
        "resources": BEFORE_1_0,
    },
    "phases.NAME": {
        "policy": IN_THREAD,
        "priority": IN_THREAD,
        "cpus": IN_THREAD,
    },
    "events": {
        "runtime": "run, which is processor time: a runtime ends by the clock, preempted or not",
        "wait": WAIT_FOR_TIME,
        "signal": WAIT_FOR_TIME,
        "broad": WAIT_FOR_TIME,
        "sync": WAIT_FOR_TIME,
        "suspend": WAIT_FOR_TIME,
        "resume": WAIT_FOR_TIME,
        "barrier": WAIT_FOR_TIME,
        "mem": "run: how long the access takes is not known",
        "iorun": "run: how long the access takes is not known",
        "external_workload": "run: how long it takes is not known",
        "yield": "none: tasks of one priority run in the order of their activations",
        "fork": "the thread among the others, with its delay",
    },
}


def refused_in(table: str) -> dict[str, str]:
    """Return the refused keys of a thread or phase, except events."""
    return REFUSED[BOTH] | REFUSED.get(table, {})


def expected(table: str, key: str) -> str:
    """Return the expected value of a taken key, without its meaning."""
    return TAKEN[table][key].split("; ")[0]
