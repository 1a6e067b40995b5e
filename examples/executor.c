/* SPDX-License-Identifier: MIT */
/*
 * The executor of a robot's middleware: three groups of callbacks by priority, in one process.
 *
 * A timer puts each callback that is due into the queue of its group. A thread for each group takes
 * callbacks out of the queue and runs them. All callbacks share the robot's state under a lock.
 * `control` writes it every 2 ms, `plan` thinks for 3 ms and reads it, and `record` saves it.
 *
 * cc -O2 executor.c -o executor -pthread
 * usage: executor none|inherit|protect [CYCLES], of 20 ms each
 */
#include "pthreads.h"

#include <stdbool.h>

enum { TIMER = 40, CONTROL = 30, PLAN = 20, RECORD = 10 }; /* a larger number is more urgent */
enum { CYCLE_MS = 20, ROOM = 256 };

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t not_empty;
	int64_t due_ns[ROOM];
	int put, taken; /* totals since the start */
	bool closed;
};

struct group {
	int priority, period_ms, first_ms;
	void (*callback)(int64_t due_ns);
	struct queue queue;
	int executed;
	int64_t taking_ns; /* processor time to take its callbacks */
};

static pthread_mutex_t lock;
static struct {
	int position, speed; /* `control` writes both, or neither */
} state;

static int cycles = 100;
static int64_t start_ns;
static struct lateness controls;
static int torn;

static void control(int64_t due_ns)
{
	pthread_mutex_lock(&lock);
	note_wait(&controls, due_ns);
	state.position++;
	state.speed--;
	pthread_mutex_unlock(&lock);
	work(100 * US);
	note_end(&controls, due_ns + 2 * MS);
}

static void plan(int64_t due_ns)
{
	(void)due_ns;
	work(3 * MS);
	pthread_mutex_lock(&lock);
	torn += state.position != -state.speed;
	pthread_mutex_unlock(&lock);
}

static void record(int64_t due_ns)
{
	int position;

	(void)due_ns;
	pthread_mutex_lock(&lock);
	position = state.position;
	work(1500 * US);
	torn += position != -state.speed;
	pthread_mutex_unlock(&lock);
}

static struct group groups[] = {
	{ .priority = CONTROL, .period_ms = 2, .first_ms = 0, .callback = control },
	{ .priority = PLAN, .period_ms = 10, .first_ms = 1, .callback = plan },
	{ .priority = RECORD, .period_ms = 20, .first_ms = 0, .callback = record },
};
enum { GROUPS = sizeof(groups) / sizeof(groups[0]) };

/* Put a callback into the queue. If the queue is full, the callback is lost. */
static void put(struct queue *queue, int64_t due_ns, bool last)
{
	pthread_mutex_lock(&queue->lock);
	queue->closed = last;
	if (!last && queue->put - queue->taken < ROOM)
		queue->due_ns[queue->put++ % ROOM] = due_ns;
	pthread_cond_signal(&queue->not_empty);
	pthread_mutex_unlock(&queue->lock);
}

/* When what was taken was due; false at the end of all. */
static bool take(struct queue *queue, int64_t *due_ns)
{
	bool found;

	pthread_mutex_lock(&queue->lock);
	while (queue->put == queue->taken && !queue->closed)
		pthread_cond_wait(&queue->not_empty, &queue->lock);
	found = queue->put != queue->taken;
	if (found)
		*due_ns = queue->due_ns[queue->taken++ % ROOM];
	pthread_mutex_unlock(&queue->lock);
	return found;
}

static void *execute(void *argument)
{
	struct group *group = argument;
	int64_t due_ns, begun_ns = ns_of(CLOCK_THREAD_CPUTIME_ID);

	while (take(&group->queue, &due_ns)) {
		group->taking_ns += ns_of(CLOCK_THREAD_CPUTIME_ID) - begun_ns;
		group->executed++;
		group->callback(due_ns);
		begun_ns = ns_of(CLOCK_THREAD_CPUTIME_ID);
	}
	return NULL;
}

static void *tick(void *unused)
{
	for (int ms = 0; ms < cycles * CYCLE_MS; ms++) {
		int64_t time_ns = start_ns + (int64_t)ms * MS;

		sleep_until(time_ns);
		for (int i = 0; i < GROUPS; i++)
			if (ms % groups[i].period_ms == groups[i].first_ms)
				put(&groups[i].queue, time_ns, false);
	}
	for (int i = 0; i < GROUPS; i++)
		put(&groups[i].queue, 0, true);
	return unused;
}

int main(int argc, char **argv)
{
	const char *protocol = argc > 1 ? argv[1] : "none";
	pthread_t timer, threads[GROUPS];
	int64_t taking_ns = 0;
	int executed = 0;

	if (argc > 2)
		cycles = count_of(argv[2]);
	stay_on_one_cpu();
	make_mutex(&lock, protocol, CONTROL);
	for (int i = 0; i < GROUPS; i++) {
		make_mutex(&groups[i].queue.lock, protocol, TIMER);
		pthread_cond_init(&groups[i].queue.not_empty, NULL);
		threads[i] = start(groups[i].priority, execute, &groups[i]);
	}
	start_ns = now_ns() + 10 * MS;
	timer = start(TIMER, tick, NULL);
	pthread_join(timer, NULL);
	for (int i = 0; i < GROUPS; i++) {
		pthread_join(threads[i], NULL);
		taking_ns += groups[i].taking_ns;
		executed += groups[i].executed;
	}
	print_lateness("callbacks", &controls);
	printf("; takes %d of %lld ns, torn %d\n", executed, (long long)(taking_ns / executed),
	       torn);
	return torn != 0;
}
