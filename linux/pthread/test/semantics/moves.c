/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The owner of a mutex is moved to another CPU inside its section: by itself, by another thread, or
 * by another process. It stays the owner, runs at the ceiling, and unlocks on its new CPU.
 */
#include "../../../real_time/test/patience.h"
#include "crowd.h"
#include "enter_kernel.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex, lower;
static _Atomic int *seen; /* 1: the owner is inside; 2: also on CPU 1; 3: back on CPU 0 */

static int setup(void **state)
{
	if (seen == NULL)
		seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);
	assert_true(seen != MAP_FAILED);
	*seen = 0;
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	make_mutex(&lower, 30, PTHREAD_MUTEX_NORMAL);
	return prepare_main(state);
}

#define move_test(f) cmocka_unit_test_setup(f, setup)

/* ---- The other side: a thread finds the mutex held, on each CPU ---------- */

static void find_it_held(void *unused)
{
	UNUSED(unused);
	assert_int_equal(pthread_mutex_trylock(&mutex), EBUSY);
}

static void find_it_free(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_trylock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* Called from a section. The caller sleeps, so its ceiling does not delay the other thread. */
static void look_from_both(void (*look)(void *))
{
	struct member member;

	for (int cpu = 0; cpu < 2; cpu++) {
		start_on(&member, cpu, 35, look, NULL);
		join(&member);
	}
}

/* ---- By itself --------------------------------------------------------- */

static void by_thread(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	assert_ok(pthread_setaffinity_np(pthread_self(), sizeof(set), &set));
}

static void by_tid(int cpu)
{
	pin(0, cpu);
}

static void (*const ways[])(int cpu) = { by_thread, by_tid };

static void move_inside(void *argument)
{
	void (*move)(int) = *(void (*const *)(int))argument;

	for (int look = 0; look < 2; look++) {
		for (int cpu = 1; cpu >= 0; cpu--) {
			assert_ok(pthread_mutex_lock(&lower));
			assert_ok(pthread_mutex_lock(&mutex));
			move(cpu);
			assert_int_equal(sched_getcpu(), cpu);
			if (look) {
				assert_int_equal(effective_priority(), 40);
				look_from_both(find_it_held);
			}
			assert_ok(pthread_mutex_unlock(&mutex));
			assert_int_equal(effective_priority(), 30);
			assert_ok(pthread_mutex_unlock(&lower));
			assert_int_equal(effective_priority(), 20);
			look_from_both(find_it_free);
		}
	}
}

static void by_itself(void **state)
{
	UNUSED(state);
	for (int i = 0; i < 2; i++)
		run_as(20, move_inside, (void *)&ways[i]);
}

static void pinned_and_let_loose(void *unused)
{
	UNUSED(unused);
	for (int i = 0; i < 20; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		pin(0, i % 2 ? 1 : ANY_CPU);
		assert_int_equal(effective_priority(), 40);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_int_equal(effective_priority(), 20);
	}
}

static void pinned_and_let_loose_inside(void **state)
{
	UNUSED(state);
	run_as(20, pinned_and_let_loose, NULL);
	look_from_both(find_it_free);
}

/* ---- By another thread ------------------------------------------------- */

static void wait_for_cpu(int cpu)
{
	while (sched_getcpu() != cpu)
		;
	++*seen;
}

/* The owner may be a thread of this process or of another. */
static void wait_for_owner(int state)
{
	while (*seen < state)
		sleep_ms(1);
}

static void move_there_and_back(int tid)
{
	wait_for_owner(1);
	pin(tid, 1);
	wait_for_owner(2);
	pin(tid, 0);
}

/* An owner that only checks on which CPU it is. */
static void be_moved(void *nested)
{
	if (nested != NULL)
		assert_ok(pthread_mutex_lock(&lower));
	assert_ok(pthread_mutex_lock(&mutex));
	++*seen;
	wait_for_cpu(1);
	wait_for_cpu(0);
	assert_ok(pthread_mutex_unlock(&mutex));
	if (nested != NULL)
		assert_ok(pthread_mutex_unlock(&lower));
	assert_int_equal(effective_priority(), 20);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* The mover, on CPU 1 or 0, has the highest priority. */
static void move_member(void *argument)
{
	const struct member *owner = argument;

	wait_for_owner(1);
	move_there_and_back(owner->tid);
}

static void by_another_thread(void **state)
{
	static char nested;
	struct member owner, mover;

	for (int cpu = 0; cpu < 2; cpu++) {
		for (int i = 0; i < 2; i++) {
			setup(state);
			start_on(&mover, cpu, 80, move_member, &owner);
			start(&owner, 20, be_moved, i ? &nested : NULL);
			join(&owner);
			join(&mover);
			assert_int_equal(*seen, 3);
			look_from_both(find_it_free);
		}
	}
}

/* Start a process that moves a thread by its TID. The process is ready on return. */
static pid_t start_mover(void (*body)(int tid), int tid)
{
	struct sched_param param = { .sched_priority = 80 };
	pid_t parent = getpid();
	int ready[2];
	pid_t child;
	char byte;

	assert_ok(pipe(ready));
	child = fork();
	assert_true(child >= 0);
	if (child > 0) {
		assert_int_equal(read(ready[0], &byte, 1), 1);
		return child;
	}
	plf_end_if_hung();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || sched_setscheduler(0, SCHED_FIFO, &param) != 0)
		_exit(1);
	pin(0, 1);
	if (write(ready[1], "", 1) == 1)
		body(tid);
	_exit(0);
}

/* The owner must exist before a child can know its TID, and main must not wait for the owner. */
static _Atomic bool go;

static void be_moved_on_go(void *nested)
{
	while (!go)
		sleep_ms(1);
	be_moved(nested);
}

static void by_another_process(void **state)
{
	static char nested;
	struct member owner;
	pid_t mover;

	for (int i = 0; i < 2; i++) {
		setup(state);
		go = false;
		start(&owner, 20, be_moved_on_go, i ? &nested : NULL);
		mover = start_mover(move_there_and_back, owner.tid);
		go = true;
		join(&owner);
		assert_int_equal(status_of(mover), 0);
		assert_int_equal(*seen, 3);
		look_from_both(find_it_free);
	}
}

/* ---- Many times -------------------------------------------------------- */

enum { MORE_THAN_ALL_PLACES = 1100 };

/* Only the kernel sees the call: no library can interpose this function. */
static void move_unnoticed(int cpu)
{
	cpu_set_t set;
	const long argument[6] = { 0, sizeof(set), (long)&set };

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	assert_true(plf_enter_kernel(SYS_sched_setaffinity, argument) >= 0);
}

/* The kernel does not know the ceiling, unless it must. */
static void ask_nothing(void *unused)
{
	UNUSED(unused);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	expect_perhaps_raised(40, 20);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void be_moved_often(void *unused)
{
	UNUSED(unused);
	for (int i = 0; i < MORE_THAN_ALL_PLACES; i++) {
		assert_ok(pthread_mutex_lock(&lower));
		assert_ok(pthread_mutex_lock(&mutex));
		move_unnoticed(1);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(pthread_mutex_unlock(&lower));
		move_unnoticed(0);
	}
	run_as(20, ask_nothing, NULL);
}

/* When a thread is moved away from its place, the place is not lost: a new thread gets a place. */
static void more_often_than_there_are_places(void **state)
{
	UNUSED(state);
	run_as(20, be_moved_often, NULL);
}

/* The owner ends its inner section on another CPU. No frame shows the outer section there. */
static void be_moved_and_end_the_inner(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&lower));
	assert_ok(pthread_mutex_lock(&mutex));
	move_unnoticed(1);
	assert_ok(pthread_mutex_unlock(&mutex));
	if (way_of_ceilings() != CLAIMED)
		assert_int_equal(kernel_priority(gettid()), 30);
	assert_ok(pthread_mutex_unlock(&lower));
	assert_int_equal(kernel_priority(gettid()), 20);
}

