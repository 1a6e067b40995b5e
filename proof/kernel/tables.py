# SPDX-License-Identifier: MIT
"""Faults in schedule tables: in schedule_table.c, table_sync.c, and alarms that drive tables."""

from __future__ import annotations

from proof.kernel.in_image import PLACES, fault_in, fault_in_row, faults_of

_TABLES = "schedule_tables-sim-standard-uprio-nprio"
_STARTS = "table_starts-sim-standard-uprio-nprio"
_CORES = "cores_tables-sim-standard-uprio-nprio"
_SYNC = "table_sync-sim-standard-uprio-nprio"
_SCHEDULE_TABLE_C = {
    "await": _TABLES,
    "begin": _TABLES,
    "check_next": _TABLES,
    "check_next: not (plf_check_table": _CORES,
    "check_next: weaken plf_schedule_tables[from].state < SCHEDULETABLE_WAITING": _SYNC,
    "check_next: flip plf_schedule_table_config[from].sync": _SYNC,
    "check_next: drop plf_schedule_table_config[from].sync": _SYNC,
    "check_start": _TABLES,
    "end": _TABLES,
    "end: drop plf_schedule_tables[next - 1].": _SYNC,
    "expire": _TABLES,
    "forget_next": _TABLES,
    "plf_begin_table": _TABLES,
    "plf_begin_table: drop plf_schedule_tables[table].": _SYNC,
    "plf_begin_table: drop plf_set_timer_of": _STARTS,
    "plf_check_table": _TABLES,
    "plf_drive_table": _TABLES,
    "plf_get_table_status": _SYNC,
    "plf_next_table": _TABLES,
    "plf_start_schedule_tables": _STARTS,
    "plf_start_schedule_tables: drop plf_schedule_tables[table].state": _SYNC,
    "plf_start_schedule_tables: not (config->start_kind == PLF_STARTS_SYNCHRON": _SYNC,
    "plf_start_schedule_tables: flip config->start_kind == PLF_STARTS_SYNCHRON": _SYNC,
    "plf_start_table_abs": _TABLES,
    "plf_start_table_rel": _TABLES,
    "plf_start_table_rel: drop status = E_OS_ID": _SYNC,
    "plf_start_table_rel: flip status == E_OK": _SYNC,
    "plf_start_table_rel: keep only plf_schedule_table_config[table].sync": _CORES,
    "plf_stop_table": _SYNC,
    "plf_stop_table: drop forget_next": _TABLES,
}
_TABLE_SYNC_C = {
    "adjustment": _SYNC,
    "ahead_of": _SYNC,
    "check_explicit": _SYNC,
    "check_explicit: keep only config_of((unsigned)table)->sync": _CORES,
    "config_of": _SYNC,
    "plf_adjusted": _SYNC,
    "plf_is_synchronous": _SYNC,
    "plf_set_table_async": _SYNC,
    "plf_start_table_synchron": _SYNC,
    "plf_sync_table": _SYNC,
}
_SCHEDULE_TABLE_H = {"plf_offset_of": _TABLES}
_OF_HANDLERS = (
    *("START_TABLE_REL", "START_TABLE_ABS", "STOP_TABLE", "NEXT_TABLE", "GET_TABLE_STATUS"),
    *("START_TABLE_SYNCHRON", "SYNC_TABLE", "SET_TABLE_ASYNC"),
)

TABLES = (
    *faults_of("schedule_table.c", _SCHEDULE_TABLE_C),
    *faults_of("schedule_table.h", _SCHEDULE_TABLE_H),
    *faults_of("table_sync.c", _TABLE_SYNC_C),
    fault_in(
        "schedule_table.c",
        "another core's table may be started and stopped",
        "\treturn plf_is_own_alarm(core, plf_alarm_of_table((unsigned)index)) ? E_OK",
        "\treturn core ? E_OK",
        _CORES,
    ),
    fault_in(
        "schedule_table.c",
        "a core starts the tables of autostart of all",
        "\t\t    !plf_is_own_alarm(core, plf_alarm_of_table(table)))\n",
        "\t\t    !core)\n",
        _CORES,
    ),
    fault_in(
        "schedule_table.h",
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
    *(
        fault_in_row(service, PLACES, f"hooks may call {service}", "ANYWHERE", _STARTS)
        for service in _OF_HANDLERS
    ),
    fault_in(
        "os.c",
        "no table starts with the kernel",
        "\tif (PLF_SCHEDULE_TABLES)\n\t\tplf_start_schedule_tables();\n",
        "",
        _STARTS,
    ),
)
