/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "stand.h"

#include "play.h"
#include "raw.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/rseq.h>

struct watcher {
	int cpu;
	uint32_t wanted; /* futex */
	uint32_t go;	 /* the thread that stands on the other side may go on */
	bool ready;
};

static struct watcher watcher[SIDES];

/* Of each side: it will stand, it stands. */
static uint32_t will_stand[SIDES], stands[SIDES];

static void *watch(void *argument)
{
	struct watcher *self = argument;
	struct sched_param param = { .sched_priority = 51 };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)self->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0 ||
	    sched_setscheduler(0, SCHED_FIFO, &param) != 0)
		could_not_run("a watcher", EPERM);
	self->ready = true;
	for (;;) {
		while (__atomic_load_n(&self->wanted, __ATOMIC_SEQ_CST) == 0)
			raw_wait(&self->wanted, 0);
		__atomic_store_n(&self->go, 1, __ATOMIC_SEQ_CST);
		__atomic_store_n(&self->wanted, 0, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

void stand_setup(const int *cpu)
{
	for (int side = 0; side < SIDES; side++) {
		pthread_t thread;

		watcher[side].cpu = cpu[side];
		if (pthread_create(&thread, NULL, watch, &watcher[side]) != 0)
			could_not_run("a watcher", EAGAIN);
		while (!__atomic_load_n(&watcher[side].ready, __ATOMIC_SEQ_CST))
			raw_nap(1000000);
	}
}

void stand_begin(int side)
{
	__atomic_store_n(&stands[side], 0, __ATOMIC_SEQ_CST);
	__atomic_store_n(&will_stand[side], 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&watcher[1 - side].go, 0, __ATOMIC_SEQ_CST);
}

static void call(struct watcher *w)
{
	__atomic_store_n(&w->wanted, 1, __ATOMIC_SEQ_CST);
	raw_wake(&w->wanted);
}

void stand_await(int side)
{
	if (__atomic_load_n(&will_stand[side], __ATOMIC_SEQ_CST) == 0)
		return;
	while (__atomic_load_n(&stands[side], __ATOMIC_SEQ_CST) == 0)
		__builtin_ia32_pause();
}

/*
 * Report that the caller stands, and spin. From the report on all is in the sequence: a thread let
 * go by it may have it restarted at once. True: the kernel did.
 */
static bool spin(uint32_t *ready, const uint32_t *go)
{
	struct rseq *area =
		(struct rseq *)((uintptr_t)__builtin_thread_pointer() + (uintptr_t)__rseq_offset);

	__asm__ goto volatile(".pushsection spin_rseq_cs, \"aw\"\n"
			      ".balign 32\n"
			      "3:	.long	0, 0\n"
			      "	.quad	1f, 2f - 1f, 4f\n"
			      ".popsection\n"
			      "	leaq	3b(%%rip), %%rax\n"
			      "	movq	%%rax, 8(%[area])\n"
			      "1:	movl	$1, %[ready]\n"
			      "5:	pause\n"
			      "	cmpl	$0, %[go]\n"
			      "	je	5b\n"
			      "2:\n"
			      ".pushsection .text.spin_rseq, \"ax\"\n"
			      "	.byte	0x0f, 0xb9, 0x3d\n"
			      "	.long	0x53053053\n"
			      "4:	jmp	%l[restarted]\n"
			      ".popsection\n"
			      :
			      : [area] "r"(area), [ready] "m"(*ready), [go] "m"(*go)
			      : "rax", "memory", "cc"
			      : restarted);
	return false;
restarted:
	__atomic_store_n(ready, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(go, __ATOMIC_SEQ_CST) == 0)
		__builtin_ia32_pause();
	return true;
}

bool stand_still(int side)
{
	struct watcher *other = &watcher[1 - side];
	bool restarted;

	call(other);
	restarted = spin(&stands[side], &other->go);
	will_stand[side] = 0;
	return restarted;
}

bool stand_instead(int side)
{
	struct watcher *other = &watcher[1 - side];

	stand_begin(side);
	will_stand[side] = 0;
	call(other);
	return spin(&watcher[side].go, &other->go);
}

void stand_end(void)
{
	for (int side = 0; side < SIDES; side++)
		while (__atomic_load_n(&watcher[side].wanted, __ATOMIC_SEQ_CST) != 0)
			raw_nap(20000);
}
