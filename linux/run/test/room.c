/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The room for a trace suffices for the largest trace, and no more is stored than the room holds.
 */
#include "../../machine/clock.h"
#include "../log.h"
#include "../team.h"
#include "../trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

/* Fill the record with events at the last moment. */
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
	for (size_t i = 0; i < plan->tasks[0].arrival_count; i++)
		record->tasks[0].slowest[i] = SPEEDS_MAX - 1;
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

/* The room of the first of `count` tasks. Each of the others is more urgent. */
static size_t room_beside(size_t count, struct step *steps, size_t step_count)
{
	int64_t arrivals[5] = { 0, 1, 2, 3, 4 };
	struct task tasks[] = {
		{ .priority = 1, .steps = steps, .step_count = step_count, .arrival_count = 2 },
		{ .priority = 2, .arrival_count = 3 },
		{ .priority = 3, .arrival_count = 5 },
	};
	struct plan plan = { .limit_ns = NS_PER_S, .tasks = tasks, .task_count = count };

	for (size_t i = 0; i < count; i++) {
		tasks[i].arrivals = arrivals;
		tasks[i].server = NO_SERVER;
	}
	return event_room(&plan, &tasks[0]);
}

static void each_part_of_a_plan_has_its_room(void **state)
{
	struct step sleeps[] = { { .kind = STEP_SLEEP }, { .kind = STEP_SLEEP } };
	struct step runs[] = { { .kind = STEP_RUN, .time_ns = NS_PER_MS },
			       { .kind = STEP_RUN, .time_ns = NS_PER_MS } };
	size_t alone = room_beside(1, NULL, 0);
	size_t work = room_beside(1, runs, 1) - alone;

	(void)state;
	assert_int_equal(room_beside(3, NULL, 0), alone + 2 * (3 + 5)); /* both ends of a gap */
	assert_int_equal(room_beside(1, sleeps, 2), alone + 2 * 2 * 4); /* and of a sleep */
	assert_true(work > 0);
	assert_int_equal(room_beside(1, runs, 2), alone + 2 * work);
}

/* The speeds are last in the record, and the last task's speeds are at its end. */
static void the_second_task_ends_with_the_record(void **state)
{
	static const struct protocol protocol = { .name = "none" };
	struct task tasks[] = { { .arrival_count = 3, .server = NO_SERVER },
				{ .arrival_count = 4, .server = NO_SERVER } };
	struct plan plan = {
		.protocol = &protocol, .limit_ns = 1, .tasks = tasks, .task_count = 2
	};
	struct record *record = map_record(&plan);

	(void)state;
	assert_non_null(record);
	assert_ptr_equal(record->tasks[1].slowest, record->tasks[0].slowest + 3);
	assert_ptr_equal(record->tasks[1].slowest + 4, (char *)record + record->bytes);
	munmap(record, record->bytes);
}

/* The trace has room for all events of each task and server. */
static void the_second_of_each_has_its_bytes(void **state)
{
	static const struct protocol protocol = { .name = "none" };
	struct task tasks[] = { { .arrival_count = 3, .server = NO_SERVER },
				{ .arrival_count = 4, .server = NO_SERVER } };
	struct server servers[] = { { .period_ns = NS_PER_MS }, { .period_ns = NS_PER_MS } };
	struct plan plan = { .protocol = &protocol,
			     .limit_ns = 1,
			     .tasks = tasks,
			     .task_count = 1,
			     .servers = servers,
			     .server_count = 1 };
	size_t bytes = trace_bytes(&plan), more;

	(void)state;
	plan.server_count = 2;
	more = trace_bytes(&plan);
	assert_true(more > bytes + sizeof("[1,]") * server_room(&plan, &servers[1]));
	plan.task_count = 2;
	assert_true(trace_bytes(&plan) > more + sizeof("[1,]") * event_room(&plan, &tasks[1]));
}

static void each_more_urgent_server_has_its_room(void **state)
{
	struct server servers[] = {
		{ .priority = 9, .period_ns = NS_PER_MS },
		{ .priority = 8, .period_ns = NS_PER_MS },
		{ .priority = 1, .period_ns = NS_PER_MS },
		{ .priority = 9, .period_ns = NS_PER_MS, .cpu = 1 },
	};
	struct plan plan = { .limit_ns = NS_PER_S, .servers = servers, .server_count = 4 };
	size_t first = server_room(&plan, &servers[0]);

	(void)state;
	assert_int_equal(server_room(&plan, &servers[1]), first + first / 2);
	assert_int_equal(server_room(&plan, &servers[2]), first + 2 * (first / 2));
	assert_int_equal(server_room(&plan, &servers[3]), first);
}

/* A run with lost gaps is incomplete, and is repeated because of this count. */
static void a_gap_without_room_is_counted(void **state)
{
	struct event events[2] = { 0 };
	struct task_record record = { .events = events, .gap_room = 1 };
	struct log log = { .record = &record };

	(void)state;
	log_gap(&log, 10, 20);
	assert_int_equal(record.lost_gaps, 0);
	log_gap(&log, 30, 40);
	log_gap(&log, 50, 60);
	assert_int_equal(record.lost_gaps, 2);
	assert_int_equal(record.stored, 2);
	assert_int_equal(events[0].time_ns, 10);
	assert_int_equal(events[1].time_ns, 20);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(a_trace_fits),
		cmocka_unit_test(each_part_of_a_plan_has_its_room),
		cmocka_unit_test(the_second_task_ends_with_the_record),
		cmocka_unit_test(the_second_of_each_has_its_bytes),
		cmocka_unit_test(each_more_urgent_server_has_its_room),
		cmocka_unit_test(a_gap_without_room_is_counted),
	};

	return cmocka_run_group_tests_name("room", all, NULL, NULL);
}
