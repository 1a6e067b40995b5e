/* SPDX-License-Identifier: MIT */
/*
 * Two periodic threads share a position under a ceiling.
 *
 * The sensor writes it every 2 ms, and the controller reads it every 10 ms. Both
 * coordinates are written or read in a single critical section, so the controller
 * never sees half of an update. Entering and leaving costs no system call.
 *
 * cc periodic.c $(pkg-config --cflags --libs plafond) -pthread
 */
#include <plafond.h>

#include <pthread.h>
#include <stdio.h>

enum { CPU = 0, SENSOR = 20, CONTROLLER = 10, RELEASES = 20 };
enum { MS = 1000000 }; /* in nanoseconds */

/* The ceiling is the highest priority of its users. */
static plf_mutex_t lock = PLF_MUTEX_INITIALIZER(SENSOR);
static struct {
	int x, y;
} position;

static int torn;

static void measure(void)
{
	plf_mutex_lock(&lock);
	position.x++;
	position.y--;
	plf_mutex_unlock(&lock);
}

static void control(void)
{
	plf_mutex_lock(&lock);
	if (position.x != -position.y)
		torn++;
	plf_mutex_unlock(&lock);
}

struct task {
	const char *name;
	int priority;
	uint64_t period_ns;
	void (*work)(void);
};

static void *run(void *argument)
{
	const struct task *task = argument;
	struct plf_periodic timer;
	int error = plf_attach(task->priority, CPU, PLF_ROBUST);

	if (error != 0) {
		fprintf(stderr, "%s: cannot attach: %s\n", task->name, plf_strerror(error));
		return "failed";
	}
	plf_periodic_init(&timer, plf_now() + task->period_ns, task->period_ns);
	for (int i = 0; i < RELEASES; i++) {
		plf_periodic_wait(&timer);
		task->work();
	}
	printf("%s: %d releases, %llu missed\n", task->name, RELEASES,
	       (unsigned long long)timer.missed);
	return NULL; /* the end of a thread detaches it */
}

int main(void)
{
	struct task task[] = {
		{ "sensor", SENSOR, 2 * MS, measure },
		{ "controller", CONTROLLER, 10 * MS, control },
	};
	pthread_t thread[2];
	int failed = 0;

	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, run, &task[i]) != 0)
			return 1;
	for (int i = 0; i < 2; i++) {
		void *result;

		pthread_join(thread[i], &result);
		failed |= result != NULL;
	}
	printf("position %d %d, torn reads: %d\n", position.x, position.y, torn);
	return failed || torn != 0;
}
