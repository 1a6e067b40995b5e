/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "section.h"

#include "frames.h"
#include "priority.h"
#include "process.h"
#include "robust.h"

#include <errno.h>

/* ---- The account of open sections -------------------------------------- */

static struct plf_section *section_of(const struct plf_protect *m)
{
	for (size_t i = 0; i < PLF_SECTIONS; i++)
		if (plf_me.section[i].kept != PLF_KEPT_NOT && plf_me.section[i].mutex == m)
			return &plf_me.section[i];
	return NULL;
}

/* Entries with frames are the frame's; the others are taken from the end. */
static struct plf_section *free_section(void)
{
	for (size_t i = PLF_SECTIONS; i-- > 0;)
		if (plf_me.section[i].kept == PLF_KEPT_NOT)
			return &plf_me.section[i];
	return NULL;
}

/* ---- Committing -------------------------------------------------------- */

/* The framed section of the highest ceiling: the kernel is told once for all. */
static struct plf_section *highest_framed(void)
{
	struct plf_section *highest = NULL;

	for (size_t i = 0; i < PLF_FRAMES; i++)
		if (plf_me.section[i].kept == PLF_KEPT_BY_FRAME &&
		    (highest == NULL || plf_me.section[i].ceiling > highest->ceiling))
			highest = &plf_me.section[i];
	return highest;
}

/* Without the privilege exclusion is kept, and inheritance. */
static void keep_eagerly(struct plf_section *section)
{
	int error = plf_priority_raise(section->ceiling);

	section->kept = error == 0 ? PLF_KEPT_EAGERLY : PLF_KEPT_INHERITED;
}

static uint32_t number_of(const struct plf_section *section)
{
	return (uint32_t)(section - plf_me.section);
}

/* The kernel is told before a frame goes: nobody whom it covered comes in between. */
void plf_commit(enum plf_cause cause)
{
	struct plf_section *section;
	bool moved = false;

	if (plf_me.published == 0)
		return;
	plf_me.busy++;
	plf_counts.commits[cause]++;
	while ((section = highest_framed()) != NULL) {
		keep_eagerly(section);
		moved = moved || !plf_frame_take_off(number_of(section));
	}
	if (moved)
		plf_leave_place_behind();
	plf_me.busy--;
}

/* The caller was found on another CPU. Without frames it may simply settle anew. */
static void be_moved(void)
{
	plf_commit(PLF_MIGRATED);
	plf_unsettle(&plf_me);
}

void plf_take_back_first(void)
{
	plf_me.busy++;
	if (!plf_frame_take_back()) {
		plf_leave_place_behind();
		plf_unsettle(&plf_me);
	}
	plf_me.busy--;
}

/* ---- Opening ----------------------------------------------------------- */

/* A section that is being opened. */
struct opening {
	struct plf_protect *m;
	int ceiling;
	enum plf_kept kept;
	int frame; /* of a framed one */
};

/* Who has a section open waits for nobody's. EAGAIN: the caller was moved, look again. */
static int wait_for_others(void)
{
	if (plf_me.place == NULL || plf_me.inside > 0 || plf_wait_for_cover())
		return 0;
	be_moved();
	return EAGAIN;
}

/* Priority by a frame. EAGAIN as above. */
static int push_frame(struct opening *o)
{
	o->frame = plf_frame_push(o->ceiling);
	if (o->frame == PLF_MOVED) {
		be_moved();
		return EAGAIN;
	}
	o->kept = o->frame == PLF_NO_FRAME ? PLF_KEPT_EAGERLY : PLF_KEPT_BY_FRAME;
	return 0;
}

/* A learned ceiling costs nobody a call or an error: who cannot be lazy inherits, as before. */
static int raise_eagerly(struct opening *o)
{
	if (o->m->learned && plf_mode == PLF_MODE_LAZY) {
		o->kept = PLF_KEPT_INHERITED;
		return 0;
	}
	o->kept = PLF_KEPT_EAGERLY;
	return plf_priority_raise(o->ceiling);
}

static bool may_be_framed(const struct opening *o)
{
	return plf_me.rank != PLF_RANK_FAR &&
	       (o->ceiling <= plf_me.most || o->ceiling <= plf_me.priority);
}

