# SPDX-License-Identifier: MIT
"""Faults in schedule tables: those of kernel/schedule_table.c, and what they share with alarms."""

from __future__ import annotations

from proof.kernel.in_image import fault_in, faults_of

_TABLES = "schedule_tables-sim-standard-uprio-nprio"
_STARTS = "table_starts-sim-standard-uprio-nprio"
_CORES = "cores_tables-sim-standard-uprio-nprio"
_SCHEDULE_TABLE_C = {
    "await": _TABLES,
    "begin": _TABLES,
    "begin_by_call": _TABLES,
    "begin_by_call: drop plf_set_timer_of": _STARTS,
    "check_next": _TABLES,
    "check_next: not (check_table": _CORES,
    "check_start": _TABLES,
    "check_table": _TABLES,
    "end": _TABLES,
    "expire": _TABLES,
    "forget_next": _TABLES,
    "offset_of": _TABLES,
    "plf_drive_table": _TABLES,
    "plf_get_table_status": _TABLES,
    "plf_next_table": _TABLES,
    "plf_start_schedule_tables": _STARTS,
    "plf_start_table_abs": _TABLES,
    "plf_start_table_rel": _TABLES,
    "plf_stop_table": _TABLES,
}

TABLES = (
    *faults_of("schedule_table.c", _SCHEDULE_TABLE_C),
    fault_in(
        "schedule_table.c",
        "another core's table may be started and stopped",
        "\treturn plf_is_own_alarm(core, alarm_of((unsigned)index)) ? E_OK : E_OS_CORE;\n",
        "\treturn core ? E_OK : E_OS_CORE;\n",
        _CORES,
    ),
    fault_in(
        "schedule_table.c",
        "a core starts the tables of autostart of all",
        " || !plf_is_own_alarm(core, alarm_of(table)))\n",
        " || !core)\n",
        _CORES,
    ),
    fault_in(
        "schedule_table.c",
        "a next table begins where the last point of the other one was",
        "\treturn point < config->count ? config->points[point].offset : config->duration;\n",
        "\treturn config->points[point < config->count ? point : point - 1].offset;\n",
        _TABLES,
    ),
    fault_in(
        "alarm.c",
        "a table's alarm does nothing",
        "\telse if (PLF_SCHEDULE_TABLES && config->action == PLF_ALARM_DRIVES)\n",
        "\telse if (PLF_SCHEDULE_TABLES && config->action == PLF_ALARM_DRIVES && !core)\n",
        _TABLES,
    ),
    fault_in(
        "calls.c",
        "hooks may call the services of tables",
        "#define OF_HANDLERS(number, service) [number] = { service, ISR_ONLY },\n",
        "#define OF_HANDLERS(number, service) [number] = { service, ANYWHERE },\n",
        _STARTS,
    ),
    fault_in(
        "calls.c",
        "on one core the numbers of tables are those of cores",
        "\t\treturn PLF_CPUS == 1; ",
        "\t\treturn false; ",
        "schedule_tables-sim-extended-uprio-nprio",
    ),
    fault_in(
        "os.c",
        "no table starts with the kernel",
        "\tif (PLF_SCHEDULE_TABLES)\n\t\tplf_start_schedule_tables();\n",
        "",
        _STARTS,
    ),
)
