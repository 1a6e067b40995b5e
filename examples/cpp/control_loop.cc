/* SPDX-License-Identifier: MIT */
/*
 * A control loop and a logger share the state of a machine. The loop and a receiver share its
 * setpoint. A vision thread of a priority between them shares nothing, but needs the CPU for long.
 *
 * The same four threads run with three kinds of mutexes: std::mutex, a mutex with
 * PTHREAD_PRIO_INHERIT, and plafond::mutex. The program prints the longest response of the control
 * loop, and how many responses were longer than its deadline.
 *
 * c++ -std=c++17 control_loop.cc $(pkg-config --cflags --libs plafond) -pthread
 */
#include <plafond.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <future>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <thread>

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using time_point = std::chrono::steady_clock::time_point;

namespace
{

enum { CPU = 0, CONTROL = 40, VISION = 30, RECEIVER = 20, LOGGER = 10 };

/* The other threads drift past the control loop, so it meets each of their steps. */
constexpr nanoseconds CONTROL_PERIOD = 5ms, OTHERS_PERIOD = 4 * CONTROL_PERIOD + 100us;
constexpr nanoseconds SECTION = 1ms, IMAGE = 8ms, DEADLINE = 3 * SECTION / 2;

/* ---- Before: the standard library and pthreads --------------------------- */

void require(int error, const char *what)
{
	if (error != 0)
		throw std::system_error(error, std::generic_category(), what);
}

/* std::mutex has no protocol, so this class wraps a pthread mutex with inheritance. */
class inherit_mutex
{
      public:
	inherit_mutex()
	{
		pthread_mutexattr_t attributes;

		pthread_mutexattr_init(&attributes);
		pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
		pthread_mutex_init(&mutex_, &attributes);
		pthread_mutexattr_destroy(&attributes);
	}
	~inherit_mutex()
	{
		pthread_mutex_destroy(&mutex_);
	}
	void lock()
	{
		require(pthread_mutex_lock(&mutex_), "pthread_mutex_lock");
	}
	void unlock()
	{
		pthread_mutex_unlock(&mutex_);
	}

      private:
	pthread_mutex_t mutex_;
};

template <class Mutex> struct before {
	using mutex = Mutex;

	struct real_time {
		explicit real_time(int priority)
		{
			const sched_param param = { priority };
			cpu_set_t cpus;

			CPU_ZERO(&cpus);
			CPU_SET(CPU, &cpus);
			require(pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus), "CPU");
			require(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param),
				"SCHED_FIFO");
		}
	};

	static mutex new_mutex()
	{
		return mutex();
	}

	static void sleep_until(time_point time)
	{
		std::this_thread::sleep_until(time);
	}
};

/* ---- After: a ceiling, and sleeps with the wake hook --------------------- */

struct after {
	using mutex = plafond::mutex;

	struct real_time : plafond::attachment {
		explicit real_time(int priority) : attachment(priority, CPU)
		{
		}
	};

	static mutex new_mutex()
	{
		return mutex(CONTROL); /* the most urgent of its users */
	}

	static void sleep_until(time_point time)
	{
		plafond::sleep_until(time);
	}
};

/* ---- The program, the same for all mutexes ------------------------------ */

/* Use this much processor time. */
void work(nanoseconds time)
{
	const auto used = [] {
		timespec now;

		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
	};
	const nanoseconds end = used() + time;

	while (used() < end)
		;
}

/* Start a thread that calls body(release) at each of its releases. */
template <class Locks, class Body>
std::future<void> start(int priority, time_point first, nanoseconds period, int releases, Body body)
{
	return std::async(std::launch::async, [=] {
		typename Locks::real_time place(priority);

		for (int i = 0; i < releases; i++) {
			Locks::sleep_until(first + i * period);
			body(first + i * period);
		}
	});
}

template <class Locks> void run(const char *name, int rounds)
{
	typename Locks::mutex setpoint_lock = Locks::new_mutex(), state_lock = Locks::new_mutex();
	int setpoint = 0, state = 0, logged = 0, late = 0;
	nanoseconds worst {};
	const auto control = [&](time_point release) {
		{
			std::lock_guard guard(setpoint_lock);

			state += setpoint;
		}
		{
			std::lock_guard guard(state_lock);

			state /= 2;
		}
		const auto response = std::chrono::steady_clock::now() - release;

		worst = std::max(worst, response);
		late += response > DEADLINE;
	};
	const auto see = [](time_point) { work(IMAGE); };
	const auto receive = [&](time_point) {
		std::lock_guard guard(setpoint_lock);

		work(SECTION); /* parses a message */
		setpoint++;
	};
	const auto log = [&](time_point) {
		std::lock_guard guard(state_lock);

		work(SECTION); /* formats a line */
		logged += state;
	};
	const time_point begin = std::chrono::steady_clock::now() + 10ms;
	std::future<void> threads[] = {
		start<Locks>(LOGGER, begin, OTHERS_PERIOD, rounds, log),
		start<Locks>(RECEIVER, begin + SECTION / 4, OTHERS_PERIOD, rounds, receive),
		start<Locks>(VISION, begin + SECTION / 2, OTHERS_PERIOD, rounds, see),
		start<Locks>(CONTROL, begin + 3 * SECTION / 2, CONTROL_PERIOD, 4 * rounds, control),
	};

	for (std::future<void> &thread : threads)
		thread.get();
	std::printf("%-22s%8.3f ms%8d of %d\n", name,
		    std::chrono::duration<double, std::milli>(worst).count(), late, 4 * rounds);
}

} // namespace

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
	const rlimit longest = { 1000000, 2000000 }; /* us without a sleep: no thread keeps a CPU */

	setrlimit(RLIMIT_RTTIME, &longest);
	try {
		before<std::mutex>::real_time starter(CONTROL + 1); /* so they start in time */

		std::printf("%-22s%11s%12s\n", "mutex", "worst", "late");
		run<before<std::mutex>>("std::mutex", rounds);
		run<before<inherit_mutex>>("PTHREAD_PRIO_INHERIT", rounds);
		run<after>("plafond::mutex", rounds);
	} catch (const std::exception &error) {
		std::fprintf(stderr, "control_loop: %s\n", error.what());
		return 1;
	}
	return 0;
}
