/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "two_servers.h"

#include "../../real_time/test/patience.h"

#include <sched.h>
#include <time.h>

static void watch(void *argument, enum plf_server_event event, uint64_t time_ns)
{
	struct timeline *line = argument;

	line->replenished += event == PLF_SERVER_REPLENISHED;
	line->depleted += event == PLF_SERVER_DEPLETED;
	line->overruns += event == PLF_SERVER_OVERRUNS;
	if (event == PLF_SERVER_GETS && line->count < WINDOWS) {
		line->gets_ns[line->count] = time_ns;
		line->loses_ns[line->count++] = UINT64_MAX;
	}
	if (event == PLF_SERVER_LOSES && line->count > 0)
		line->loses_ns[line->count - 1] = time_ns;
}

void note_time(struct greedy *g, uint64_t now_ns)
{
	if (g->count > 0 && now_ns - g->to_ns[g->count - 1] < GAP_NS) {
		g->to_ns[g->count - 1] = now_ns;
	} else if (g->count < STRETCHES) {
		g->from_ns[g->count] = now_ns;
		g->to_ns[g->count++] = now_ns;
	}
}

static void take_all(void *argument)
{
	struct greedy *g = argument;
	uint64_t now_ns;

	assert_ok(plf_server_join(g->server, g->local_priority));
	while ((now_ns = plf_now()) < g->end_ns)
		note_time(g, now_ns);
}

void join_greedy(struct member *member, struct greedy *g, plf_server_t *server, int local_priority,
		 uint64_t end_ns)
{
	*g = (struct greedy) { .server = server,
			       .local_priority = local_priority,
			       .end_ns = end_ns };
	start_stranger(member, MAIN + 1, take_all, g);
}

/* ---- Noise ------------------------------------------------------------- */

static int wrong_line;
static uint64_t late_ns;

void claim_at(bool is_true, int line)
{
	if (!is_true && wrong_line == 0)
		wrong_line = line;
}

void lateness(uint64_t ns)
{
	late_ns = ns > late_ns ? ns : late_ns;
}

plf_server_t first, second;
struct timeline of_first, of_second;
uint64_t begin_ns;

uint64_t at(uint64_t periods, uint64_t ms)
{
	return begin_ns + periods * PERIOD_MS * MS + ms * MS;
}

void open_server(plf_server_t *server, struct timeline *line, int priority, uint64_t ms, int policy)
{
	memset(line, 0, sizeof(*line));
	assert_ok(plf_server_init(server, 0, priority, PERIOD_MS * MS, ms * MS, policy));
	assert_ok(plf_server_begin(server, begin_ns));
	assert_ok(plf_server_watch(server, watch, line));
	if (plf_now() > begin_ns)
		lateness(NOISE_NS);
}

static void be_main(void)
{
	struct sched_param param = { .sched_priority = MAIN };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	assert_ok(sched_setaffinity(0, sizeof(set), &set));
	assert_ok(sched_setscheduler(0, SCHED_FIFO, &param));
}

static void open_two(void)
{
	begin_ns = plf_now() + 10 * MS;
	open_server(&first, &of_first, OF_FIRST, FIRST_MS, PLF_SERVER_IDLING);
	open_server(&second, &of_second, OF_SECOND, SECOND_MS, PLF_SERVER_IDLING);
	forget_notes();
}

uint64_t latest_ns(const plf_server_t *server)
{
	struct plf_server_stats stats;

	assert_ok(plf_server_get_stats(server, &stats));
	lateness(stats.latest_ns);
	return stats.latest_ns;
}

void close_two(void)
{
	latest_ns(&first);
	assert_ok(plf_server_destroy(&first));
	assert_ok(plf_server_destroy(&second));
}

/* False: a claim is wrong, but a thread was late. */
static bool runs_in_time(const struct scenario *scenario)
{
	wrong_line = 0;
	late_ns = 0;
	if (!scenario->has_one)
		open_two();
	scenario->body();
	if (!scenario->has_one)
		close_two();
	if (wrong_line != 0 && late_ns < NOISE_NS)
		fail_msg("line %d", wrong_line);
	return wrong_line == 0;
}

void run_scenario(void **state)
{
	const struct scenario *scenario = *state;

	be_main();
	plf_await(runs_in_time(scenario));
}

void sleep_until(uint64_t time_ns)
{
	struct timespec until = { .tv_sec = (time_t)(time_ns / 1000000000),
				  .tv_nsec = (long)(time_ns % 1000000000) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0)
		;
	lateness(plf_now() - time_ns);
}
