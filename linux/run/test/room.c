/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* The room that is taken for a trace holds the largest one. */
#include "../team.h"
#include "../trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

/* All events at the last moment. */
static void fill(const struct plan *plan, struct record *record)
{
	size_t room = event_room(plan, &plan->tasks[0]);

	for (size_t i = 0; i < room; i++)
		record->tasks[0].events[i] = (struct event) {
			.time_ns = plan->limit_ns + MARGIN_NS,
			.activation = (uint32_t)plan->arrival_count - 1,
			.resource = 0,
			.kind = EVENT_SUSPEND,
		};
	record->tasks[0].stored = room;
	for (size_t i = 0; i < plan->server_count; i++) {
		struct server_record *server = &record->servers[i];

		for (size_t event = 0; event < server->room; event++)
			server->events[event] =
				(struct server_event) { .time_ns = plan->limit_ns + MARGIN_NS,
							.kind = PLF_SERVER_REPLENISHED };
		server->stored = server->room;
	}
}

static size_t bytes_of_trace(const struct plan *plan, const struct record *record)
{
	char *text;
	size_t bytes;
	FILE *file = open_memstream(&text, &bytes);

	assert_non_null(file);
	write_trace(file, plan, record, NULL);
	assert_int_equal(fclose(file), 0);
	free(text);
	return bytes;
}

static void expect_room(int64_t limit_ns)
{
	static const struct protocol protocol = { .name = "none" };
	int64_t arrivals[1000] = { 0 };
	struct step steps[1000] = { 0 };
	struct task task = {
		.name = "T",
		.priority = 1,
		.steps = steps,
		.step_count = 1000,
		.arrivals = arrivals,
		.arrival_count = 1000,
	};
	int64_t period_ns = limit_ns / 100 + PLF_SERVER_PERIOD_MIN_NS;
	struct server servers[2] = {
		{ .name = "s1", .priority = 9, .period_ns = period_ns, .budget_ns = 1 },
		{ .name = "s2", .priority = 1, .period_ns = period_ns, .budget_ns = 1 },
	};
	struct plan plan = {
		.protocol = &protocol,
		.limit_ns = limit_ns,
		.servers = servers,
		.server_count = 2,
		.tasks = &task,
		.task_count = 1,
		.arrival_count = 1000,
	};
	struct record *record;

	for (size_t i = 0; i < 1000; i++)
		steps[i].kind = STEP_SLEEP;
	record = map_record(&plan);
	assert_non_null(record);
	fill(&plan, record);
	assert_true(bytes_of_trace(&plan, record) <= trace_bytes(&plan));
	munmap(record, record->bytes);
}

static void a_trace_fits(void **state)
{
	(void)state;
	expect_room(1);
	expect_room(1000000);
	expect_room(TIME_MAX_NS);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(a_trace_fits),
	};

	return cmocka_run_group_tests_name("room", all, NULL, NULL);
}
