/* SPDX-License-Identifier: MIT */
#include "noise.h"

#include "clock.h"
#include "cpus.h"
#include "end.h"
#include "gaps.h"
#include "locks.h"
#include "memory.h"
#include "say.h"
#include "supervise.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	GAPS_MAX = 1 << 20,
	GAP_LEAST_NS = 1000,
	SECONDS_MAX = 10,
	WINDOW_NS = 10000,
	WINDOWS = 17,
	PRIORITY = 1,
};

#define MARGIN_NS (2 * NS_PER_S)
#define BURST_NS  (700 * NS_PER_MS) /* more than the longest window */
#define REST_NS	  (300 * NS_PER_MS)

struct noise {
	deadline_t deadline;
	int cpu;
	int64_t duration_ns;
	size_t gap_count;
	uint64_t lost_gaps;
	struct gap gaps[GAPS_MAX];
};

static void add_gap(struct noise *noise, int64_t start_ns, int64_t length_ns)
{
	if (noise->gap_count == GAPS_MAX) {
		noise->lost_gaps++;
		return;
	}
	noise->gaps[noise->gap_count++] =
		(struct gap) { .start_ns = start_ns, .length_ns = length_ns };
}

/* The usual time of two reads of the clock is taken off a gap. */
static void take_off_usual(struct noise *noise, int64_t usual_ns)
{
	for (size_t i = 0; i < noise->gap_count; i++)
		noise->gaps[i].length_ns -= usual_ns;
}

/* The time of two reads of the clock with nothing in between. */
struct usual {
	int64_t sum_ns, count;
};

static void listen_until(struct noise *noise, int64_t start, int64_t end, struct usual *usual)
{
	int64_t last = now_ns();

	while (last < end) {
		int64_t now = now_ns();

		if (now - last > GAP_LEAST_NS) {
			add_gap(noise, last - start, now - last);
		} else {
			usual->sum_ns += now - last;
			usual->count++;
		}
		last = now;
	}
}

/*
 * In bursts, with rests in between: a thread that spins on and on is stopped by the
 * kernel's limit for SCHED_FIFO, 950 of 1000 ms by default, which is no noise.
 */
static void listen(struct noise *noise)
{
	struct usual usual = { .sum_ns = 0, .count = 1 };
	int64_t start = now_ns(), end = start + noise->duration_ns;

	for (int64_t burst = start; burst < end; burst += BURST_NS + REST_NS) {
		struct timespec time = timespec_of(burst);

		int error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);

		if (error != 0 && error != EINTR)
			_exit(fail("a rest of the CPU: %s", strerror(error)));
		listen_until(noise, start, burst + BURST_NS < end ? burst + BURST_NS : end, &usual);
	}
	take_off_usual(noise, usual.sum_ns / usual.count);
}

static void listen_in_child(void *argument)
{
	struct noise *noise = argument;
	int error;

	if (lock_memory() != 0)
		_exit(REFUSED);
	memset(noise->gaps, 0, sizeof(noise->gaps));
	touch_stack();
	error = pthread_locks.attach(PRIORITY, noise->cpu, 0);
	if (error != 0)
		_exit(refuse("SCHED_FIFO on CPU %d: %s", noise->cpu, strerror(error)));
	listen(noise);
}

static void print(const struct noise *noise)
{
	printf("{\"cpu\":%d,\"seconds\":%g,\"windows\":[", noise->cpu,
	       (double)noise->duration_ns / (double)NS_PER_S);
	for (int k = 0; k < WINDOWS; k++) {
		int64_t window = (int64_t)WINDOW_NS << k;

		printf("%s[%" PRId64 ",%" PRId64 "]", k == 0 ? "" : ",", window,
		       most_in_window(noise->gaps, noise->gap_count, window));
	}
	printf("],\"gaps\":%zu,\"lost_gaps\":%" PRIu64 "}\n", noise->gap_count, noise->lost_gaps);
}

/* A plain decimal number that is the whole word. */
static bool parse(const char *word, double most, double *number)
{
	char *end;

	if (strspn(word, "0123456789.") != strlen(word))
		return false;
	*number = strtod(word, &end);
	return end != word && *end == '\0' && *number <= most;
}

static int run_and_print(struct noise *noise)
{
	char text[END_TEXT];
	const char *cut;
	struct end end;
	int64_t longest_ns = noise->duration_ns + MARGIN_NS;

	noise->deadline = now_ns() + longest_ns;
	hold_signals();
	if (!supervise(&noise->deadline, longest_ns, listen_in_child, noise, &end) ||
	    was_refused(&end))
		return REFUSED;
	cut = describe_end(&end, text);
	if (cut == NULL) {
		print(noise);
		return end_stdout();
	}
	fail("cut: %s", cut);
	return end.ending == BY_INTERRUPTION ? BY_SIGNAL + end.signal : FAILED;
}

int measure_noise(const char *cpu, const char *seconds)
{
	char allowed[256];
	double which, duration;
	struct noise *noise;
	int status;

	if (!parse(seconds, SECONDS_MAX, &duration) || duration < 0.01)
		return refuse("\"%s\" seconds: expected a number from 0.01 to %d", seconds,
			      SECONDS_MAX);
	if (strspn(cpu, "0123456789") != strlen(cpu) || !parse(cpu, 1e6, &which) ||
	    !cpu_is_allowed((int)which)) {
		allowed_cpus(allowed, sizeof(allowed));
		return refuse("CPU %s does not exist or is not allowed here: allowed are %s", cpu,
			      allowed);
	}
	noise = map_shared("the gaps", sizeof(*noise), 0, "free some");
	if (noise == NULL)
		return REFUSED;
	noise->cpu = (int)which;
	noise->duration_ns = (int64_t)(duration * (double)NS_PER_S);
	status = run_and_print(noise);
	munmap(noise, sizeof(*noise));
	return status;
}
