/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "stand.h"

#include "play.h"
#include "raw.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/rseq.h>

enum { OF_NUDGERS = 98 }; /* priority, above all actors */
enum { BETWEEN_NUDGES_NS = 100000 };

struct watcher {
	int cpu;
	int priority;
	uint32_t wanted;  /* futex */
	uint32_t nudging; /* futex of its nudger */
	uint32_t go;	  /* the thread that stands on the other side may go on */
	int ready;	  /* number of started threads: the watcher, its nudger */
};

static struct watcher watcher[SIDES];

/* For each side: whether a thread will stand there, and whether it stands. */
static uint32_t will_stand[SIDES], stands[SIDES];

static void be_of(struct watcher *w, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)w->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0 ||
	    sched_setscheduler(0, SCHED_FIFO, &param) != 0)
		could_not_run("a watcher", EPERM);
	__atomic_fetch_add(&w->ready, 1, __ATOMIC_SEQ_CST);
}

/* On return the nudger has seen the value. If it is 0, the nudger will not run any more. */
static void let_nudge(struct watcher *w, uint32_t on)
{
	__atomic_store_n(&w->nudging, on, __ATOMIC_SEQ_CST);
	raw_wake(&w->nudging);
}

static void *watch(void *argument)
{
	struct watcher *self = argument;

	be_of(self, self->priority);
	for (;;) {
		while (__atomic_load_n(&self->wanted, __ATOMIC_SEQ_CST) == 0)
			raw_wait(&self->wanted, 0);
		let_nudge(self, 0);
		__atomic_store_n(&self->go, 1, __ATOMIC_SEQ_CST);
		__atomic_store_n(&self->wanted, 0, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

/*
 * A thread that waits for a mutex whose owner stands does not sleep. The kernel lets it spin while
 * the owner has a CPU and no other thread needs the waiter's CPU. So the nudger needs this CPU for
 * a moment. Otherwise the supervisor would end the wait or the stand, depending on its CPU.
 */
static void *nudge(void *argument)
{
	struct watcher *side = argument;

	be_of(side, OF_NUDGERS);
	for (;;)
		if (__atomic_load_n(&side->nudging, __ATOMIC_SEQ_CST) == 0)
			raw_wait(&side->nudging, 0);
		else
			raw_wait_at_most(&side->nudging, 1, BETWEEN_NUDGES_NS);
	return NULL;
}

static void start(void *(*body)(void *), struct watcher *w, int ready)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, w) != 0)
		could_not_run("a watcher", EAGAIN);
	while (__atomic_load_n(&w->ready, __ATOMIC_SEQ_CST) < ready)
		raw_nap(1000000);
}

void stand_setup(const int *cpu, int below)
{
	for (int side = 0; side < SIDES; side++) {
		watcher[side].cpu = cpu[side];
		watcher[side].priority = below;
		start(watch, &watcher[side], 1);
		start(nudge, &watcher[side], 2);
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
 * Report that the caller stands, and spin. The report is part of the sequence, because a thread
 * that it lets go may have the sequence restarted at once. Returns whether the kernel did.
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
	let_nudge(other, 1);
	restarted = spin(&stands[side], &other->go);
	will_stand[side] = 0;
	return restarted;
}

bool stand_instead(int side)
{
	struct watcher *other = &watcher[1 - side];

	let_nudge(&watcher[side], 0);
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
