/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "thread_table.h"

#include "../machine/threads.h"

#include <stdio.h>
#include <stdlib.h>

static void print_thread(const struct thread *thread, void *argument)
{
	FILE *table = argument;
	char irq[16] = "-";

	if (thread->irq != NO_IRQ)
		snprintf(irq, sizeof(irq), "%d", thread->irq);
	fprintf(table, "%d\t%s\t%s\t%s\t%u\t%d\t%s\n", thread->tid, irq, kind_name(thread->kind),
		policy_name(thread->schedule.policy), thread->schedule.priority, thread->pid,
		thread->name);
}

char *list_threads(size_t *length)
{
	char *text = NULL;
	FILE *table = open_memstream(&text, length);
	bool is_listed;

	if (table == NULL)
		return NULL;
	is_listed = each_thread(print_thread, table);
	if (fclose(table) == 0 && is_listed)
		return text;
	free(text);
	return NULL;
}
