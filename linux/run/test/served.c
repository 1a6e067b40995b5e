/* SPDX-License-Identifier: MIT */
/* server.c alone, on servers and a clock of this test. Each server has its own values. */
#include "server.h"

#include "../../machine/clock.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SERVERS = 3, SHARES = 3, ROOM = 3, ZERO_NS = 1000 };

/* ---- libplafond's, and the clock ----------------------------------------- */

static struct known {
	int cpu, priority, policy;
	uint64_t period_ns, budget_ns, begin_ns;
	void (*watch)(void *, enum plf_server_event, uint64_t);
	void *argument;
	struct plf_server_stats stats;
} known[SERVERS];
static uint32_t opened, refuses; /* `refuses`: number of the refused server */

static struct {
	uint32_t server;
	plf_shared_t *resource;
	int ceiling;
	uint64_t hold_ns;
} shared[SHARES];
static size_t shares;
static int64_t clock_ns;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	(void)clock;
	*time = timespec_of(clock_ns);
	return 0;
}

int plf_server_init(plf_server_t *server, int cpu, int priority, uint64_t period_ns,
		    uint64_t budget_ns, int policy)
{
	known[opened] = (struct known) { .cpu = cpu,
					 .priority = priority,
					 .policy = policy,
					 .period_ns = period_ns,
					 .budget_ns = budget_ns };
	server->number = ++opened;
	return opened == refuses ? ENOSPC : 0;
}

int plf_server_watch(const plf_server_t *server,
		     void (*watch)(void *, enum plf_server_event, uint64_t), void *argument)
{
	known[server->number - 1].watch = watch;
	known[server->number - 1].argument = argument;
	return 0;
}

int plf_server_begin(const plf_server_t *server, uint64_t time_ns)
{
	known[server->number - 1].begin_ns = time_ns;
	return 0;
}

int plf_server_get_stats(const plf_server_t *server, struct plf_server_stats *stats)
{
	*stats = known[server->number - 1].stats;
	return 0;
}

int plf_server_share(const plf_server_t *server, plf_shared_t *resource, int ceiling,
		     uint64_t hold_ns)
{
	shared[shares].server = server->number - 1;
	shared[shares].resource = resource;
	shared[shares].ceiling = ceiling;
	shared[shares].hold_ns = hold_ns;
	shares++;
	return server->number == refuses ? ERANGE : 0;
}

/* ---- The plan ------------------------------------------------------------ */

static struct server servers[SERVERS] = {
	{ .cpu = 0, .priority = 9, .period_ns = 100, .budget_ns = 10, .policy = 1, .hold_ns = 5 },
	{ .cpu = 0, .priority = 4, .period_ns = 200, .budget_ns = 20, .policy = 2, .hold_ns = 6 },
	{ .cpu = 1, .priority = 7, .period_ns = 300, .budget_ns = 30, .policy = 3, .hold_ns = 7 },
};
static struct share plan_shares[SHARES] = {
	{ .resource = 1, .server = 1, .ceiling = 2 },
	{ .resource = 1, .server = 0, .ceiling = 3 },
	{ .resource = 0, .server = 2, .ceiling = 4 },
};
static const struct plan plan = {
	.servers = servers, .server_count = SERVERS, .shares = plan_shares, .share_count = SHARES
};

static struct served served[SERVERS];
static struct server_event events[SERVERS][ROOM];
static struct server_record records[SERVERS];
static struct record record = { .servers = records };
static union lock locks[2];
static int64_t zero_ns;

static int open_all(void **state)
{
	size_t refused = SERVERS;

	(void)state;
	opened = refuses = 0;
	shares = 0;
	zero_ns = 0;
	memset(records, 0, sizeof(records));
	for (size_t i = 0; i < SERVERS; i++) {
		records[i].events = events[i];
		records[i].room = ROOM;
	}
	return open_servers(served, &plan, &record, &zero_ns, &refused) != 0 || refused != SERVERS;
}

static void happens(size_t server, enum plf_server_event event, uint64_t time_ns)
{
	known[server].watch(known[server].argument, event, time_ns);
}

/* ---- Tests --------------------------------------------------------------- */

