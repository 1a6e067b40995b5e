/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "lock_word.h"

#include "kernel_calls.h"
#include "program_clock.h"
#include "stats.h"

/* Deadlines are by the clock of the program. */
#define clock_gettime plf_program_clock
#include "clock.h"
#undef clock_gettime

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool swap(uint32_t *word, uint32_t expected, uint32_t desired)
{
	return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

static int futex(uint32_t *word, int op, const struct timespec *time, uint32_t bits)
{
	int saved = errno;
	int error = 0;

	if (syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, 0, time, NULL, bits) < 0)
		error = errno;
	errno = saved;
	return error;
}

/* ---- The mode ---------------------------------------------------------- */

static bool set_mode(struct plf_protect *m, uint32_t home, uint32_t mode)
{
	return swap(&m->home, home, mode | (home & PLF_HOME_CEILING));
}

/* Choose the first mode, unless another thread has chosen it. */
static void choose_mode(struct plf_protect *m, uint32_t home, uint32_t mode)
{
	if (!set_mode(m, home, mode))
		return;
	plf_stats_mutex_changed(PLF_STATS_UNUSED, mode == (uint32_t)PLF_HOME_SHARED
							  ? PLF_STATS_SHARED
							  : PLF_STATS_LOCAL);
}

/* Is the mutex local to the CPU that the caller is pinned to? Its mode must have been chosen. */
static bool is_local_here(uint32_t home)
{
	return plf_home_place(home) == plf_me.local;
}

/* Make the mutex shared. Its mode must have been chosen. */
static void share(struct plf_protect *m)
{
	for (;;) {
		uint32_t home = plf_home(m);

		if (plf_home_is_shared(home))
			return;
		if ((home & PLF_HOME_CHANGING) != 0) {
			plf_kernel_restart_sequences(plf_home_place(home - PLF_HOME_CHANGING) - 1);
			if (set_mode(m, home, (uint32_t)PLF_HOME_SHARED)) {
				plf_counts.mode_changes++;
				plf_stats_mutex_changed(PLF_STATS_LOCAL, PLF_STATS_SHARED);
			}
		} else {
			swap(&m->home, home, home | PLF_HOME_CHANGING);
		}
	}
}

/* Local to the first locker's CPU, if the mutex may be local at all. */
static uint32_t first_mode(const struct plf_protect *m)
{
	if (plf_me.local == 0 || (m->kind & PLF_KIND_ROBUST) != 0)
		return (uint32_t)PLF_HOME_SHARED;
	return plf_rank(plf_me.cpu, 0);
}

/* ---- The word ---------------------------------------------------------- */

/* Its owner died, and the kernel marked the word, or it is free by now: ask the kernel for it. */
static bool try_after_death(struct plf_protect *m)
{
	return (plf_lock_word(m) & PLF_TID_MASK) == 0 &&
	       futex(&m->lock, FUTEX_TRYLOCK_PI, NULL, 0) == 0;
}

static bool try_to_take(struct plf_protect *m)
{
	for (;;) {
		uint32_t home = plf_home(m);

		if (plf_home_is_shared(home))
			return swap(&m->lock, 0, plf_me.tid) || try_after_death(m);
		if (plf_home_place(home) == 0) {
			choose_mode(m, home, first_mode(m));
		} else if (!is_local_here(home) || !plf_is_on_its_cpu()) {
			share(m);
		} else {
			enum plf_rseq_outcome commit = plf_rseq_lock_word(
				plf_me.rseq, plf_me.cpu, &m->home, home, &m->lock, 0, plf_me.tid);

			if (commit == PLF_COMMITTED)
				return true;
			if (commit == PLF_MISMATCH && plf_home(m) == home && plf_is_on_its_cpu())
				return false;
		}
	}
}

bool plf_lock_word_try(struct plf_protect *m)
{
	bool taken = try_to_take(m);

	if (taken)
		m->owner = plf_me.tid;
	return taken;
}

static bool is_monotonic(const struct plf_deadline *deadline)
{
	return deadline != NULL && deadline->clock == CLOCK_MONOTONIC;
}

/* During the sleep the library is at rest, so a signal handler may jump out of it. */
static int sleep_in(uint32_t *word, int op, const struct timespec *time, uint32_t bits)
{
	uint32_t busy = plf_me.busy;
	int error;

	plf_me.busy = 0;
	error = futex(word, op, time, bits);
	plf_me.busy = busy;
	return error;
}

/* Before Linux 5.14 a PI futex takes only CLOCK_REALTIME: convert the deadline. */
static int lock_pi(uint32_t *word, const struct plf_deadline *deadline)
{
	const struct timespec *time = deadline == NULL ? NULL : deadline->time;
	struct timespec converted;
	int error;

	if (!is_monotonic(deadline))
		return sleep_in(word, FUTEX_LOCK_PI, time, 0);
	error = sleep_in(word, FUTEX_LOCK_PI2, time, 0);
	if (error != ENOSYS)
		return error;
	converted = plf_on_realtime(time);
	return sleep_in(word, FUTEX_LOCK_PI, &converted, 0);
}

static void nap(void)
{
	const struct timespec time = { .tv_nsec = 1000000 };

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
}

int plf_lock_word_wait(struct plf_protect *m, const struct plf_deadline *deadline)
{
	int error;

	share(m);
	plf_counts.lock_waits++;
	do {
		error = lock_pi(&m->lock, deadline);
		if (error == ENOMEM)
			nap();
	} while (error == EAGAIN || error == EINTR || error == ENOMEM);
	if (error == 0)
		m->owner = plf_me.tid;
	return error;
}

void plf_lock_word_give(struct plf_protect *m)
{
	m->owner = 0;
	for (;;) {
		uint32_t home = plf_home(m);

		if (plf_home_is_shared(home)) {
			if (!swap(&m->lock, plf_me.tid, 0))
				futex(&m->lock, FUTEX_UNLOCK_PI, NULL, 0);
			return;
		}
		if (!is_local_here(home) || !plf_is_on_its_cpu())
			share(m);
		else if (plf_rseq_lock_word(plf_me.rseq, plf_me.cpu, &m->home, home, &m->lock,
					    plf_me.tid, 0) == PLF_COMMITTED)
			return;
	}
}

int plf_check_deadline(const struct plf_deadline *deadline)
{
	if (deadline == NULL)
		return 0;
	if (deadline->time->tv_nsec < 0 || deadline->time->tv_nsec >= 1000000000)
		return EINVAL;
	return deadline->time->tv_sec < 0 ? ETIMEDOUT : 0;
}

/* After a signal handler, or a stray wake-up (0), the sleep goes on. Any other error ends it. */
int plf_sleep_forever(const struct plf_protect *m, const struct plf_deadline *deadline)
{
	struct plf_vain_sleep sleep = { .mark = PLF_VAIN_SLEEP, .mutex = m };
	const struct timespec *time = deadline == NULL ? NULL : deadline->time;
	int clock = is_monotonic(deadline) ? 0 : FUTEX_CLOCK_REALTIME;
	int error = plf_check_deadline(deadline);

	while (error == 0 || error == EINTR)
		error = sleep_in(&sleep.word, FUTEX_WAIT_BITSET | clock, time,
				 FUTEX_BITSET_MATCH_ANY);
	return error;
}
