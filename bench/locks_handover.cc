/* SPDX-License-Identifier: MIT */

/*
 * The cost of handing a lock over from one CPU to another. Two threads, each on its own CPU, take
 * turns. Each asks for the lock as soon as the other's section has begun, and waits until that
 * section ends. So a round is a section and a hand-over.
 */
#include "count.h"
#include "locks.h"
#include "realtime.h"
#include "rivals.h"
#include "rows.h"
#include "stretches.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace bench
{

namespace
{

constexpr long SECTIONS_NS[] = { 500, 1000, 2000, 5000, 10000, 20000, 50000 };
constexpr long COUNTED_NS = 500000; /* longer than a tracer delays the thread that comes */
constexpr long ROUNDS = 200;
constexpr int COUNTS = 5;

/* What a thread's own rounds cost it, but for the sections and the wait before it may come. */
struct Cost {
	double processor_ns = 0;
	long switches = 0;
};

double own_processor_ns()
{
	timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

long own_switches()
{
	rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

void spin_until(uint64_t end_ns)
{
	while (plf_now() < end_ns)
		;
}

template <class Mutex> class Relay
{
      public:
	Relay(const Rival<Mutex> &rival, Mutex &mutex)
	    : mutex_(mutex), partner_([this, rival] { live(rival.attachment); })
	{
		for (Lengths &turns : turns_)
			turns.reserve(ROUNDS);
		ready_.wait();
	}
	~Relay()
	{
		over_ = true;
	}
	pid_t partner() const
	{
		return tid_;
	}

	/* An even number of sections, by turns. */
	void run(long rounds, long section_ns)
	{
		rounds_ = rounds;
		section_ns_ = static_cast<uint64_t>(section_ns);
		begun_ = 0;
		started_.store(started_ + 1, std::memory_order_release);
		costs_[0] = take_turns(0);
		while (ended_.load(std::memory_order_acquire) != started_)
			;
	}
	double processor_ns() const
	{
		return costs_[0].processor_ns + costs_[1].processor_ns;
	}
	long switches() const
	{
		return costs_[0].switches + costs_[1].switches;
	}
	/* The longest turn of a thread beyond its usual one. */
	int64_t beyond_ns() const
	{
		return std::max(longest_beyond_median(turns_[0]), longest_beyond_median(turns_[1]));
	}

      private:
	void live(const Attachment &attachment)
	{
		pin(other_cpu());
		RealTime real_time(attachment, HOLDER_PRIORITY, other_cpu());

		try_out();
		tid_ = gettid();
		ready_.post();
		while (wait_for_run()) {
			costs_[1] = take_turns(1);
			ended_.store(ended_ + 1, std::memory_order_release);
		}
	}
	/* Spins, so that nothing but the lock calls the kernel. False: it is over. */
	bool wait_for_run() const
	{
		while (started_.load(std::memory_order_acquire) == ended_ && !over_)
			;
		return !over_;
	}
	void try_out()
	{
		require(mutex_.lock(), "lock of the partner");
		require(mutex_.unlock(), "unlock of the partner");
	}
	Cost take_turns(long first)
	{
		long switches = own_switches();
		double before_ns = own_processor_ns();
		uint64_t elsewhere_ns = 0;

		turns_[first].clear();
		for (long turn = first; turn < rounds_; turn += 2)
			elsewhere_ns += take_turn(turn, turns_[first]);
		return { own_processor_ns() - before_ns - static_cast<double>(elsewhere_ns),
			 own_switches() - switches };
	}

	/* Returns the time before the lock and in the section. */
	uint64_t take_turn(long turn, Lengths &turns)
	{
		uint64_t free_ns = plf_now(), come_ns, in_ns, out_ns;

		while (begun_.load(std::memory_order_acquire) < turn)
			;
		come_ns = plf_now();
		require(mutex_.lock(), "lock");
		in_ns = plf_now();
		begun_.store(turn + 1, std::memory_order_release);
		spin_until(in_ns + section_ns_);
		out_ns = plf_now();
		require(mutex_.unlock(), "unlock");
		turns.push_back(static_cast<int64_t>(out_ns - free_ns));
		return come_ns - free_ns + out_ns - in_ns;
	}

	Mutex &mutex_;
	std::atomic<long> begun_ = 0; /* sections */
	std::atomic<bool> over_ = false;
	std::atomic<long> started_ = 0, ended_ = 0; /* runs */
	long rounds_ = 0;
	uint64_t section_ns_ = 0;
	std::array<Cost, 2> costs_;
	std::array<Lengths, 2> turns_; /* from leaving the lock to leaving it the next time */
	pid_t tid_ = 0;
	PosixSemaphore ready_;
	Thread partner_;
};

/*
 * System calls per hand-over: the median of some counts. If the machine takes a CPU away for a
 * while, the number in a round changes, and the difference of two runs may be negative.
 */
template <class Mutex> std::optional<double> usual_calls(Relay<Mutex> &relay)
{
	std::vector<double> counts;

	for (int i = 0; i < COUNTS; i++) {
		std::optional<double> calls =
			count_per_round(Event::SYSTEM_CALL, { gettid(), relay.partner() },
					[&](long n) { relay.run(n, COUNTED_NS); });
		if (!calls)
			return calls;
		counts.push_back(*calls);
	}
	std::nth_element(counts.begin(), counts.begin() + COUNTS / 2, counts.end());
	return counts[COUNTS / 2];
}

template <class Mutex>
void measure_handover(benchmark::State &state, Counts &counts, const Rival<Mutex> &rival,
		      long section_ns)
{
	RealTime real_time(rival.attachment, HOLDER_PRIORITY);
	Mutex mutex(CEILING);
	Relay<Mutex> relay(rival, mutex);
	double rounds = static_cast<double>(ROUNDS);

	relay.run(ROUNDS, section_ns);
	if (!counts.known)
		counts.system_calls = usual_calls(relay);
	counts.known = true;
	while (state.KeepRunningBatch(ROUNDS))
		relay.run(ROUNDS, section_ns);
	state.counters["processor_ns"] = relay.processor_ns() / rounds;
	state.counters["context_switches"] = static_cast<double>(relay.switches()) / rounds;
	report_beyond(state, relay.beyond_ns());
	set_counts(state, counts);
}

/* The calls are counted with one length of section, so all rows of a rival have one count. */
template <class Mutex> void add_handovers(const Rival<Mutex> &rival)
{
	auto counts = std::make_shared<Counts>();

	for (long section_ns : SECTIONS_NS)
		add_row(std::string("handover/") + rival.name + "/" + std::to_string(section_ns),
			ROUNDS, [=](benchmark::State &state) {
				measure_handover(state, *counts, rival, section_ns);
			});
}

} // namespace

void add_handover()
{
	if (!has_other_cpu())
		return;
	add_handovers(PLAFOND_GLOBAL);
	add_handovers(PLAFOND_GLOBAL_SPIN);
	add_handovers(NONE);
	add_handovers(INHERIT);
	add_handovers(TICKET);
}

} // namespace bench
