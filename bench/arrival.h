/* SPDX-License-Identifier: MIT */
#ifndef BENCH_ARRIVAL_H
#define BENCH_ARRIVAL_H

/* A thread that arrives in a section: it sleeps, and when woken it may use the lock. */
#include "realtime.h"
#include "rivals.h"

#include <sys/types.h>
#include <unistd.h>

namespace bench
{

template <class Mutex, class Semaphore> class Arrival
{
      public:
	Arrival(const Attachment &attachment, int priority, Mutex &mutex, bool uses_lock)
	    : mutex_(mutex), uses_lock_(uses_lock),
	      thread_([this, attachment, priority] { live(attachment, priority); })
	{
		ready_.wait();
	}
	~Arrival()
	{
		over_ = true;
		wake();
	}
	void wake()
	{
		wake_.post();
	}
	pid_t tid() const
	{
		return tid_;
	}
	/* Number of times that the thread began its work. */
	long turns() const
	{
		return turns_;
	}

      private:
	void live(const Attachment &attachment, int priority)
	{
		RealTime real_time(attachment, priority);

		tid_ = gettid();
		ready_.post();
		for (;;) {
			wake_.wait();
			if (over_)
				return;
			turns_ = turns_ + 1;
			if (uses_lock_)
				use_lock();
		}
	}

	void use_lock()
	{
		require(mutex_.lock(), "lock of the arrival");
		plf_barrier();
		require(mutex_.unlock(), "unlock of the arrival");
	}

	Mutex &mutex_;
	bool uses_lock_;
	volatile bool over_ = false;
	volatile long turns_ = 0;
	pid_t tid_ = 0;
	PosixSemaphore ready_;
	Semaphore wake_;
	Thread thread_;
};

} // namespace bench

#endif
