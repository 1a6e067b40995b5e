# SPDX-License-Identifier: MIT
"""What OSEK, AUTOSAR and their tools call the fields of a description: for unknown keys."""

# By table, the field that a key means; keys are in small letters, without anything between words.
FIELDS: dict[str, dict[str, str]] = {
    "": {
        "os": "kernel",
        "interrupt": "isr",
        "interrupts": "isr",
        "core": "cpus",
        "cores": "cpus",
        "applications": "application",
        "osapplication": "application",
    },
    "kernel": {
        "startuphook": "hooks",
        "shutdownhook": "hooks",
        "errorhook": "hooks",
        "pretaskhook": "hooks",
        "posttaskhook": "hooks",
        "protectionhook": "hooks",
        "appmode": "modes",
        "appmodes": "modes",
        "useparameteraccess": "parameters",
        "stackmonitoring": "stack_monitoring",
        "appsrc": "sources",
        "src": "sources",
        "trustedsrc": "trusted",
        "mixedsrc": "mixed",
    },
    "task": {
        "activation": "queue",
        "maxactivation": "queue",
        "maxactivations": "queue",
        "appmode": "modes",
        "appmodes": "modes",
        "event": "events",
        "resource": "resources",
        "internalresource": "internal",
        "stacksize": "stack",
        "preemption": "schedule",
        "preemptive": "schedule",
        "scheduling": "schedule",
        "period": "arrival",
        "core": "cpu",
        "accessingapplication": "access",
        "executionbudget": "execution_budget",
        "budget": "execution_budget",
        "timeframe": "time_frame",
        "maxallinterruptlocktime": "all_interrupt_lock_budget",
        "maxosinterruptlocktime": "os_interrupt_lock_budget",
        "lockingtime": "resource_lock_budgets",
        "resourcelocktime": "resource_lock_budgets",
    },
    "resource": {
        "resourceproperty": "internal",
        "property": "internal",
        "priority": "ceiling",
        "ceilingpriority": "ceiling",
        "accessingapplication": "access",
    },
    "application": {
        "appsrc": "sources",
        "src": "sources",
        "restarttask": "restart",
        "trustedfunction": "functions",
        "trustedfunctions": "functions",
    },
    "counter": {
        "maxallowedvalue": "highest",
        "max": "highest",
        "ticksperbase": "ticks_per_base",
        "mincycle": "min_cycle",
        "secondspertick": "tick",
        "tickduration": "tick",
        "period": "tick",
        "core": "cpu",
        "accessingapplication": "access",
    },
    "alarm": {
        "alarmtime": "autostart",
        "cycletime": "autostart",
        "cycle": "autostart",
        "period": "autostart",
        "offset": "autostart",
        "appmode": "modes",
        "appmodes": "modes",
        "task": "action",
        "event": "action",
        "activatetask": "action",
        "setevent": "action",
        "alarmcallback": "action",
        "alarmcallbackname": "action",
        "callback": "action",
        "incrementcounter": "action",
        "accessingapplication": "access",
    },
    "schedule_table": {
        "accessingapplication": "access",
    },
    "isr": {
        "interrupt": "source",
        "vector": "source",
        "number": "source",
        "irq": "source",
        "core": "cpu",
    },
}
# What is expected where the table has no field for it.
ELSEWHERE: dict[str, dict[str, str]] = {
    "": {
        "events": "events of the [task.NAME] that waits for it",
        "appmode": "modes of [kernel]",
        "appmodes": "modes of [kernel]",
    },
    "kernel": {
        "cc": "no class of conformance: an image has what its description needs",
        "scheduler": "scheduler above the tables",
        "usegetserviceid": "nothing: ErrorHook has OSErrorGetServiceId() always",
        "useresscheduler": "a table [resource.RES_SCHEDULER], with which every task may take it",
    },
    "task": {"type": "no type: a task with events is an extended one"},
    "application": {
        kind: f"application of the tables [{table}.NAME] that belong to it"
        for kind, table in (
            ("task", "task"),
            ("isr", "isr"),
            ("resource", "resource"),
            ("counter", "counter"),
            ("alarm", "alarm"),
            ("scheduletable", "schedule_table"),
        )
    },
}


def meant(table: str, key: str) -> tuple[str | None, str | None]:
    """Return the field that an unknown key means, or else what is expected instead of it."""
    plain = key.lower().replace("_", "").replace("-", "")
    return FIELDS.get(table, {}).get(plain), ELSEWHERE.get(table, {}).get(plain)
