/* SPDX-License-Identifier: MIT */

/* The cost of sections without contention: a single section, and three nested. */
#include "count_round.h"
#include "instructions.h"
#include "pair.h"
#include "realtime.h"
#include "rivals.h"

#include <initializer_list>
#include <iterator>

namespace bench
{

namespace
{

/* Ceilings rise inwards, so that every level counts. */
template <class Mutex> struct Nest {
	Mutex &outer, &middle, &inner;

	void operator()()
	{
		outer.lock();
		middle.lock();
		inner.lock();
		plf_barrier();
		inner.unlock();
		middle.unlock();
		outer.unlock();
	}
};

template <class Round> void add(const char *lock, const char *scene, Round round)
{
	add_figure({ "pair", lock, scene, count_round(round, count_empty_round()) });
}

/* As try_out(). */
template <class Mutex> void try_out_nested(std::initializer_list<Mutex *> mutexes)
{
	for (Mutex *mutex : mutexes)
		require(mutex->lock(), "lock");
	for (auto last = std::rbegin(mutexes); last != std::rend(mutexes); ++last)
		require((*last)->unlock(), "unlock");
}

template <class Mutex> void add_lock(const Rival<Mutex> &rival)
{
	RealTime real_time(rival.attachment, HOLDER_PRIORITY);
	Mutex outer(CEILING), middle(CEILING + 1), inner(CEILING + 2);

	try_out_nested<Mutex>({ &outer, &middle, &inner });
	add(rival.name, "flat", Pair<Mutex> { outer });
	add(rival.name, "nested", Nest<Mutex> { outer, middle, inner });
}

template <class Mutex> void add_drop_in(const char *lock, Mutex &mutex)
{
	try_out(mutex);
	add_figure({ "drop-in", lock, "flat",
		     count_round(Pair<Mutex> { mutex }, count_empty_round()) });
}

/* If a thread that cannot be lazy locks a mutex first, it is shared, as if two CPUs used it. */
void share(PthreadProtect &mutex)
{
	sched_param param = {};
	int policy;

	require(pthread_getschedparam(pthread_self(), &policy, &param), "pthread_getschedparam");
	require(pthread_setschedparam(pthread_self(), SCHED_RR, &param), "SCHED_RR");
	try_out(mutex);
	require(pthread_setschedparam(pthread_self(), policy, &param), "SCHED_FIFO");
}

} // namespace

void add_drop_in_pairs()
{
	RealTime real_time(BY_PTHREADS, HOLDER_PRIORITY);
	PthreadPlain plain(CEILING);
	PthreadInherit inherit(CEILING);
	PthreadProtect local(CEILING), shared(CEILING);

	share(shared);
	add_drop_in("none", plain);
	add_drop_in("inherit", inherit);
	add_drop_in("protect", local);
	add_drop_in("protect-shared", shared);
}

void add_pairs(Locks locks)
{
	if (locks == Locks::MODULE) {
		add_lock(PLAFOND_MODULE_STRICT);
		add_lock(PLAFOND_MODULE);
		return;
	}
	add_lock(PLAFOND_STRICT);
	add_lock(PLAFOND);
	add_lock(PLAFOND_SYSCALL);
	add_lock(NONE);
	add_lock(INHERIT);
	add_lock(PROTECT);
}

} // namespace bench
