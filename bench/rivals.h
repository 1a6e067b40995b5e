/* SPDX-License-Identifier: MIT */
#ifndef BENCH_RIVALS_H
#define BENCH_RIVALS_H

/* The locks that are compared, each with lock() and unlock(), and semaphores for their threads. */
#include "realtime.h"

#include <plafond.hpp>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

namespace bench
{

/* The semaphore of POSIX. */
class PosixSemaphore
{
      public:
	PosixSemaphore()
	{
		sem_init(&sem_, 0, 0);
	}
	~PosixSemaphore()
	{
		sem_destroy(&sem_);
	}
	void post()
	{
		sem_post(&sem_);
	}
	void wait()
	{
		int error;

		do
			error = sem_wait(&sem_) == 0 ? 0 : errno;
		while (error == EINTR);
		require(error, "sem_wait");
	}

      private:
	sem_t sem_;
};

/* A semaphore whose wait carries the wake hook. */
class PlafondSemaphore
{
      public:
	PlafondSemaphore()
	{
		require(plf_sem_init(&sem_, 0), "plf_sem_init");
	}
	~PlafondSemaphore()
	{
		plf_sem_destroy(&sem_);
	}
	void post()
	{
		plf_sem_post(&sem_);
	}
	void wait()
	{
		int error;

		do
			error = plf_sem_wait(&sem_);
		while (error == EINTR);
		require(error, "plf_sem_wait");
	}

      private:
	plf_sem_t sem_;
};

/* No lock: the cost of the loop alone. */
class NoLock
{
      public:
	explicit NoLock(int)
	{
	}
	int lock()
	{
		return 0;
	}
	int unlock()
	{
		return 0;
	}
};

/*
 * The least that a lock without system calls can do. A store says that a section is open, and
 * another store that it is over. A load and a comparison check whether a thread was kept waiting.
 * It protects nothing.
 */
class Bound
{
      public:
	explicit Bound(int ceiling) : ceiling_(ceiling)
	{
	}

	int lock()
	{
		plf_store32(&open_, ceiling_);
		return 0;
	}

	int unlock()
	{
		plf_store32(&open_, 0);
		if (__builtin_expect(plf_load32(&wanted_) != 0, 0))
			std::abort();
		return 0;
	}

      private:
	uint32_t ceiling_;
	uint32_t open_ = 0;
	uint32_t wanted_ = 0;
};

class PlafondMutex
{
      public:
	~PlafondMutex()
	{
		require(plf_mutex_destroy(&mutex_), "plf_mutex_destroy");
	}
	int lock()
	{
		return plf_mutex_lock(&mutex_);
	}
	int unlock()
	{
		return plf_mutex_unlock(&mutex_);
	}

      protected:
	plf_mutex_t mutex_;
};

class Plafond : public PlafondMutex
{
      public:
	using Semaphore = PlafondSemaphore;

	explicit Plafond(int ceiling)
	{
		require(plf_mutex_init(&mutex_, ceiling), "plf_mutex_init");
	}
};

/* The same mutex through the C++ interface. */
class PlafondCpp
{
      public:
	explicit PlafondCpp(int ceiling) : mutex(ceiling)
	{
	}
	int lock()
	{
		mutex.lock();
		return 0;
	}
	int unlock()
	{
		mutex.unlock();
		return 0;
	}

	plafond::mutex mutex;
};

/* A mutex for threads of several CPUs. It has no ceiling, but is above all base priorities. */
class PlafondGlobal : public PlafondMutex
{
      public:
	explicit PlafondGlobal(int)
	{
		plf_mutex_init_global(&mutex_);
	}
};

/* The same for short sections: threads that find the mutex held spin. */
class PlafondGlobalSpin : public PlafondGlobal
{
      public:
	explicit PlafondGlobalSpin(int ceiling) : PlafondGlobal(ceiling)
	{
		require(plf_mutex_setspin(&mutex_, PLF_SPIN_MAX_NS), "plf_mutex_setspin");
	}
};

/* A ticket spinlock. A thread raises itself to the ceiling before it takes a ticket. */
class TicketSpinlock
{
      public:
	explicit TicketSpinlock(int ceiling) : ceiling_(ceiling)
	{
	}
	int lock()
	{
		int error = set_priority(ceiling_);
		uint32_t mine = next_.fetch_add(1, std::memory_order_relaxed);

		while (served_.load(std::memory_order_acquire) != mine)
			;
		return error;
	}
	int unlock()
	{
		served_.store(served_.load(std::memory_order_relaxed) + 1,
			      std::memory_order_release);
		return set_priority(HOLDER_PRIORITY);
	}

