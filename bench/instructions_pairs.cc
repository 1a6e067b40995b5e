/* SPDX-License-Identifier: MIT */

/* The cost of sections without contention: one, and three nested. */
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

} // namespace

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