static void each_is_as_planned(void **state)
{
	size_t refused;

	(void)state;
	assert_int_equal(opened, SERVERS);
	for (size_t i = 0; i < SERVERS; i++) {
		assert_int_equal(known[i].cpu, servers[i].cpu);
		assert_int_equal(known[i].priority, servers[i].priority);
		assert_int_equal(known[i].policy, servers[i].policy);
		assert_int_equal(known[i].period_ns, servers[i].period_ns);
		assert_int_equal(known[i].budget_ns, servers[i].budget_ns);
	}
	assert_int_equal(share_locks(served, &plan, locks, &refused), 0);
	assert_int_equal(shares, SHARES);
	for (size_t i = 0; i < SHARES; i++) {
		assert_int_equal(shared[i].server, plan_shares[i].server);
		assert_ptr_equal(shared[i].resource, &locks[plan_shares[i].resource].shared);
		assert_int_equal(shared[i].ceiling, plan_shares[i].ceiling);
		assert_int_equal(shared[i].hold_ns, servers[plan_shares[i].server].hold_ns);
	}
}

static void a_refusal_is_named(void **state)
{
	size_t refused = SERVERS;

	(void)state;
	refuses = 3;
	assert_int_equal(share_locks(served, &plan, locks, &refused), ERANGE);
	assert_int_equal(refused, 0); /* index of the resource */
	opened = 0;
	refuses = 2;
	assert_int_equal(open_servers(served, &plan, &record, &zero_ns, &refused), ENOSPC);
	assert_int_equal(refused, 1);
	assert_int_equal(opened, 2);
}

static void counts_begin_at_time_0(void **state)
{
	(void)state;
	zero_ns = ZERO_NS;
	for (size_t i = 0; i < SERVERS; i++)
		known[i].stats = (struct plf_server_stats) { .decisions = i,
							     .manager_ns = 10 * i,
							     .priority_changes = 20 * i,
							     .calls = 30 * i };
	begin_servers(served, SERVERS);
	for (size_t i = 0; i < SERVERS; i++)
		known[i].stats = (struct plf_server_stats) {
			.decisions = 100, .manager_ns = 200, .priority_changes = 300, .calls = 400
		};
	settle_servers(served, SERVERS);
	for (size_t i = 0; i < SERVERS; i++) {
		assert_int_equal(known[i].begin_ns, ZERO_NS);
		assert_int_equal(records[i].manager.decisions, 100 - i);
		assert_int_equal(records[i].manager.manager_ns, 200 - 10 * i);
		assert_int_equal(records[i].manager.priority_changes, 300 - 20 * i);
		assert_int_equal(records[i].manager.calls, 400 - 30 * i);
		assert_true(records[i].is_complete);
	}
}

/*
 * Each server's events are in its own record, from time 0 on, while there is room. Its lateness is
 * recorded, too.
 */
static void events_are_recorded_from_time_0_on(void **state)
{
	(void)state;
	clock_ns = ZERO_NS;
	happens(1, PLF_SERVER_GETS, 1); /* time 0 is not known yet */
	zero_ns = ZERO_NS;
	happens(1, PLF_SERVER_GETS, ZERO_NS - 1);
	happens(1, PLF_SERVER_REPLENISHED, ZERO_NS);
	clock_ns = ZERO_NS + 500;
	happens(1, PLF_SERVER_GETS, ZERO_NS + 200);
	happens(1, PLF_SERVER_LOSES, ZERO_NS + 490);
	happens(1, PLF_SERVER_GETS, ZERO_NS + 100);
	happens(2, PLF_SERVER_DEPLETED, ZERO_NS + 495);
	assert_int_equal(records[0].stored, 0);
	assert_int_equal(records[1].stored, ROOM);
	assert_int_equal(records[1].latest_ns, 300);
	assert_int_equal(records[2].stored, 1);
	assert_int_equal(records[2].latest_ns, 5);
	assert_int_equal(events[1][0].time_ns, 0);
	assert_int_equal(events[1][0].kind, PLF_SERVER_REPLENISHED);
	assert_int_equal(events[1][2].time_ns, 490);
	assert_int_equal(events[1][2].kind, PLF_SERVER_LOSES);
	assert_int_equal(events[2][0].time_ns, 495);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test_setup(each_is_as_planned, open_all),
		cmocka_unit_test_setup(a_refusal_is_named, open_all),
		cmocka_unit_test_setup(counts_begin_at_time_0, open_all),
		cmocka_unit_test_setup(events_are_recorded_from_time_0_on, open_all),
	};

	return cmocka_run_group_tests_name("served", all, NULL, NULL);
}