      private:
	static int set_priority(int priority)
	{
		sched_param param = {};

		param.sched_priority = priority;
		return sched_setparam(0, &param) ? errno : 0;
	}

	const int ceiling_;
	std::atomic<uint32_t> next_ = 0, served_ = 0;
};

template <int PROTOCOL> class Pthread
{
      public:
	using Semaphore = PosixSemaphore;

	explicit Pthread(int ceiling)
	{
		pthread_mutexattr_t attr;

		pthread_mutexattr_init(&attr);
		require(pthread_mutexattr_setprotocol(&attr, PROTOCOL), "setprotocol");
		if (PROTOCOL == PTHREAD_PRIO_PROTECT)
			require(pthread_mutexattr_setprioceiling(&attr, ceiling), "setprioceiling");
		require(pthread_mutex_init(&mutex_, &attr), "pthread_mutex_init");
		pthread_mutexattr_destroy(&attr);
	}
	~Pthread()
	{
		pthread_mutex_destroy(&mutex_);
	}
	int lock()
	{
		return pthread_mutex_lock(&mutex_);
	}
	int unlock()
	{
		return pthread_mutex_unlock(&mutex_);
	}

      private:
	pthread_mutex_t mutex_;
};

/* A row of the tables. */
template <class MUTEX> struct Rival {
	using Mutex = MUTEX;
	const char *name;
	Attachment attachment;
	long pairs; /* pairs of a repetition, which takes some milliseconds */
};

constexpr long MANY = 500000;
constexpr long FEW = 5000; /* for locks with system calls */

constexpr Attachment by_plafond(unsigned flags)
{
	return { flags, plf_attach, plf_detach };
}

constexpr Attachment BY_PTHREADS = { 0, nullptr, nullptr };
constexpr Attachment STRICT = by_plafond(PLF_BACKEND_USER | PLF_STRICT);
constexpr Attachment ROBUST = by_plafond(PLF_BACKEND_USER);
constexpr Attachment MODULE_STRICT = by_plafond(PLF_BACKEND_MODULE | PLF_STRICT);
constexpr Attachment MODULE_ROBUST = by_plafond(PLF_BACKEND_MODULE);
constexpr Attachment EAGER = by_plafond(PLF_BACKEND_SYSCALL);

using PthreadPlain = Pthread<PTHREAD_PRIO_NONE>;
using PthreadInherit = Pthread<PTHREAD_PRIO_INHERIT>;
using PthreadProtect = Pthread<PTHREAD_PRIO_PROTECT>;

constexpr Rival<NoLock> EMPTY_LOOP = { "empty-loop", BY_PTHREADS, MANY };
constexpr Rival<Bound> BOUND = { "bound", BY_PTHREADS, MANY };
constexpr Rival<Plafond> PLAFOND_STRICT = { "plafond-strict", STRICT, MANY };
constexpr Rival<Plafond> PLAFOND = { "plafond", ROBUST, MANY };
constexpr Rival<PlafondCpp> PLAFOND_CPP = { "plafond-cpp", ROBUST, MANY };
constexpr Rival<PlafondGlobal> PLAFOND_GLOBAL = { "plafond-global", ROBUST, MANY };
constexpr Rival<PlafondGlobalSpin> PLAFOND_GLOBAL_SPIN = { "plafond-global-spin", ROBUST, MANY };
constexpr Rival<TicketSpinlock> TICKET = { "ticket-spinlock", BY_PTHREADS, FEW };
constexpr Rival<Plafond> PLAFOND_MODULE_STRICT = { "plafond-module-strict", MODULE_STRICT, MANY };
constexpr Rival<Plafond> PLAFOND_MODULE = { "plafond-module", MODULE_ROBUST, MANY };
constexpr Rival<Plafond> PLAFOND_SYSCALL = { "plafond-syscall", EAGER, FEW };
constexpr Rival<PthreadPlain> NONE = { "none", BY_PTHREADS, MANY };
constexpr Rival<PthreadInherit> INHERIT = { "inherit", BY_PTHREADS, MANY };
constexpr Rival<PthreadProtect> PROTECT = { "protect", BY_PTHREADS, FEW };

} // namespace bench

#endif
