// SPDX-License-Identifier: GPL-2.0

/*
 * Execute a section. When the driver looks at the clock, it knows how long it should have taken
 * since its last look. If it took much longer, it was away, and notes a gap. plafond-run does the
 * same for sections in user mode.
 */
#include "driver.h"
#include "work.h"

#include <linux/sched/signal.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

/* There is room, because section.c counted the events. */
static void note(struct section *section, enum immpc_event_kind kind, s64 time_ns,
		 unsigned int step)
{
	section->events[section->event_count++] = (struct immpc_event) {
		.time_ns = time_ns,
		.kind = kind,
		.step = step,
	};
}

static void note_gap(struct section *section, s64 from_ns, s64 to_ns, unsigned int step)
{
	if (section->gap_count == section->gap_room) {
		section->lost_gaps++;
		return;
	}
	section->gap_count++;
	note(section, IMMPC_EVENT_SUSPEND, from_ns, step);
	note(section, IMMPC_EVENT_RESUME, to_ns, step);
}

static void look(struct section *section)
{
	section->seen_ns = (s64)ktime_get_ns();
}

static void look_after(struct section *section, s64 expected_ns, unsigned int step)
{
	s64 before_ns = section->seen_ns;

	look(section);
	if (section->seen_ns - before_ns > expected_ns + section->gap_ns)
		note_gap(section, before_ns, section->seen_ns - expected_ns, step);
}

/* Not inlined, so that it is the loop that plafond-run measured. */
static noinline void iterate(u64 iterations)
{
	immpc_work(iterations);
}

static s64 worked_in_chunk_ps(struct section *section, unsigned int step)
{
	s64 before_ns = section->seen_ns, took_ps;

	iterate(section->chunk_iterations);
	look_after(section, section->chunk_ps / 1000, step);
	took_ps = (section->seen_ns - before_ns) * 1000;
	return took_ps < section->chunk_ps * 3 / 2 ? took_ps : section->chunk_ps;
}

/* False: the caller was killed. */
static bool work(struct section *section, unsigned int step)
{
	s64 left_ps = section->steps[step].work_ns * 1000;

	while (left_ps >= section->chunk_ps) {
		left_ps -= worked_in_chunk_ps(section, step);
		if (fatal_signal_pending(current))
			return false;
	}
	if (left_ps > 0) {
		iterate((u64)(left_ps * (s64)section->chunk_iterations / section->chunk_ps));
		look_after(section, left_ps / 1000, step);
	}
	return true;
}

static void lock(struct section *section, unsigned int step)
{
	look_after(section, 0, step);
	note(section, IMMPC_EVENT_REQUEST, section->seen_ns, step);
	resource_acquire(section->steps[step].resource);
	look(section);
	note(section, IMMPC_EVENT_GRANT, section->seen_ns, step);
}

/*
 * A thread that waited for the lock may preempt in the middle of the call, so look a second time.
 */
static void unlock(struct section *section, unsigned int step)
{
	look_after(section, 0, step);
	note(section, IMMPC_EVENT_UNLOCK, section->seen_ns, step);
	resource_release(section->steps[step].resource);
	look_after(section, 0, step);
}

/* Release the locks that are held before that step, from the inside out. */
static void unlock_before(struct section *section, unsigned int step)
{
	unsigned int inner = 0; /* inner locks that are released already */

	while (step-- > 0) {
		const struct section_step *before = &section->steps[step];

		if (before->kind == IMMPC_STEP_UNLOCK)
			inner++;
		else if (before->kind == IMMPC_STEP_LOCK && inner > 0)
			inner--;
		else if (before->kind == IMMPC_STEP_LOCK)
			resource_release(before->resource);
	}
}

static int execute(struct section *section)
{
	for (unsigned int step = 0; step < section->step_count; step++)
		switch (section->steps[step].kind) {
		case IMMPC_STEP_WORK:
			if (!work(section, step)) {
				unlock_before(section, step);
				return -EINTR;
			}
			break;
		case IMMPC_STEP_LOCK:
			lock(section, step);
			break;
		case IMMPC_STEP_UNLOCK:
			unlock(section, step);
			break;
		}
	return 0;
}

/* Run the section, and fill in the results. */
static int run(struct section *section, struct immpc_run *asked)
{
	int error;

	section->seen_ns = clamp_t(s64, asked->seen_ns, 0, (s64)ktime_get_ns());
	section->event_count = 0;
	section->gap_count = 0;
	section->lost_gaps = 0;
	error = execute(section);
	if (error)
		return error;
	asked->seen_ns = section->seen_ns;
	asked->event_count = section->event_count;
	asked->lost_gaps = section->lost_gaps;
	if (copy_to_user(u64_to_user_ptr(asked->events), section->events,
			 section->event_count * sizeof(*section->events)))
		return -EFAULT;
	return 0;
}

long section_run(struct driver_file *file, struct immpc_run __user *argument)
{
	struct immpc_run asked;
	struct section *section;
	int error;

	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	section = xa_load(&file->sections, asked.section);
	if (!section)
		return -ENOENT;
	if (!caller_keeps(section->priority_max))
		return -EINVAL;
	if (atomic_cmpxchg_acquire(&section->is_running, 0, 1))
		return -EBUSY;
	error = run(section, &asked);
	atomic_set_release(&section->is_running, 0);
	if (error)
		return error;
	return copy_to_user(argument, &asked, sizeof(asked)) ? -EFAULT : 0;
}
