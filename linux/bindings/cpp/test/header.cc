/* SPDX-License-Identifier: MIT */
/* Uses all of plafond.hpp. It is compiled with every warning, and never run. */
#include <plafond.hpp>

#include <vector>

#if __cplusplus >= 202002L
#define CONSTANT constinit
#else
#define CONSTANT
#endif

void use_everything();

namespace
{

using namespace std::chrono_literals;

CONSTANT plafond::mutex state_lock(40);
CONSTANT plafond::mutex table_lock(plafond::global);
CONSTANT plafond::condition_variable changed;
int state;

template <class Type>
constexpr bool stays_where_it_is =
	!std::is_copy_constructible_v<Type> && !std::is_move_constructible_v<Type> &&
	!std::is_copy_assignable_v<Type> && !std::is_move_assignable_v<Type>;

static_assert(stays_where_it_is<plafond::mutex>);
static_assert(stays_where_it_is<plafond::scoped_lock<2>>);
static_assert(stays_where_it_is<plafond::condition_variable>);
static_assert(stays_where_it_is<plafond::semaphore>);
static_assert(stays_where_it_is<plafond::attachment>);
static_assert(!std::is_convertible_v<int, plafond::mutex>);
static_assert(std::is_trivially_destructible_v<plafond::mutex>); /* no code at exit */
static_assert(noexcept(state_lock.unlock()));
static_assert(sizeof(plafond::mutex) == sizeof(plf_mutex_t));

/* Sleeps accept only times of the steady clock. */
template <class Time>
constexpr bool is_time = std::is_invocable_v<decltype(plafond::sleep_until), Time>;
static_assert(is_time<std::chrono::steady_clock::time_point>);
static_assert(!is_time<std::chrono::system_clock::time_point>);

bool is_changed()
{
	return state != 0;
}

void use_waits()
{
	std::unique_lock lock(state_lock);

	changed.wait(lock);
	changed.wait(lock, is_changed);
	if (changed.wait_until(lock, plafond::clock::now()) == std::cv_status::timeout ||
	    changed.wait_for(lock, 1s) == std::cv_status::timeout)
		state++;
	if (changed.wait_until(lock, plafond::clock::now(), is_changed) ||
	    changed.wait_for(lock, 1ms, is_changed))
		changed.notify_one();
	changed.notify_all();
}

void use_semaphore()
{
	plafond::semaphore semaphore(1);

	semaphore.acquire();
	semaphore.release();
	if (semaphore.try_acquire() || semaphore.try_acquire_for(1ms) ||
	    semaphore.try_acquire_until(plafond::clock::now()))
		state++;
}

} // namespace

void use_everything()
{
	plafond::attachment place(10, PLF_CPU_PINNED, PLF_STRICT | PLF_BACKEND_USER);
	plafond::periodic timer(10ms), later(plafond::clock::now(), 1s);

	timer.wait();
	state_lock.lock([] { state = 0; });
	state_lock.consistent();
	state_lock.unlock();
	if (state_lock.try_lock()) {
		std::lock_guard guard(state_lock, std::adopt_lock);

		state += state_lock.ceiling() + static_cast<int>(later.missed());
	}
	{
		std::scoped_lock one(state_lock);
		plafond::scoped_lock none_else(state_lock);
		plafond::scoped_lock guard(state_lock, table_lock);
	}
	use_waits();
	use_semaphore();
	plafond::sleep_until(plafond::clock::now() + 1ms);
	if (plf_cond_destroy(changed.native_handle()) == EBUSY ||
	    plf_mutex_destroy(state_lock.native_handle()) == EBUSY)
		throw std::system_error(EBUSY, plafond::error_category());
}