static void the_outer_section_is_at_its_ceiling_elsewhere(void **state)
{
	UNUSED(state);
	run_as(20, be_moved_and_end_the_inner, NULL);
}

/* ---- All of one CPU, then of the other ---------------------------------- */

enum { MANY = 600, FEW = 10 }; /* of 1,024 places; only frames need a place */

static struct member crowd[MANY];
static sem_t may_end;

static void use_and_stay(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&lower));
	assert_ok(pthread_mutex_unlock(&lower));
	assert_ok(sem_wait(&may_end));
}

/* Each thread has its own mutex, because the kernel may let it sleep inside while it looks. */
static void ask_nothing_and_stay(void *unused)
{
	pthread_mutex_t own;

	UNUSED(unused);
	make_mutex(&own, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&own));
	expect_perhaps_raised(40, 20);
	assert_ok(pthread_mutex_unlock(&own));
	assert_ok(sem_wait(&may_end));
}

/* Start threads that live at the same time. */
static void gather(int cpu, void (*body)(void *))
{
	int threads = way_of_ceilings() == FRAMED ? MANY : FEW;

	assert_ok(sem_init(&may_end, 0, 0));
	for (int i = 0; i < threads; i++)
		start_on(&crowd[i], cpu, 20, body, NULL);
	for (int i = 0; i < threads; i++)
		assert_ok(sem_post(&may_end));
	for (int i = 0; i < threads; i++)
		join(&crowd[i]);
}

