/* SPDX-License-Identifier: MIT */
/*
 * A program with a fault that its argument names. `race`: one of two threads changes a counter
 * without its mutex. `freed`: memory is used after its end. `leak`: memory is lost. Each fault is
 * in a thread that holds a mutex.
 */
#include "../../../real_time/test/patience.h"

#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both_run;
static long counter;
static char *volatile memory;
static const char *fault;

static void *be_faulty(void *with_mutex)
{
	pthread_barrier_wait(&both_run);
	if (with_mutex != NULL)
		pthread_mutex_lock(&mutex);
	if (with_mutex != NULL || strcmp(fault, "race") == 0)
		counter++;
	if (with_mutex != NULL && strcmp(fault, "race") != 0)
		memory = malloc(8);
	if (with_mutex != NULL && strcmp(fault, "freed") == 0) {
		free(memory);
		*memory = 1;
	}
	if (with_mutex != NULL)
		pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[2];

	plf_end_if_hung();
	fault = argc > 1 ? argv[1] : "";
	pthread_barrier_init(&both_run, NULL, 2);
	pthread_create(&thread[0], NULL, be_faulty, &mutex);
	pthread_create(&thread[1], NULL, be_faulty, NULL);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	memory = NULL;
	printf("%d\n", counter > 0);
	return 0;
}
