/* SPDX-License-Identifier: MIT */
#ifndef TABLE_STARTS_H
#define TABLE_STARTS_H

#include "os.h"

enum { SERVICES_OF_TABLES = 8, FIRST_PARAMETERS = 2 };

/* The answer of each service of tables, by place, in the order of table_starts_trusted.c. */
enum table_place { OF_STARTUP, OF_CALLBACK, OF_ERROR, OF_HANDLER, TABLE_PLACES };
extern StatusType table_answers[TABLE_PLACES][SERVICES_OF_TABLES];
extern uint32_t asked_in[TABLE_PLACES];

/* Notes of the last call of ErrorHook. */
extern uint64_t parameters_of_error[FIRST_PARAMETERS];
extern StatusType status_of_error;
extern uint32_t error_shall_ask, error_shall_raise;

#endif
