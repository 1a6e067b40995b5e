/* SPDX-License-Identifier: MIT */
#ifndef PLAFOND_HPP
#define PLAFOND_HPP

/*
 * libplafond for C++17: the mutexes, waits and threads of plafond.h, in the forms of the standard
 * library. What a mutex promises, and to which threads, is said there. Nothing is added to the
 * price: a pair of std::lock_guard executes the instructions of plf_mutex_lock() and
 * plf_mutex_unlock().
 *
 * Errors are exceptions: std::system_error with error_category(). Each compares with the std::errc
 * of its errno value, and its words are those of plf_strerror().
 *
 * What cannot be reported ends the program. An unlock() that is refused leaves the mutex locked,
 * and a lock guard could not say so: std::terminate() is called, with the error as the exception in
 * flight, which the terminate handler of the C++ library prints.
 *
 * Sections nest, last in, first out. For several mutexes there is plafond::scoped_lock:
 * std::scoped_lock unlocks first in, first out, and does not compile for them. std::lock() does,
 * but locks in an order that its caller cannot know; so do not use it here.
 */
#if __cplusplus < 201703L
#error "plafond.hpp needs C++17 or later: compile with -std=c++17"
#endif
#if !__has_include(<plafond.h>)
#error "plafond.hpp found no plafond.h: install libplafond, and compile with its include folder"
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast" /* it is a header for C, too */
#include <plafond.h>
#pragma GCC diagnostic pop