static enum plf_why why_eager(const struct opening *o)
{
	if (plf_me.why_eager != PLF_WHYS)
		return plf_me.why_eager;
	return may_be_framed(o) ? PLF_DEPTH : PLF_PRIVILEGE;
}

/* Priority first. EINVAL: the base priority is above the ceiling. EAGAIN: look again. */
static int take_priority(struct opening *o)
{
	int error = 0;

	o->kept = PLF_KEPT_EAGERLY;
	if (plf_me.priority > o->ceiling) {
		if (!o->m->learned)
			return EINVAL;
		plf_counts.above_ceiling++;
		o->kept = PLF_KEPT_INHERITED;
		return 0;
	}
	error = wait_for_others();
	if (error == 0 && may_be_framed(o))
		error = push_frame(o);
	if (error == 0 && o->kept == PLF_KEPT_EAGERLY)
		error = raise_eagerly(o);
	return error;
}

static void give_priority(struct opening *o)
{
	if (o->kept == PLF_KEPT_EAGERLY)
		plf_priority_lower(o->ceiling);
	else if (o->kept == PLF_KEPT_BY_FRAME && !plf_frame_take_off((uint32_t)o->frame))
		plf_leave_place_behind();
}

/*
 * What POSIX knows only as waiting: for oneself, in a cycle, for a thread that is gone, or
 * that fork() left behind in another process.
 */
static int end_of_wait(const struct plf_protect *m, int error, const struct plf_deadline *deadline)
{
	bool tells = (m->kind & PLF_KIND_TYPE) == PTHREAD_MUTEX_ERRORCHECK;

	if (error == ESRCH || error == EPERM || (error == EDEADLK && !tells))
		return plf_sleep_forever(deadline);
	return error;
}

static bool is_valid(const struct plf_deadline *deadline)
{
	return deadline == NULL ||
	       (deadline->time->tv_nsec >= 0 && deadline->time->tv_nsec < 1000000000);
}

/* What the holder that the lock word has made of us must have. It is refused no more. */
static void take_priority_again(struct opening *o)
{
	if (may_be_framed(o) && push_frame(o) == 0 && o->kept == PLF_KEPT_BY_FRAME)
		return;
	if (raise_eagerly(o) != 0)
		o->kept = PLF_KEPT_INHERITED;
}

/*
 * Sleep for the holder, at one's own priority: the ceiling is its owner's. And with no frame
 * on the stack: whom it covers may be he for whom the holder waits. Once the lock word is
 * the caller's it holds something, so it waits for no section that covers it.
 */
static int wait_for_holder(struct opening *o, const struct plf_deadline *deadline)
{
	bool inherits = o->kept == PLF_KEPT_INHERITED;
	int error;

	if (!is_valid(deadline))
		return EINVAL;
	if (deadline != NULL && deadline->time->tv_sec < 0)
		return ETIMEDOUT; /* the kernel knows no such time */
	give_priority(o);
	o->kept = inherits ? PLF_KEPT_INHERITED : PLF_KEPT_NOT;
	plf_commit(PLF_CONTENDED);
	error = plf_lock_word_wait(o->m, deadline);
	if (error != 0)
		return end_of_wait(o->m, error, deadline);
	if (!inherits)
		take_priority_again(o);
	return 0;
}

static int take_lock_word(struct opening *o, bool may_wait, const struct plf_deadline *deadline)
{
	if (plf_lock_word_try(o->m))
		return 0;
	return may_wait ? wait_for_holder(o, deadline) : EBUSY;
}

static void count(const struct opening *o)
{
	if (o->kept == PLF_KEPT_EAGERLY) {
		plf_counts.locks_eager++;
		plf_counts.eager_because[why_eager(o)]++;
	} else if (o->kept == PLF_KEPT_BY_FRAME) {
		plf_counts.locks_lazy++;
		plf_counts.system_calls_saved += o->ceiling > plf_me.priority ? 2 : 0;
	}
}

