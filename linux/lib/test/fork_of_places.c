/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The child of fork() and the memory that threads share. The survivor's sections go on in its name.
 * Nothing is left of threads and waiters that the child does not have.
 */
#include "../../core/arena.h"
#include "team.h"

#include <plafond/slow.h>

#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FORKER = 50, SLEEPER = 20, ABOVE = 70, WAITER = 30, CEILING = 60, TOP = 80 };

static plf_mutex_t held, deep, others, inner;
static plf_cond_t queue;
static sem_t ready, go;
static struct plf_thread *place; /* the parent's sleeper */

static int setup(void **state)
{
	assert_ok(sem_init(&ready, 0, 0));
	assert_ok(sem_init(&go, 0, 0));
	assert_ok(plf_mutex_init(&held, CEILING));
	assert_ok(plf_mutex_init(&deep, CEILING));
	assert_ok(plf_mutex_init(&others, TOP));
	assert_ok(plf_mutex_init(&inner, TOP));
	forget_notes();
	(void)state;
	return plf_attach(FORKER, 0, test_flags);
}

#define fork_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

/* The traces of waiters that look just before the child begins. */
static void leave_traces(struct plf_thread *t)
{
	for (size_t i = t->nested + 1; i < PLF_FRAMES; i++) {
		t->frame[i].gate.word = t->tid;
		t->frame[i].second.word = t->tid;
	}
	plf_slot_of(t)->visitors = 1;
	plf_slot_of(t)->queue = &queue;
}

static void take_back_traces(struct plf_thread *t)
{
	for (size_t i = t->nested + 1; i < PLF_FRAMES; i++)
		t->frame[i].gate.word = t->frame[i].second.word = 0;
	plf_slot_of(t)->visitors = 0;
	plf_slot_of(t)->queue = NULL;
}

static void find_no_traces(struct plf_thread *t)
{
	for (size_t i = t->nested + 1; i < PLF_FRAMES; i++) {
		assert_int_equal(t->frame[i].gate.word, 0);
		assert_int_equal(t->frame[i].second.word, 0);
	}
	assert_int_equal(plf_slot_of(t)->visitors, 0);
	assert_null(plf_slot_of(t)->queue);
}

static void sleep_in_two(void *unused)
{
	(void)unused;
	place = plf_self;
	assert_ok(plf_mutex_lock(&others));
	assert_ok(plf_mutex_lock(&inner));
	leave_traces(plf_self);
	assert_ok(sem_post(&ready));
	assert_ok(sem_wait(&go));
	take_back_traces(plf_self);
	assert_ok(plf_mutex_unlock(&inner));
	assert_ok(plf_mutex_unlock(&others));
}

static void wait_for_held(void *mutex)
{
	assert_ok(plf_mutex_lock(mutex));
	note('w');
	assert_ok(plf_mutex_unlock(mutex));
}

/* The place of a thread that the child does not have, without anything that was in it. */
static void inherit_place(void *unused)
{
	(void)unused;
	assert_ptr_equal(plf_self, place);
	find_no_traces(plf_self);
	assert_int_equal(plf_mutex_unlock(&inner), EPERM);
	assert_int_equal(plf_mutex_unlock(&others), EPERM);
	assert_ok(plf_detach()); /* no section is open */
	assert_ok(plf_attach(ABOVE, 0, test_flags));
	assert_int_equal(plf_mutex_lock(&others), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(&others));
	assert_int_equal(plf_mutex_lock(&inner), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(&inner));
	assert_ok(plf_mutex_unlock(&inner));
	assert_ok(plf_mutex_unlock(&others));
}

/* Two threads wait while the survivor sleeps in its sections, each for another section. */
static void go_on_with_own(void)
{
	struct member first, second, heir;

	assert_int_equal(plf_self->life.word, gettid());
	assert_true(has_robust_futexes(gettid()));
	assert_int_equal(kernel_priority(gettid()), on_classic_protocol() ? CEILING : FORKER);
	find_no_traces(plf_self);
	start(&heir, ABOVE, inherit_place, NULL);
	start(&first, WAITER, wait_for_held, &held);
	start(&second, WAITER, wait_for_held, &deep);
	sleep_ms(5);
	note('d');
	assert_ok(plf_mutex_unlock(&deep));
	sleep_ms(5);
	note('h');
	assert_ok(plf_mutex_unlock(&held));
	join(&first);
	join(&second);
	join(&heir);
	assert_string_equal(notes(), on_ceiling_stack() ? "dhww" : "dwhw");
	assert_string_equal(plf_backend(), on_ceiling_stack() ? "user" : "syscall");
}

/* Its frames lie above and below the frames of a thread that sleeps. */
static void sections_among_others_go_on(void **state)
{
	struct member sleeper;

	(void)state;
	assert_ok(plf_mutex_lock(&held));
	assert_ok(plf_mutex_lock(&deep));
	start(&sleeper, ABOVE, sleep_in_two, NULL);
	assert_ok(sem_wait(&ready));
	leave_traces(plf_self);
	assert_ok(in_child(go_on_with_own));
	take_back_traces(plf_self);
	assert_ok(sem_post(&go));
	join(&sleeper);
	assert_ok(plf_mutex_unlock(&deep));
	assert_ok(plf_mutex_unlock(&held));
}

static void die_inside(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&others));
	vanish();
}

static void attach_and_end(void *unused)
{
	(void)unused;
}

