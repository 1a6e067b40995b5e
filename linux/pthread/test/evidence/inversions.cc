// SPDX-License-Identifier: MIT
// A C++ program that knows nothing of mutex priorities: an urgent thread, SCHED_FIFO 50, waits
// ROUNDS times for mutexes that ordinary threads hold. It prints the highest priority at which a
// holder ran while the urgent thread waited: 0, unless the mutex lends a priority.
//
// usage: inversions SCENE [MORE]   with MORE the program makes another mutex of each kind first
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace
{

constexpr int ROUNDS = 5;
constexpr int URGENT = 50;
constexpr int CROWD = 1000;
constexpr unsigned HUNG_S = 300;

std::mutex global;

struct Shared {
	std::mutex mutex;
	std::timed_mutex timed;
	std::recursive_mutex recursive;
	std::condition_variable condition;
	std::atomic<int> waits = 0;
	bool full = false;
};

struct {
	std::mutex mutex;
	int sections;
} fresh[CROWD];

std::atomic<pid_t> urgent;
std::atomic<int> held; // times that a holder has locked the mutex, and awaits the urgent thread
std::atomic<int> had;  // times that the urgent thread has waited, and locked it
std::atomic<int> highest;

// A lock word is the first word of its mutex.
bool sleeps_for(const void *mutex)
{
	std::ifstream file("/proc/self/task/" + std::to_string(urgent) + "/syscall");
	std::uintptr_t word = 0;
	long number = -1;

	return file >> number >> std::hex >> word && number == SYS_futex &&
	       word == reinterpret_cast<std::uintptr_t>(mutex);
}

// The thread's priority in the kernel now, with a priority that it was lent.
int priority_of(pid_t thread)
{
	std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
	std::string word;
	int found = 0;

	for (int i = 1; i <= 18 && file >> word; i++)
		if (i == 18)
			found = std::stoi(word);
	return found < 0 ? -1 - found : 0;
}

void become(const char *name, int priority)
{
	const sched_param param = { priority };

	pthread_setname_np(pthread_self(), name);
	if (pthread_setschedparam(pthread_self(), priority > 0 ? SCHED_FIFO : SCHED_OTHER,
				  &param) != 0)
		std::exit(99);
}

void hold_on(const void *mutex)
{
	held++;
	while (!sleeps_for(mutex))
		std::this_thread::sleep_for(std::chrono::milliseconds(1));
	highest = std::max(highest.load(), priority_of(gettid()));
}

template <typename Mutex> void hold(Mutex &mutex, int rounds, int others)
{
	for (int i = 0; i < rounds; i++) {
		const int turn = i * (others + 1) + (gettid() == getpid() ? others : 0);

		while (held != turn || had != turn)
			std::this_thread::sleep_for(std::chrono::milliseconds(1));
		std::lock_guard<Mutex> locked(mutex);
		hold_on(&mutex);
	}
}

template <typename Mutex> void wait_for(Mutex &mutex, int times)
{
	become("urgent", URGENT);
	urgent = gettid();
	for (int i = 1; i <= times; i++) {
		while (held != i)
			std::this_thread::sleep_for(std::chrono::milliseconds(1));
		std::lock_guard<Mutex> locked(mutex);
		had++;
	}
}

template <typename Mutex> void inversion(Mutex &mutex, int others = 0)
{
	std::vector<std::thread> threads;

	threads.emplace_back([&] { wait_for(mutex, ROUNDS * (others + 1)); });
	for (int i = 0; i < others; i++)
		threads.emplace_back([&] {
			become("logger", 0);
			hold(mutex, ROUNDS, others);
		});
	hold(mutex, ROUNDS, others);
	for (std::thread &thread : threads)
		thread.join();
}

// The urgent thread is woken, and finds the mutex held by the thread that woke it.
void condition(Shared &shared)
{
	std::thread waiter([&] {
		become("urgent", URGENT);
		urgent = gettid();
		for (int i = 0; i < ROUNDS; i++) {
			std::unique_lock<std::mutex> locked(shared.mutex);
			shared.waits++;
			shared.condition.wait(locked, [&] { return shared.full; });
			shared.full = false;
		}
	});
	for (int i = 0; i < ROUNDS; i++) {
		while (shared.waits != i + 1)
			std::this_thread::sleep_for(std::chrono::milliseconds(1));
		std::lock_guard<std::mutex> locked(shared.mutex);
		shared.full = true;
		shared.condition.notify_one();
		hold_on(&shared.mutex);
	}
	waiter.join();
}

void timed(Shared &shared)
{
	std::thread waiter([&] {
		become("urgent", URGENT);
		urgent = gettid();
		for (int i = 1; i <= ROUNDS; i++) {
			while (held != i)
				std::this_thread::sleep_for(std::chrono::milliseconds(1));
			if (!shared.timed.try_lock_for(std::chrono::hours(1)))
				std::exit(98);
			had++;
			shared.timed.unlock();
		}
	});
	hold(shared.timed, ROUNDS, 0);
	waiter.join();
}

// All threads lock, or try to lock, each of an array of fresh mutexes for the first time.
void crowd()
{
	constexpr int THREADS = 4;
	std::vector<std::thread> threads;

	for (int i = 0; i < THREADS; i++)
		threads.emplace_back([&, i] {
			become("crowd", i == 0 ? URGENT : 0);
			for (int k = 0; k < CROWD; k++) {
				if (i % 2 == 0 || !fresh[k].mutex.try_lock())
					fresh[k].mutex.lock();
				fresh[k].sections++;
				fresh[k].mutex.unlock();
			}
		});
	for (std::thread &thread : threads)
		thread.join();
	for (int k = 0; k < CROWD; k++)
		if (fresh[k].sections != THREADS)
			std::exit(96);
}

} // namespace

int main(int count, char **argument)
{
	const rlimit limit = { 5000000, 5000000 };
	const std::string scene = count > 1 ? argument[1] : "";
	static std::mutex more;
	auto shared = std::make_unique<Shared>();
	Shared before;

	alarm(HUNG_S);
	setrlimit(RLIMIT_RTTIME, &limit);
	if (count > 2) {
		std::lock_guard<std::mutex> of_another(more);
		std::lock_guard<std::mutex> of_one_before(before.mutex);
	}
	if (scene == "global")
		inversion(global);
	else if (scene == "member")
		inversion(shared->mutex);
	else if (scene == "recursive")
		inversion(shared->recursive);
	else if (scene == "several")
		inversion(global, 1);
	else if (scene == "condition")
		condition(*shared);
	else if (scene == "crowd")
		crowd();
	else if (scene == "timed")
		timed(*shared);
	else
		return 97;
	std::cout << "a holder ran at " << highest << "\n";
	return 0;
}
