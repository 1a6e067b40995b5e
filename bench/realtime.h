/* SPDX-License-Identifier: MIT */
#ifndef BENCH_REALTIME_H
#define BENCH_REALTIME_H

/* The state of measured threads: on one CPU, SCHED_FIFO, memory locked, lifetime bounded. */
#include <functional>
#include <pthread.h>

namespace bench
{

enum {
	HOLDER_PRIORITY = 10,
	ARRIVAL_PRIORITY = 20,
	CEILING = 30,
	TRACER_PRIORITY = 70, /* above all traced threads, also across CPUs (PLF_GLOBAL_BAND) */
};

/* Exit codes of the program besides 0. */
enum {
	EXIT_FAILED = 1,
	EXIT_DENIED = 2,
};

/* If `error`, an errno value, is not 0, exit with a message of a line. */
void require(int error, const char *what);

/*
 * Pin the process to a CPU, lock its memory, and check that it may use SCHED_FIFO. Exits on
 * failure.
 */
void enter_real_time();

/* The CPU to which enter_real_time() pinned the process. */
int measured_cpu();

/* Another CPU that the process may use; exits if there is none. */
int other_cpu();
bool has_other_cpu();

/*
 * While this object lives, the calling thread may use all CPUs that the process was started with.
 */
class Unpinned
{
      public:
	Unpinned();
	~Unpinned();
	Unpinned(const Unpinned &) = delete;
};

/* Pin the calling thread to a CPU. */
void pin(int cpu);

/*
 * Kill the process when its parent dies, and after two minutes in any case. Kill it after ten
 * seconds if a real-time thread of it does not sleep meanwhile.
 */
void bound_lifetime();

/*
 * The way in which a thread gets its priority: by pthreads alone, or also by a library that then
 * manages the thread.
 */
struct Attachment {
	unsigned flags; /* parameter of attach() */
	int (*attach)(int priority, int cpu, unsigned flags);
	int (*detach)();
};

/* While this object lives, the calling thread is a SCHED_FIFO thread, pinned to that CPU. */
class RealTime
{
      public:
	RealTime(const Attachment &attachment, int priority, int cpu = measured_cpu());
	~RealTime();
	RealTime(const RealTime &) = delete;

      private:
	const Attachment attachment_;
};

/* A thread with a small stack, because all memory is locked and there may be many threads. */
class Thread
{
      public:
	explicit Thread(std::function<void()> body);
	~Thread();
	Thread(const Thread &) = delete;

      private:
	std::function<void()> body_;
	pthread_t thread_;
};

} // namespace bench

#endif
