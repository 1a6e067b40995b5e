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
OR_0 = f"a whole number of microseconds from 0 to {MOST}"
AWAITED = "a name"
NAMED = "characters that a task's name cannot have become underscores"
IN_THREAD = "it in the thread: a task has one"
BEFORE_1_0 = "events: this is a key of rt-app before 1.0"
UNKNOWN_TIME = "run: how long the access takes is not known"

# Keys that are taken, by their table.
TAKEN = {
    "": {
        "tasks": f"a table of threads; each is a task, named {NAME}; {NAMED}",
        "resources": "a table of resources; mutexes and timers; what only events name is there, "
        "too",
        "global": "a table; what holds for all threads",
    },
    "global": {
        "default_policy": "SCHED_FIFO, SCHED_RR or another policy; of threads without one; "
        "--default-policy replaces it; default SCHED_OTHER",
        "duration": f"-1, or a whole number of seconds from 1 to {MOST}; after so long no thread "
        "is activated any more; default -1: a run decides",
    },
    "resources.NAME": {
        "type": '"mutex", "timer" or "wait"; default mutex',
    },
    "tasks.NAME": {
        "policy": '"SCHED_FIFO", "SCHED_RR", "SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE" or '
        '"SCHED_DEADLINE"; SCHED_RR with a priority of its own on its CPU, because a task has no '
        "time slices; SCHED_OTHER, SCHED_BATCH and SCHED_IDLE: a task in the background; "
        "SCHED_DEADLINE: a task in a reservation",
        "priority": f"a whole number from 1 to {HIGHEST_PRIORITY}; larger is more urgent; "
        "default 10; of a thread that is SCHED_OTHER in the file: a nice value from -20 to 19, "
        "default 0, and with --default-policy SCHED_FIFO the priority is 20 less that value",
        "cpus": f"a list of one CPU from 0 to {MOST_CPUS - 1}; on which it runs; --default-cpu is "
        "for threads without it, and selects one of several",
        "instance": "a whole number from 1 to 1000; how many threads there are; the tasks of "
        "several are NAME_0, NAME_1 and so on; default 1",
        "delay": f"{OR_0}; before its first activation; default 0",
        "loop": f"{LOOP}; how many activations there are; default -1: no limit",
        "phases": "a table of phases; with timers, each timer ends an activation; without timers "
        "the events of all, of each as often as its loop says, are one activation",
        "dl-runtime": f"{MICROSECONDS}; the budget of a reservation",
        "dl-period": f"{MICROSECONDS}; the period of a reservation; default dl-runtime",
        "dl-deadline": f"{MICROSECONDS}; the same as dl-period, because a reservation has no other",
    },
    "phases.NAME": {
        "loop": f"{LOOP}; how often it comes, -1 only for the last phase; default 1",
        "cpus": "the list of the thread; a task does not change its CPU",
    },
    "events": {
        "run": f"{MICROSECONDS}; processor time",
        "runtime": f"{MICROSECONDS}; as run, because it ends by the clock",
        "sleep": f"{OR_0}; the last event, or the first one, separates activations unless there is "
        "a timer: they are at least as far apart as all events take; 0 has no effect",
        "lock": "the name of a mutex; its ceiling is computed",
        "unlock": "the name of a mutex; the mutex that was locked last",
        "timer": "a table; the last event, or the first one: an activation is the part of the loop "
        "between two uses",
        "suspend": f"{AWAITED}; as the last event, or the first one, of an endless loop without "
        "timers and sleeps around it, a resume activates the task; otherwise the task clears an "
        "event and waits for it; default the name of the thread",
        "resume": f"{AWAITED}; activates or sets an event of each thread that waits there; without "
        "effect while none waits",
        "wait": "a table; the task clears an event, unlocks the mutex, waits, and locks it again",
        "signal": f"{AWAITED}; as resume, with one other thread that can wait there",
        "broad": f"{AWAITED}; as resume",
        "sync": "a table; a signal, then a wait",
        "barrier": "a name; the threads with it wait for each other; it becomes a task above all "
        "others, and its threads are on one CPU",
    },
    "timer": {
        "ref": 'a name; "unique...", or one that no other thread uses',
        "period": f"{MICROSECONDS}; how far activations are apart",
        "mode": '"relative" or "absolute"; activations are sporadic, because a late one moves the '
        "following ones, or periodic; default relative",
    },
    "wait": {
        "ref": f"{AWAITED}; of a signal, a broad, a sync or a resume",
        "mutex": "the name of a mutex; the only one that the thread has locked",
    },
}
# Keys of threads and phases that are ignored, and the reasons.
IGNORED_IN_THREAD = {
    "taskgroup": "the share of a group is no bound for its tasks",
    "dl-reclaim": "no reservation counts on time that others leave",
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
    "frag": "rt-app takes it without effect",
}
# Keys that are refused, and the expected alternatives.
BOTH = "tasks.NAME and phases.NAME"
REFUSED = {
    BOTH: {
        "util_min": "none: a run step takes its time at every frequency",
        "util_max": "none: a run step takes its time at every frequency",
        "nodes_membind": "none: memory is not placed",
        "membind_nodes": "none: memory is not placed",
        "period": BEFORE_1_0,
        "deadline": BEFORE_1_0,
        "exec": BEFORE_1_0,
        "lock_order": BEFORE_1_0,
        "resources": BEFORE_1_0,
    },
    "phases.NAME": {
        "policy": IN_THREAD,
        "priority": IN_THREAD,
    },
    "events": {
        "mem": UNKNOWN_TIME,
        "iorun": UNKNOWN_TIME,
        "external_workload": "run: how long it takes is not known",
        "yield": "none: tasks of one priority run in the order of their activations",
        "fork": "the thread among the others, with its delay",
    },
}


# Keys and types of resources that only rt-app before 1.0 has.
OLD_KEYS = frozenset(key for key, why in REFUSED[BOTH].items() if why == BEFORE_1_0)
OLD_TYPES = ("signal", "sync", "broadcast", "run", "sleep")


def refused_in(table: str) -> dict[str, str]:
    """Return the refused keys of a thread or phase, except events."""
    return REFUSED[BOTH] | REFUSED.get(table, {})


def expected(table: str, key: str) -> str:
    """Return the expected value of a taken key, without its meaning."""
    return TAKEN[table][key].split("; ")[0]