#if PLF_VERSION_MAJOR != 0 || PLF_VERSION_MINOR != 1
#error "plafond.hpp 0.1 found a plafond.h of another version: install both from one libplafond"
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable> /* std::cv_status */
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace plafond
{

/* ---- Errors and times -------------------------------------------------- */

namespace detail
{

class category final : public std::error_category
{
      public:
	const char *name() const noexcept override
	{
		return "plafond";
	}

	std::string message(int error) const override
	{
		return plf_strerror(error);
	}

	std::error_condition default_error_condition(int error) const noexcept override
	{
		return std::error_condition(error, std::generic_category());
	}
};

} // namespace detail

/* Of the errno values that plafond.h returns. */
inline const std::error_category &error_category() noexcept
{
	static const detail::category instance;

	return instance;
}

/* All of libplafond's times are of CLOCK_MONOTONIC, which this clock reads, in nanoseconds. */
using clock = std::chrono::steady_clock;
using time_point = clock::time_point;
using duration = std::chrono::nanoseconds;
static_assert(std::is_same_v<clock::duration, duration>);

namespace detail
{

/* Apart and cold, so that a call which succeeds carries nothing of it. */
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_error(int error, const char *what)
{
	throw std::system_error(error, error_category(), what);
}

inline void require(int error, const char *what)
{
	if (error != 0)
		throw_error(error, what);
}

/* For destructors, and what they call: no exception leaves it, so an error terminates. */
inline void require_or_terminate(int error, const char *what) noexcept
{
	require(error, what);
}

/* Times before the clock's start are over, as its start is. */
inline std::uint64_t ns_of(time_point time)
{
	const auto ns = time.time_since_epoch().count();

	return ns > 0 ? static_cast<std::uint64_t>(ns) : 0;
}

/* That long from now; the end of time if it is later. */
inline time_point after(duration time)
{
	const time_point now = clock::now();

	return time < time_point::max() - now ? now + time : time_point::max();
}

/* A signal handler ends no wait, as in the standard library. */
template <class Wait> int uninterrupted(Wait wait)
{
	int error;

	do
		error = wait();
	while (error == EINTR);
	return error;
}

} // namespace detail

/* ---- Threads ----------------------------------------------------------- */

/*
 * While it lives, the calling thread is attached: plf_attach(), with its errors, to plf_detach().
 * It belongs to its thread's stack. A thread that ends it inside a section, or ends another
 * thread's, terminates the program.
 */
class attachment
{
      public:
	[[nodiscard]] attachment(int priority, int cpu, unsigned flags = PLF_ROBUST)
	{
		detail::require(plf_attach(priority, cpu, flags), "plafond::attachment");
	}

	~attachment()
	{
		detail::require_or_terminate(
			plf_detach(),
			"plafond::~attachment (by its own thread, with no section open)");
	}

	attachment(const attachment &) = delete;
	attachment &operator=(const attachment &) = delete;
};

/* ---- Mutexes ----------------------------------------------------------- */

/* Chooses the mutex for threads of several CPUs. */
struct global_t {
	explicit global_t() = default;
};
inline constexpr global_t global {};

/*
 * TimedLockable: for std::lock_guard and std::unique_lock, also in place of std::timed_mutex. A
 * static one needs no code at start-up, and none at exit. As with std::mutex, no thread holds it at
 * its end.
 */
class mutex
{
      public:
	using native_handle_type = plf_mutex_t *;

	/* `ceiling`: the highest priority of its users, 1 to 99. Errors: EINVAL. */
	explicit constexpr mutex(int ceiling) : mutex_ PLF_MUTEX_INITIALIZER(checked(ceiling))
	{
	}

	/* As plf_mutex_init_global(). No condition variable waits with it. */
	explicit constexpr mutex(global_t) noexcept : mutex_ PLF_MUTEX_GLOBAL_INITIALIZER
	{
	}

	mutex(const mutex &) = delete;
	mutex &operator=(const mutex &) = delete;

	/*
	 * Errors: those of plf_mutex_lock(), and the mutex is not locked then. So after owner_dead
	 * it is unlocked, unrepaired: state_not_recoverable for all that lock it from now on.
	 */
	void lock()
	{
		const int error = plf_mutex_lock(&mutex_);

		if (error != 0)
			refuse(error, "plafond::mutex::lock");
	}

	/*
	 * As lock(); and where the last owner died inside, call `repair` in the section, to mend
	 * what the mutex protects, and go on. If `repair` throws, it is as if lock() had found the
	 * death.
	 */
	template <class Repair> void lock(Repair &&repair)
	{
		const int error = plf_mutex_lock(&mutex_);

		if (error == EOWNERDEAD)
			mend(std::forward<Repair>(repair));
		else if (error != 0)
			refuse(error, "plafond::mutex::lock");
	}

	/* False where lock() would sleep. Errors: as lock(). */
	[[nodiscard]] bool try_lock()
	{
		const int error = plf_mutex_trylock(&mutex_);

		if (error != 0 && error != EBUSY)
			refuse(error, "plafond::mutex::try_lock");
		return error == 0;
	}

	/* False: lock() would sleep at that time still. Errors: as lock(). */
	[[nodiscard]] bool try_lock_until(time_point time)
	{
		const int error = plf_mutex_timedlock(&mutex_, detail::ns_of(time));

		if (error != 0 && error != ETIMEDOUT)
			refuse(error, "plafond::mutex::try_lock_until");
		return error == 0;
	}

	[[nodiscard]] bool try_lock_for(duration time)
	{
		return try_lock_until(detail::after(time));
	}

	/* Terminates the program where plf_mutex_unlock() is refused: see above. */
	void unlock() noexcept
	{
		detail::require_or_terminate(plf_mutex_unlock(&mutex_),
					     "plafond::mutex::unlock (last in, first out; of "
					     "several: plafond::scoped_lock)");
	}

	/* After a wait that threw owner_dead: the data are repaired. */
	void consistent()
	{
		detail::require(plf_mutex_consistent(&mutex_), "plafond::mutex::consistent");
	}

	/* Errors: EINVAL of a global one, which has none. */
	int ceiling() const
	{
		int ceiling = 0;

		detail::require(plf_mutex_getceiling(&mutex_, &ceiling), "plafond::mutex::ceiling");
		return ceiling;
	}

	/* For the functions of plafond.h. */
	native_handle_type native_handle() noexcept
	{
		return &mutex_;
	}

      protected:
	/* For recursive_mutex. */
	explicit constexpr mutex(const plf_mutex_t &initial) noexcept : mutex_(initial)
	{
	}

	static constexpr int checked(int ceiling)
	{
		if (ceiling < 1 || ceiling > PLF_PRIORITY_MAX)
			detail::throw_error(EINVAL, "plafond::mutex (the ceiling is from 1 to 99)");
		return ceiling;
	}

      private:
	friend class condition_variable;

	/* A lock() that throws must not leave the mutex locked: no guard would unlock it. */
	[[noreturn, gnu::cold, gnu::noinline]] void refuse(int error, const char *what)
	{
		if (error == EOWNERDEAD)
			unlock();
		detail::throw_error(error, what);
	}

	template <class Repair> [[gnu::cold, gnu::noinline]] void mend(Repair &&repair)
	{
		std::unique_lock<mutex> held(*this, std::adopt_lock);

		std::forward<Repair>(repair)();
		consistent();
		held.release();
	}

	/* Does the calling thread hold it? The word names the holder's frame. */
	bool is_held() const noexcept
	{
		return plf_is_own(plf_self, plf_load64(plf_load32(&mutex_.bound) == UINT32_MAX
							       ? &mutex_.holder
							       : &mutex_.word));
	}

	plf_mutex_t mutex_;
};

/*
 * In place of std::recursive_mutex and std::recursive_timed_mutex: its holder may lock it again,
 * and unlocks it as often. No condition variable waits with it.
 *
 * Errors of lock(): where another holder died inside, `owner_dead`, as of mutex; of a lock by the
 * holder resource_unavailable_try_again after PLF_MUTEX_LOCKS_MAX.
 */
class recursive_mutex : public mutex
{
      public:
	/* As those of mutex. */
	explicit constexpr recursive_mutex(int ceiling)
	    : mutex(plf_mutex_t PLF_MUTEX_RECURSIVE_INITIALIZER(checked(ceiling)))
	{
	}

	explicit constexpr recursive_mutex(global_t) noexcept : mutex(of_all_cpus())
	{
	}

      private:
	static constexpr plf_mutex_t of_all_cpus() noexcept
	{
		plf_mutex_t initial PLF_MUTEX_GLOBAL_INITIALIZER;

		initial.recursive = 1;
		return initial;
	}
};

/*
 * One section of several mutexes. It locks them in the order of their addresses, so that no two of
 * these wait for each other in any backend, and unlocks them last in, first out. All are of one
 * CPU: a global mutex in another section gives EDEADLK (see plf_mutex_lock()).
 */
template <std::size_t Count> class scoped_lock
{
      public:
	template <class... Mutexes>
	[[nodiscard]] explicit scoped_lock(Mutexes &...mutexes)
	    : locks_ { std::unique_lock<mutex>(mutexes, std::defer_lock)... }
	{
		std::sort(locks_.begin(), locks_.end(), [](const auto &one, const auto &other) {
			return std::less<>()(one.mutex(), other.mutex());
		});
		for (auto &lock : locks_)
			lock.lock();
	}

	scoped_lock(const scoped_lock &) = delete;
	scoped_lock &operator=(const scoped_lock &) = delete;

      private:
	std::array<std::unique_lock<mutex>, Count> locks_; /* the last is destroyed first */
};

template <class... Mutexes> scoped_lock(Mutexes &...) -> scoped_lock<sizeof...(Mutexes)>;

/* ---- Waits, all with the wake hook ------------------------------------ */

/* As std::this_thread::sleep_until(). Errors: those of plf_sleep_until() but EINTR. */
inline void sleep_until(time_point time)
{
	detail::require(detail::uninterrupted([=] { return plf_sleep_until(detail::ns_of(time)); }),
			"plafond::sleep_until");
}

/*
 * The releases of a periodic thread, the first at a time, or one period from now. Errors: EINVAL of
 * a period that is not above 0; of wait() those of plf_periodic_wait() but EINTR.
 */
class periodic
{
      public:
	explicit periodic(duration period) : periodic(detail::after(period), period)
	{
	}

	periodic(time_point first, duration period)
	{
		const auto ns = period > duration::zero() ? period.count() : 0;

		detail::require(plf_periodic_init(&periodic_, detail::ns_of(first),
						  static_cast<std::uint64_t>(ns)),
				"plafond::periodic (the period is above 0)");
	}

	/* Sleep until the next release. Releases that went by meanwhile are missed, and skipped. */
	void wait()
	{
		detail::require(
			detail::uninterrupted([this] { return plf_periodic_wait(&periodic_); }),
			"plafond::periodic::wait");
	}

	std::uint64_t missed() const noexcept
	{
		return periodic_.missed;
	}

      private:
	plf_periodic periodic_ {};
};

/*
 * As std::condition_variable, for std::unique_lock<plafond::mutex> and times of plafond::clock. A
 * signal goes to the waiter of the highest priority.
 *
 * Errors of a wait: those of plf_cond_wait(). The lock says truly whether the mutex is locked then:
 * owns_lock() is false where the thread could not lock it again, as after EXDEV. After owner_dead
 * it is locked: repair the data, then call consistent(), or unlock it, and it is not recoverable.
 */
class condition_variable
{
      public:
	using native_handle_type = plf_cond_t *;

	constexpr condition_variable() noexcept : cond_ PLF_COND_INITIALIZER
	{
	}

	/* Terminates the program if a thread waits, as that one will use the memory. */
	~condition_variable()
	{
		detail::require_or_terminate(plf_cond_destroy(&cond_),
					     "plafond::~condition_variable (no thread may wait)");
	}

	condition_variable(const condition_variable &) = delete;
	condition_variable &operator=(const condition_variable &) = delete;

	/* Errors: those of plf_cond_signal(). */
	void notify_one()
	{
		detail::require(plf_cond_signal(&cond_), "plafond::condition_variable::notify_one");
	}

	void notify_all()
	{
		detail::require(plf_cond_broadcast(&cond_),
				"plafond::condition_variable::notify_all");
	}

	void wait(std::unique_lock<mutex> &lock)
	{
		settle(lock, plf_cond_wait(&cond_, held_by(lock)));
	}

	template <class Predicate> void wait(std::unique_lock<mutex> &lock, Predicate predicate)
	{
		while (!predicate())
			wait(lock);
	}

	std::cv_status wait_until(std::unique_lock<mutex> &lock, time_point time)
	{
		const int error = plf_cond_timedwait(&cond_, held_by(lock), detail::ns_of(time));

		if (error == ETIMEDOUT)
			return std::cv_status::timeout;
		settle(lock, error);
		return std::cv_status::no_timeout;
	}

	template <class Predicate>
	bool wait_until(std::unique_lock<mutex> &lock, time_point time, Predicate predicate)
	{
		while (!predicate())
			if (wait_until(lock, time) == std::cv_status::timeout)
				return predicate();
		return true;
	}

	std::cv_status wait_for(std::unique_lock<mutex> &lock, duration time)
	{
		return wait_until(lock, detail::after(time));
	}

	template <class Predicate>
	bool wait_for(std::unique_lock<mutex> &lock, duration time, Predicate predicate)
	{
		return wait_until(lock, detail::after(time), std::move(predicate));
	}

	native_handle_type native_handle() noexcept
	{
		return &cond_;
	}

      private:
	static plf_mutex_t *held_by(const std::unique_lock<mutex> &lock)
	{
		detail::require(
			lock.owns_lock() ? 0 : EPERM,
			"plafond::condition_variable::wait (with a lock that owns its mutex)");
		return lock.mutex()->native_handle();
	}

	/* The wait is over, because of `error`. */
	static void settle(std::unique_lock<mutex> &lock, int error)
	{
		if (error == 0)
			return;
		if (!lock.mutex()->is_held())
			lock = std::unique_lock<mutex>(*lock.release(), std::defer_lock);
		detail::throw_error(error, "plafond::condition_variable::wait");
	}

	plf_cond_t cond_;
};

/*
 * As std::counting_semaphore, for the threads of this process. Errors of the waits: those of
 * plf_sem_wait() but EINTR; after EXDEV, EDEADLK and ENOMEM the unit is taken.
 */
class semaphore
{
      public:
	/* Errors: EINVAL of a value above SEM_VALUE_MAX. */
	explicit semaphore(unsigned value = 0)
	{
		detail::require(plf_sem_init(&sem_, value), "plafond::semaphore");
	}

	/* No thread waits. */
	~semaphore()
	{
		plf_sem_destroy(&sem_);
	}

	semaphore(const semaphore &) = delete;
	semaphore &operator=(const semaphore &) = delete;

	/* By any thread, attached or not, and by a signal handler. Errors: EOVERFLOW. */
	void release()
	{
		detail::require(plf_sem_post(&sem_), "plafond::semaphore::release");
	}

	void acquire()
	{
		detail::require(detail::uninterrupted([this] { return plf_sem_wait(&sem_); }),
				"plafond::semaphore::acquire");
	}

	/* False: the value is 0. */
	[[nodiscard]] bool try_acquire()
	{
		return has_taken(plf_sem_trywait(&sem_), EAGAIN);
	}

	/* False: it was 0 until then. */
	[[nodiscard]] bool try_acquire_until(time_point time)
	{
		return has_taken(detail::uninterrupted([this, time] {
					 return plf_sem_timedwait(&sem_, detail::ns_of(time));
				 }),
				 ETIMEDOUT);
	}

	[[nodiscard]] bool try_acquire_for(duration time)
	{
		return try_acquire_until(detail::after(time));
	}

      private:
	static bool has_taken(int error, int in_vain)
	{
		detail::require(error == in_vain ? 0 : error, "plafond::semaphore::try_acquire");
		return error == 0;
	}

	plf_sem_t sem_;
};

/* ---- std::scoped_lock is refused --------------------------------------- */

namespace detail
{

template <class...> inline constexpr bool is_allowed = false;

template <class... Rest> class refused_scoped_lock
{
	static_assert(is_allowed<Rest...>,
		      "std::scoped_lock unlocks first in, first out: for several plafond::mutex "
		      "there is plafond::scoped_lock");

      public:
	template <class... Mutexes> explicit refused_scoped_lock(Mutexes &...)
	{
	}
};

} // namespace detail

} // namespace plafond

/*
 * Where one of the first two of several mutexes is ours. Behind two of other kinds it compiles, and
 * the unlock() that comes too early terminates the program.
 */
template <class... Rest>
class std::scoped_lock<plafond::mutex, plafond::mutex, Rest...>
    : plafond::detail::refused_scoped_lock<Rest...>
{
	using plafond::detail::refused_scoped_lock<Rest...>::refused_scoped_lock;
};

template <class Other, class... Rest>
class std::scoped_lock<plafond::mutex, Other, Rest...>
    : plafond::detail::refused_scoped_lock<Other, Rest...>
{
	using plafond::detail::refused_scoped_lock<Other, Rest...>::refused_scoped_lock;
};

template <class Other, class... Rest>
class std::scoped_lock<Other, plafond::mutex, Rest...>
    : plafond::detail::refused_scoped_lock<Other, Rest...>
{
	using plafond::detail::refused_scoped_lock<Other, Rest...>::refused_scoped_lock;
};

#endif