static void vanish(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&lower));
	assert_ok(pthread_mutex_unlock(&lower));
	syscall(SYS_exit, 0);
}

/*
 * When all threads of a CPU have ended, the places serve the other CPU. A thread may end without
 * notice to the library.
 */
static void on_one_cpu_then_on_the_other(void **state)
{
	struct member member;

	UNUSED(state);
	gather(1, use_and_stay);
	start_on(&member, 1, 20, vanish, NULL);
	join(&member);
	gather(0, ask_nothing_and_stay);
}

/* ---- While it locks and unlocks ---------------------------------------- */

static void to_and_fro(int tid)
{
	for (int i = 0; i < 150; i++) {
		pin(tid, i % 2);
		usleep(100 + (unsigned)i);
	}
}

/* Two visitors are pinned to both CPUs; another process moves the third. */
static void moved_in_a_crowd(void **state)
{
	static const int cpus[] = { 0, 0, 1 };
	struct crowd crowd;
	struct visitor visitor[3];
	struct member member[3];
	pid_t mover;

	UNUSED(state);
	open_crowd(&crowd, PTHREAD_MUTEX_NORMAL);
	pin(0, 1); /* main must go on to end it */
	for (int i = 0; i < 3; i++) {
		visitor[i] = (struct visitor) { .crowd = &crowd, .seed = (uint32_t)i };
		start_on(&member[i], cpus[i], 20 + 5 * i, visit, &visitor[i]);
	}
	while (member[0].tid == 0)
		sleep_ms(1);
	assert_ok(pthread_setschedprio(pthread_self(), 90));
	mover = start_mover(to_and_fro, member[0].tid);
	assert_int_equal(status_of(mover), 0);
	crowd.over = true;
	for (int i = 0; i < 3; i++)
		join(&member[i]);
	assert_ok(pthread_setschedprio(pthread_self(), LOW));
	close_crowd(&crowd);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		move_test(by_itself),
		move_test(pinned_and_let_loose_inside),
		move_test(by_another_thread),
		move_test(by_another_process),
		move_test(moved_in_a_crowd),
		move_test(more_often_than_there_are_places),
		move_test(the_outer_section_is_at_its_ceiling_elsewhere),
		move_test(on_one_cpu_then_on_the_other),
	};

	return cmocka_run_group_tests_name("moves", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
