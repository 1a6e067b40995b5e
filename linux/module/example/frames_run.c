// SPDX-License-Identifier: GPL-2.0

/* Make and serve frames: see frames_run.h. */
#include "frames_run.h"
#include "work.h"

#include <linux/irq.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/version.h>

/* When a run ends, it waits for at most one chunk of its work. */
enum { CHUNK_ITERATIONS = 16384, CALIBRATIONS = 3 };

static u64 chunk_ns;

/* Not inlined, so that it is the loop that was calibrated. */
static noinline void iterate(u64 iterations)
{
	immpc_work(iterations);
}

static u64 time_chunk(void)
{
	unsigned long flags;
	u64 begin_ns, end_ns;

	local_irq_save(flags);
	begin_ns = ktime_get_ns();
	iterate(CHUNK_ITERATIONS);
	end_ns = ktime_get_ns();
	local_irq_restore(flags);
	return end_ns - begin_ns;
}

void frames_calibrate(void)
{
	chunk_ns = time_chunk();
	for (int i = 1; i < CALIBRATIONS; i++)
		chunk_ns = min(chunk_ns, time_chunk());
	chunk_ns = max(chunk_ns, 1ULL);
}

/* Execute as many iterations as take work_ns without interruption, whatever else runs meanwhile. */
static void work(const struct frames_run *run, u64 work_ns)
{
	u64 left = div64_u64(work_ns * CHUNK_ITERATIONS, chunk_ns);

	while (left > 0 && !READ_ONCE(run->is_ending)) {
		u64 chunk = min(left, (u64)CHUNK_ITERATIONS);

		iterate(chunk);
		left -= chunk;
	}
}

irqreturn_t frames_run_interrupt(struct frames_run *run)
{
	irqreturn_t wish = IRQ_HANDLED;

	raw_spin_lock(&run->lock);
	run->frames[run->made].sent_ns = (s64)ktime_get_ns();
	if (run->pending == run->asked.ring_size) {
		run->lost++;
	} else {
		run->ring[(run->taken + run->pending) % run->asked.ring_size] = run->made;
		if (run->pending++ == 0)
			wish = IRQ_WAKE_THREAD;
		run->backlog_max = max(run->backlog_max, run->pending);
	}
	run->made++;
	raw_spin_unlock(&run->lock);
	return wish;
}

/* The oldest frame is served. False: no frame is pending any more. */
static bool take(struct frames_run *run, u32 number)
{
	unsigned long flags;
	bool more;

	raw_spin_lock_irqsave(&run->lock, flags);
	run->frames[number].served_ns = (s64)ktime_get_ns();
	run->served[run->taken] = number;
	/* Release, because a reader looks at it without the lock. */
	smp_store_release(&run->taken, run->taken + 1);
	more = --run->pending > 0;
	if (!more && run->made == run->asked.count)
		complete_all(&run->over);
	raw_spin_unlock_irqrestore(&run->lock, flags);
	if (wq_has_sleeper(&run->readers))
		wake_up_interruptible(&run->readers);
	return more;
}

irqreturn_t frames_run_serve(struct frames_run *run)
{
	bool more = true;

	while (more && !READ_ONCE(run->is_ending)) {
		u32 number = run->ring[run->taken % run->asked.ring_size];

		work(run, number == 0 ? run->asked.first_work_ns : run->asked.work_ns);
		more = take(run, number);
	}
	return IRQ_HANDLED;
}

/* Make all interrupts that are due now, because a device does not wait for the timer. */
static enum hrtimer_restart fire(struct hrtimer *timer)
{
	struct frames_run *run = container_of(timer, struct frames_run, timer);
	u64 due = hrtimer_forward_now(timer, ns_to_ktime(run->asked.period_ns));

	for (; due > 0 && run->made < run->asked.count; due--)
		generic_handle_irq(run->irq);
	return run->made < run->asked.count ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

/* Linux 6.13 combined two calls, and 6.15 removed the older calls. */
static void set_up_timer(struct hrtimer *timer)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, fire, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	timer->function = fire;
#endif
}

static bool numbers_are_right(const struct frames_start *asked)
{
	return asked->period_ns >= FRAMES_PERIOD_MIN_NS &&
	       asked->period_ns <= FRAMES_PERIOD_MAX_NS && asked->work_ns <= FRAMES_WORK_MAX_NS &&
	       asked->first_work_ns <= FRAMES_WORK_MAX_NS && asked->count >= 1 &&
	       asked->count <= FRAMES_COUNT_MAX && asked->ring_size >= 1 &&
	       asked->ring_size <= FRAMES_RING_MAX;
}

static void free_run(struct frames_run *run)
{
	kvfree(run->frames);
	kvfree(run->served);
	kvfree(run->ring);
	kfree(run);
}

static struct frames_run *allocate(u32 count, u32 ring_size)
{
	struct frames_run *run = kzalloc(sizeof(*run), GFP_KERNEL_ACCOUNT);

	if (!run)
		return NULL;
	run->ring = kvcalloc(ring_size, sizeof(*run->ring), GFP_KERNEL_ACCOUNT);
	run->served = kvcalloc(count, sizeof(*run->served), GFP_KERNEL_ACCOUNT);
	run->frames = kvcalloc(count, sizeof(*run->frames), GFP_KERNEL_ACCOUNT);
	if (run->ring && run->served && run->frames)
		return run;
	free_run(run);
	return NULL;
}

struct frames_run *frames_run_make(const struct frames_start *asked, unsigned int irq)
{
	struct frames_run *run;

	if (!numbers_are_right(asked))
		return ERR_PTR(-EINVAL);
	run = allocate(asked->count, asked->ring_size);
	if (!run)
		return ERR_PTR(-ENOMEM);
	run->asked = *asked;
	run->irq = irq;
	init_completion(&run->over);
	init_waitqueue_head(&run->readers);
	raw_spin_lock_init(&run->lock);
	set_up_timer(&run->timer);
	return run;
}

void frames_run_begin(struct frames_run *run)
{
	run->begin_ns = (s64)(ktime_get_ns() + run->asked.period_ns);
	hrtimer_start(&run->timer, ns_to_ktime(run->begin_ns), HRTIMER_MODE_ABS_HARD);
}

void frames_run_end(struct frames_run *run)
{
	WRITE_ONCE(run->is_ending, true);
	hrtimer_cancel(&run->timer);
	synchronize_irq(run->irq);
	free_run(run);
}
