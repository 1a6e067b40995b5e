/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_TABLES_H
#define PLF_TEST_TABLES_H

/* Checks of the translation tables, and of the registers that control them. */

/* Check all pages, in the start table and the tasks' tables, against link.ld. */
void check_tables(void);

/* Check the system registers, and the instructions that turn the tables on. */
void check_registers(void);

/* Check that the task's table is in force. */
void check_table_of(unsigned task);

#endif