/* Framed sections have the account of their frame. */
static void enter_in_account(const struct opening *o)
{
	struct plf_section *section =
		o->kept == PLF_KEPT_BY_FRAME ? &plf_me.section[o->frame] : free_section();

	if (section != NULL)
		*section = (struct plf_section) { .mutex = o->m,
						  .ceiling = (uint8_t)o->ceiling,
						  .kept = (uint8_t)o->kept };
	else
		o->m->ceiling = (uint16_t)o->ceiling;
	plf_me.inside++;
}

static int try_to_open(struct opening *o, bool may_wait, const struct plf_deadline *deadline)
{
	int error;

	if (!__atomic_load_n(&plf_me.settled, __ATOMIC_RELAXED))
		plf_settle();
	o->ceiling = plf_home_ceiling(plf_home(o->m));
	error = take_priority(o);
	if (error != 0)
		return error;
	plf_robust_begin(o->m);
	error = take_lock_word(o, may_wait, deadline);
	if (error == 0 && plf_home_ceiling(plf_home(o->m)) != o->ceiling) {
		plf_lock_word_give(o->m); /* changed before we had it */
		error = EAGAIN;
	}
	if (error != 0) {
		plf_robust_end();
		give_priority(o);
		return error;
	}
	count(o);
	enter_in_account(o);
	error = plf_robust_enter(o->m);
	if (error == ENOTRECOVERABLE)
		plf_section_close(o->m);
	return error;
}

int plf_section_open(struct plf_protect *m, bool may_wait, const struct plf_deadline *deadline)
{
	struct opening o = { .m = m };
	int error;

	do
		error = try_to_open(&o, may_wait, deadline);
	while (error == EAGAIN);
	return error;
}

/* ---- Closing ----------------------------------------------------------- */

static void end_frame(uint32_t index)
{
	bool taken = plf_frame_take_off(index);

	plf_me.section[index].kept = PLF_KEPT_NOT;
	if (taken)
		return;
	plf_set_published(plf_me.published - 1);
	if (plf_me.published == 0)
		plf_leave_place_behind();
	be_moved();
}

/* A section too many to have an account is an eager one. */
void plf_section_close(struct plf_protect *m)
{
	struct plf_section *section = section_of(m);
	int ceiling = section == NULL ? m->ceiling : section->ceiling;
	enum plf_kept kept = section == NULL ? PLF_KEPT_EAGERLY : section->kept;

	plf_robust_leave(m);
	plf_lock_word_give(m);
	plf_robust_end();
	if (kept == PLF_KEPT_EAGERLY)
		plf_priority_lower(ceiling);
	if (kept == PLF_KEPT_BY_FRAME)
		end_frame(number_of(section));
	else if (section != NULL)
		section->kept = PLF_KEPT_NOT;
	plf_me.inside--;
}

void plf_section_end_first(void)
{
	plf_me.busy++;
	plf_set_published(1);
	end_frame(0);
	plf_me.busy--;
}

/* ---- The ceiling ------------------------------------------------------- */

int plf_section_hold_still(struct plf_protect *m)
{
	if (!__atomic_load_n(&plf_me.settled, __ATOMIC_RELAXED))
		plf_settle();
	if (plf_lock_word_try(m))
		return 0;
	plf_commit(PLF_CONTENDED);
	return end_of_wait(m, plf_lock_word_wait(m, NULL), NULL);
}

int plf_section_change_ceiling(struct plf_protect *m, int ceiling)
{
	struct plf_section *section;
	int before, error;

	plf_commit(PLF_SCHEDULING_CALL);
	section = section_of(m);
	before = section == NULL ? m->ceiling : section->ceiling;
	if (section != NULL && section->kept == PLF_KEPT_INHERITED)
		return 0;
	error = plf_priority_raise(ceiling);
	if (error != 0)
		return error;
	plf_priority_lower(before);
	if (section == NULL)
		m->ceiling = (uint16_t)ceiling;
	else
		section->ceiling = (uint8_t)ceiling;
	return 0;
}

/* Nobody waits in a child: the kernel's flags are gone with the waiters. */
void plf_sections_after_fork(void)
{
	for (size_t i = 0; i < PLF_SECTIONS; i++)
		if (plf_me.section[i].kept != PLF_KEPT_NOT)
			plf_me.section[i].mutex->lock = plf_me.tid;
}
