// SPDX-License-Identifier: GPL-2.0

/* Make sections: check them completely, and allocate all their memory. */
#include "driver.h"

#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

/* The state of a section after some of its steps. */
struct outline {
	u32 held[IMMPC_DEPTH_MAX];
	unsigned int depth;
	unsigned int events;
	u64 work_ns;
};

static bool is_held(const struct outline *outline, u32 number)
{
	for (unsigned int i = 0; i < outline->depth; i++)
		if (outline->held[i] == number)
			return true;
	return false;
}

static int check_lock(struct driver_file *file, struct outline *outline, u32 number)
{
	int error = 0;

	if (outline->depth == IMMPC_DEPTH_MAX || is_held(outline, number))
		return -EINVAL;
	if (outline->depth > 0)
		error = resource_nest(file, outline->held[outline->depth - 1], number);
	outline->held[outline->depth++] = number;
	outline->events += 2;
	return error;
}

static int check_unlock(struct outline *outline, u32 number)
{
	if (outline->depth == 0 || outline->held[outline->depth - 1] != number)
		return -EINVAL;
	outline->depth--;
	outline->events++;
	return 0;
}

static int check_work(struct outline *outline, const struct immpc_step *step)
{
	if (step->resource != 0 || step->work_ns > IMMPC_WORK_MAX_NS - outline->work_ns)
		return -EINVAL;
	outline->work_ns += step->work_ns;
	return 0;
}

static int check_step(struct driver_file *file, struct outline *outline,
		      const struct immpc_step *step)
{
	if (step->kind == IMMPC_STEP_WORK)
		return check_work(outline, step);
	if (step->kind > IMMPC_STEP_UNLOCK || step->work_ns != 0 ||
	    !xa_load(&file->resources, step->resource))
		return -EINVAL;
	if (step->kind == IMMPC_STEP_LOCK)
		return check_lock(file, outline, step->resource);
	return check_unlock(outline, step->resource);
}

static int check_steps(struct driver_file *file, struct outline *outline,
		       const struct immpc_step *steps, unsigned int count)
{
	int error = 0;

	for (unsigned int i = 0; i < count && !error; i++)
		error = check_step(file, outline, &steps[i]);
	if (!error && outline->depth > 0)
		error = -EINVAL;
	return error;
}

static bool numbers_are_right(const struct immpc_section *asked)
{
	return asked->step_count >= 1 && asked->step_count <= IMMPC_STEPS_MAX &&
	       asked->gap_room <= IMMPC_GAPS_MAX && asked->chunk_iterations >= 1 &&
	       asked->chunk_iterations <= IMMPC_CHUNK_ITERATIONS_MAX &&
	       asked->chunk_ps >= IMMPC_CHUNK_MIN_PS && asked->chunk_ps <= IMMPC_CHUNK_MAX_PS &&
	       asked->gap_ns <= IMMPC_WORK_MAX_NS;
}

/*
 * Limit the iterations, because chunks may take longer than they should, and all iterations are
 * done.
 */
static bool ends_in_time(const struct immpc_section *asked, const struct outline *outline)
{
	u64 chunks = div64_u64(outline->work_ns * 1000, asked->chunk_ps) + IMMPC_STEPS_MAX;

	return chunks <= div64_u64(IMMPC_ITERATIONS_MAX, asked->chunk_iterations);
}

static void fill_in(struct driver_file *file, struct section *section,
		    const struct immpc_section *asked, const struct immpc_step *steps)
{
	section->step_count = asked->step_count;
	section->gap_room = asked->gap_room;
	section->chunk_iterations = asked->chunk_iterations;
	section->chunk_ps = (s64)asked->chunk_ps;
	section->gap_ns = (s64)asked->gap_ns;
	section->priority_max = MAX_RT_PRIO;
	for (unsigned int i = 0; i < asked->step_count; i++) {
		struct section_step *step = &section->steps[i];

		step->kind = steps[i].kind;
		step->work_ns = (s64)steps[i].work_ns;
		if (step->kind == IMMPC_STEP_WORK)
			continue;
		step->resource = xa_load(&file->resources, steps[i].resource);
		if (step->resource->kind != IMMPC_KIND_RT_MUTEX)
			section->priority_max = min(section->priority_max, step->resource->ceiling);
	}
}

static struct section *allocate(unsigned int steps, unsigned int events)
{
	struct section *section = kzalloc(sizeof(*section), GFP_KERNEL_ACCOUNT);

	if (!section)
		return NULL;
	section->steps = kvcalloc(steps, sizeof(*section->steps), GFP_KERNEL_ACCOUNT);
	section->events = kvcalloc(events + 1, sizeof(*section->events), GFP_KERNEL_ACCOUNT);
	if (section->steps && section->events)
		return section;
	section_free(section);
	return NULL;
}

void section_free(struct section *section)
{
	kvfree(section->events);
	kvfree(section->steps);
	kfree(section);
}

/* Make a section. Returns its number. */
static long make(struct driver_file *file, const struct immpc_section *asked,
		 const struct immpc_step *steps)
{
	struct outline outline = {};
	struct section *section;
	u32 number;
	int error = check_steps(file, &outline, steps, asked->step_count);

	if (error)
		return error;
	if (!ends_in_time(asked, &outline))
		return -EINVAL;
	section = allocate(asked->step_count, outline.events + 2 * asked->gap_room);
	if (!section)
		return -ENOMEM;
	fill_in(file, section, asked, steps);
	error = xa_alloc(&file->sections, &number, section, XA_LIMIT(0, IMMPC_SECTIONS_MAX - 1),
			 GFP_KERNEL);
	if (!error)
		return (long)number;
	section_free(section);
	return error == -EBUSY ? -ENOSPC : error;
}

long section_make(struct driver_file *file, const struct immpc_section __user *argument)
{
	struct immpc_section asked;
	struct immpc_step *steps;
	long number;

	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	if (!numbers_are_right(&asked))
		return -EINVAL;
	steps = memdup_array_user(u64_to_user_ptr(asked.steps), asked.step_count, sizeof(*steps));
	if (IS_ERR(steps))
		return PTR_ERR(steps);
	mutex_lock(&file->making);
	number = make(file, &asked, steps);
	mutex_unlock(&file->making);
	kfree(steps);
	return number;
}
