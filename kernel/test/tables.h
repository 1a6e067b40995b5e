/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_TABLES_H
#define PLF_TEST_TABLES_H

/* The expected translation tables, and the registers that put them to use. */

/* All pages, in the table of the start and in those of the tasks, against link.ld. */
void check_tables(void);

/* The system registers, and the instructions that turn the tables on. */
void check_registers(void);

/* Which table is in force. */
void check_table_of(unsigned task);

#endif