/* Threads that vanished before do not count as attached in the child, nor as gone a second time. */
static void count_anew(void)
{
	const char *backend = plf_backend();
	struct member member;

	for (int i = 0; i < 2; i++) {
		start(&member, ABOVE, attach_and_end, NULL);
		join(&member);
		assert_string_equal(plf_backend(), backend);
		assert_ok(plf_mutex_init(&others, TOP));
		start(&member, ABOVE, die_inside, NULL);
		join(&member);
	}
	start(&member, ABOVE, attach_and_end, NULL);
	join(&member);
	assert_string_equal(plf_backend(), backend);
	assert_ok(plf_detach());
	start(&member, ABOVE, attach_and_end, NULL);
	join(&member);
	assert_string_equal(plf_backend(), "none");
}

static void the_dead_are_forgotten(void **state)
{
	struct member victim;

	(void)state;
	start(&victim, ABOVE, die_inside, NULL);
	join(&victim);
	assert_ok(in_child(count_anew));
	start(&victim, ABOVE, attach_and_end, NULL); /* the dead thread is found */
	join(&victim);
	assert_ok(in_child(count_anew));
}

static void sleep_inside(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&others));
	assert_ok(sem_post(&ready));
	assert_ok(sem_wait(&go));
	assert_ok(plf_mutex_unlock(&others));
}

static void sleep_outside(void *unused)
{
	(void)unused;
	assert_ok(sem_post(&ready));
	assert_ok(sem_wait(&go));
}

static void use_strictly(void *unused)
{
	(void)unused;
	assert_ok(plf_attach(ABOVE, 1, PLF_BACKEND_USER | PLF_STRICT));
	assert_int_equal(plf_mutex_lock(&others), 0);
	assert_ok(plf_mutex_unlock(&others));
}

/* No section covers this thread, so it removes no dead frame. */
static void look_from_above(void *unused)
{
	(void)unused;
	assert_ok(plf_attach(TOP + 1, 1, PLF_BACKEND_USER | PLF_STRICT));
	assert_int_equal(*plf_self->top, 0);
}

/* The other CPU has no threads in the child, so its stack is empty, and may have any strength. */
static void use_the_other_cpu(void)
{
	struct member member;

	lock_memory();
	assert_ok(plf_mutex_init(&others, TOP));
	start_stranger(&member, TOP + 1, look_from_above, NULL);
	join(&member);
	start_stranger(&member, ABOVE, use_strictly, NULL);
	join(&member);
}

static void other_cpus_stack_is_empty(void **state)
{
	void (*const bodies[])(void *) = { sleep_inside, sleep_outside, die_inside };

	(void)state;
	if (!on_ceiling_stack())
		return;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		struct member away, finder;

		assert_ok(plf_mutex_init(&others, TOP));
		start_on(&away, 1, ABOVE, bodies[i], NULL);
		if (bodies[i] == die_inside) {
			join(&away);
			start(&finder, ABOVE, attach_and_end, NULL); /* it finds the death */
			join(&finder);
		} else {
			assert_ok(sem_wait(&ready));
		}
		assert_ok(in_child(use_the_other_cpu));
		if (bodies[i] != die_inside) {
			assert_ok(sem_post(&go));
			join(&away);
		}
	}
}

/* ---- The registry, while fork() copies ---------------------------------- */

static bool is_watched; /* observe the next fork() */
static struct member comer, latecomer, leaver, asker;
static __thread bool is_late;

static void come(void *unused)
{
	(void)unused;
	assert_ok(plf_attach(ABOVE, 0, test_flags));
	note('a');
	assert_ok(plf_detach());
}

/* The library calls this after its choice of a backend and before its claim of a place. */
int sched_getscheduler(pid_t tid)
{
	if (is_late)
		assert_ok(sem_wait(&go));
	is_late = false;
	return (int)syscall(SYS_sched_getscheduler, tid);
}

static void come_late(void *unused)
{
	is_late = true;
	come(unused);
}

static void go_on_call(void *unused)
{
	(void)unused;
	place = plf_self;
	assert_ok(sem_wait(&go));
	assert_ok(plf_detach());
	note('d');
}

static void ask(void *unused)
{
	(void)unused;
	assert_string_not_equal(plf_backend(), "none");
	note('b');
}

/*
 * More urgent threads attach, detach and ask for the backend. None of them gets the registry until
 * the copy is made.
 */
static void during_fork(void)
{
	if (!is_watched)
		return;
	start_stranger(&comer, ABOVE, come, NULL);
	start_stranger(&asker, ABOVE, ask, NULL);
	assert_ok(sem_post(&go));
	assert_ok(sem_post(&go));
	assert_int_equal(plf_slot_of(place)->used, 1);
	assert_false(has_robust_futexes(leaver.tid));
}

static void after_fork(void)
{
	if (is_watched)
		note('f');
	is_watched = false;
}

static void do_nothing(void)
{
}

static void registry_stands_still_for_fork(void **state)
{
	(void)state;
	start(&leaver, ABOVE, go_on_call, NULL);
	start_stranger(&latecomer, ABOVE, come_late, NULL);
	is_watched = true;
	assert_ok(in_child(do_nothing));
	join(&comer);
	join(&latecomer);
	join(&asker);
	join(&leaver);
	assert_int_equal(notes()[0], 'f');
	assert_int_equal(strlen(notes()), 5);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		fork_test(sections_among_others_go_on),
		fork_test(the_dead_are_forgotten),
		fork_test(other_cpus_stack_is_empty),
		fork_test(registry_stands_still_for_fork),
	};

	/*
	 * Registered before the library's handlers, so that the library has the registry when these
	 * run.
	 */
	assert_ok(pthread_atfork(during_fork, after_fork, NULL));
	return cmocka_run_group_tests_name("fork of places", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
