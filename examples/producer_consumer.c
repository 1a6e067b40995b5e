/* SPDX-License-Identifier: MIT */
/*
 * A producer hands numbers to a consumer of higher priority through a ring, with
 * two condition variables: "not empty" and "not full".
 *
 * A wait unlocks the mutex, sleeps, and locks it again. As with every condition
 * variable, the thread must check its condition again after waking.
 *
 * cc producer_consumer.c $(pkg-config --cflags --libs plafond) -pthread
 */
#include <plafond.h>

#include <pthread.h>
#include <stdio.h>

enum { CPU = 0, CONSUMER = 20, PRODUCER = 10, ITEMS = 1000, ROOM = 8 };

static struct {
	plf_mutex_t lock;
	plf_cond_t not_empty, not_full;
	int item[ROOM];
	int taken, put; /* totals since the start */
} ring = { .lock = PLF_MUTEX_INITIALIZER(CONSUMER),
	   .not_empty = PLF_COND_INITIALIZER,
	   .not_full = PLF_COND_INITIALIZER };

static void put(int item)
{
	plf_mutex_lock(&ring.lock);
	while (ring.put - ring.taken == ROOM)
		plf_cond_wait(&ring.not_full, &ring.lock);
	ring.item[ring.put++ % ROOM] = item;
	plf_cond_signal(&ring.not_empty);
	plf_mutex_unlock(&ring.lock);
}

static int take(void)
{
	int item;

	plf_mutex_lock(&ring.lock);
	while (ring.put == ring.taken)
		plf_cond_wait(&ring.not_empty, &ring.lock);
	item = ring.item[ring.taken++ % ROOM];
	plf_cond_signal(&ring.not_full);
	plf_mutex_unlock(&ring.lock);
	return item;
}

static int attached(const char *name, int priority)
{
	int error = plf_attach(priority, CPU, PLF_ROBUST);

	if (error != 0)
		fprintf(stderr, "%s: cannot attach: %s\n", name, plf_strerror(error));
	return error == 0;
}

static void *produce(void *unused)
{
	(void)unused;
	if (!attached("producer", PRODUCER))
		return NULL;
	for (int i = 1; i <= ITEMS; i++)
		put(i);
	return NULL;
}

static void *consume(void *sum)
{
	if (!attached("consumer", CONSUMER))
		return NULL;
	for (int i = 0; i < ITEMS; i++)
		*(long *)sum += take();
	return NULL;
}

int main(void)
{
	pthread_t producer, consumer;
	long sum = 0;

	if (!attached("main", PRODUCER)) /* ask for the privilege before a thread waits */
		return 1;
	if (pthread_create(&consumer, NULL, consume, &sum) != 0 ||
	    pthread_create(&producer, NULL, produce, NULL) != 0)
		return 1;
	pthread_join(producer, NULL);
	pthread_join(consumer, NULL);
	printf("%d items, sum %ld, as expected: %s\n", ITEMS, sum,
	       sum == ITEMS * (ITEMS + 1L) / 2 ? "yes" : "no");
	return sum != ITEMS * (ITEMS + 1L) / 2;
}
