/* SPDX-License-Identifier: MIT */
/*
 * Surviving the death of a thread inside its critical section.
 *
 * The writer ends halfway through a transfer between two accounts. The next lock
 * returns EOWNERDEAD: its thread holds the mutex, repairs the data, and calls
 * plf_mutex_consistent(). Otherwise all later locks would return ENOTRECOVERABLE.
 *
 * cc owner_death.c $(pkg-config --cflags --libs plafond) -pthread
 */
#include <plafond.h>

#include <pthread.h>
#include <stdio.h>

enum { CPU = 0, WRITER = 20, AUDITOR = 10, TOTAL = 100 };

static plf_mutex_t lock = PLF_MUTEX_INITIALIZER(WRITER);
static struct {
	int from, to;
} account = { TOTAL, 0 };

static void *write_halfway(void *unused)
{
	(void)unused;
	if (plf_attach(WRITER, CPU, PLF_ROBUST) != 0)
		return NULL;
	plf_mutex_lock(&lock);
	account.from -= 30;
	pthread_exit(NULL); /* before account.to gets the 30 */
}

/* Lock, and repair the data if the owner died. */
static int lock_and_repair(void)
{
	int error = plf_mutex_lock(&lock);

	if (error != EOWNERDEAD)
		return error;
	printf("the writer died inside: %d + %d is not %d\n", account.from, account.to, TOTAL);
	account.to = TOTAL - account.from;
	return plf_mutex_consistent(&lock);
}

int main(void)
{
	pthread_t writer;
	int error = plf_attach(AUDITOR, CPU, PLF_ROBUST);

	if (error != 0) {
		fprintf(stderr, "cannot attach: %s\n", plf_strerror(error));
		return 1;
	}
	if (pthread_create(&writer, NULL, write_halfway, NULL) != 0)
		return 1;
	pthread_join(writer, NULL);
	error = lock_and_repair();
	if (error != 0) {
		fprintf(stderr, "cannot lock: %s\n", plf_strerror(error));
		return 1;
	}
	printf("repaired: %d + %d = %d\n", account.from, account.to, account.from + account.to);
	plf_mutex_unlock(&lock);
	return account.from + account.to != TOTAL;
}
