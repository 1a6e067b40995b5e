/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "section.h"

#include "claims.h"
#include "commit.h"
#include "frames.h"
#include "place.h"
#include "priority.h"
#include "robust.h"
#include "settings.h"
#include "settle.h"

#include <errno.h>

/* ---- The account of open sections -------------------------------------- */

static struct plf_section *section_of(const struct plf_protect *m)
{
	for (size_t i = 0; i < PLF_SECTIONS; i++)
		if (plf_me.section[i].kept != PLF_KEPT_NOT && plf_me.section[i].mutex == m)
			return &plf_me.section[i];
	return NULL;
}

/*
 * A free entry for a section without a frame. A section with a frame has the entry with the frame's
 * number. That entry is free, because a frame is pushed only if all open sections have frames.
 */
static struct plf_section *free_section(void)
{
	for (size_t i = 0; i < PLF_SECTIONS; i++)
		if (plf_me.section[i].kept == PLF_KEPT_NOT)
			return &plf_me.section[i];
	return NULL;
}

/*
 * A section without an account is eager or inherited. Its mutex has the ceiling, and is in a list
 * of the thread, because the thread must own the mutex in a child of fork().
 */
static void keep_beyond(struct plf_protect *m, enum plf_kept kept, int ceiling)
{
	m->ceiling = kept == PLF_KEPT_EAGERLY ? (uint8_t)ceiling : 0;
	if (m->kind & PLF_KIND_ROBUST)
		return;
	m->link[0] = plf_me.beyond;
	plf_me.beyond = m;
}

static void forget_beyond(const struct plf_protect *m)
{
	void **link = &plf_me.beyond;

	if (m->kind & PLF_KIND_ROBUST)
		return;
	while (*link != m)
		link = ((struct plf_protect *)*link)->link;
	*link = m->link[0];
}

static enum plf_kept kept_of(const struct plf_protect *m, const struct plf_section *section)
{
	if (section != NULL)
		return section->kept;
	return m->ceiling != 0 ? PLF_KEPT_EAGERLY : PLF_KEPT_INHERITED;
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
	int frame;	  /* its number, if there is a frame */
	enum plf_why why; /* the reason, if a section that may be lazy is eager */
};

/* A thread in a section waits for no other section. EAGAIN: the caller was moved, look again. */
static int wait_for_others(void)
{
	if (plf_me.place == NULL || plf_me.inside > 0 || plf_wait_for_cover())
		return 0;
	plf_commit_moved();
	return EAGAIN;
}

/*
 * Priority by a frame. Allowed only if all sections below have frames. EAGAIN as above. The
 * priority of an eager section below may preempt a thread after that thread's hook. Such a thread
 * goes on when the eager section ends, no matter which frames are there by then.
 */
static int push_frame(struct opening *o)
{
	o->why = plf_me.inside != plf_me.published ? PLF_RAISED : PLF_DEPTH;
	if (o->why == PLF_RAISED)
		return 0;
	o->frame = plf_frame_push(o->ceiling);
	if (o->frame == PLF_NOT_AT_HOME) {
		plf_commit_moved();
		return EAGAIN;
	}
	o->kept = o->frame == PLF_NO_FRAME ? PLF_KEPT_EAGERLY : PLF_KEPT_BY_FRAME;
	return 0;
}

/* Priority by a claim, which needs an account. Allowed only if there is no eager section. */
static void claim(struct opening *o)
{
	o->kept = PLF_KEPT_EAGERLY;
	o->why = plf_me.raised_to != 0 ? PLF_RAISED : PLF_DEPTH;
	if (plf_me.raised_to != 0 || free_section() == NULL)
		return;
	if (!plf_claims_join()) {
		plf_me.may_claim = false;
		plf_me.why_eager = PLF_NO_MEMORY;
		return;
	}
	plf_claims_raise(o->ceiling);
	plf_me.claims++;
	o->kept = PLF_KEPT_BY_CLAIM;
}

static int be_lazy(struct opening *o)
{
	if (!plf_me.may_claim)
		return push_frame(o);
	claim(o);
	return 0;
}

static bool may_be_lazy(const struct opening *o)
{
	return (plf_me.rank != PLF_RANK_FAR || plf_me.may_claim) &&
	       (o->ceiling <= plf_me.most || o->ceiling <= plf_me.priority);
}

/*
 * A learned ceiling causes no error, and no call for a thread that cannot be lazy: it inherits, as
 * before. Claims are committed, because they do not stay beside an eager section.
 */
static int raise_eagerly(struct opening *o)
{
	bool may_inherit = o->m->learned && plf_mode == PLF_MODE_LAZY;
	int error = EPERM;

	if (!may_inherit || may_be_lazy(o)) {
		if (plf_me.claims != 0)
			plf_commit(PLF_SCHEDULING_CALL);
		error = plf_priority_raise(o->ceiling);
	}
	o->kept = error != 0 && may_inherit ? PLF_KEPT_INHERITED : PLF_KEPT_EAGERLY;
	return may_inherit ? 0 : error;
}

/* The kernel's present answer decides about a refusal. EAGAIN: another base, settle anew. */
static int refuse(int error)
{
	if (!plf_priority_ask_again())
		return error;
	plf_unsettle(&plf_me);
	return EAGAIN;
}

static enum plf_why why_eager(const struct opening *o)
{
	if (plf_me.why_eager != PLF_WHYS)
		return plf_me.why_eager;
	return may_be_lazy(o) ? o->why : PLF_PRIVILEGE;
}

/* Priority comes first. EINVAL: the base priority is above the ceiling. EAGAIN: look again. */
static int take_priority(struct opening *o)
{
	int error = 0;

	o->kept = PLF_KEPT_EAGERLY;
	if (plf_me.priority > o->ceiling) {
		if (!o->m->learned)
			return refuse(EINVAL);
		plf_counts.above_ceiling++;
		o->kept = PLF_KEPT_INHERITED;
		return 0;
	}
	error = wait_for_others();
	if (error == 0 && may_be_lazy(o))
		error = be_lazy(o);
	if (error == 0 && o->kept == PLF_KEPT_EAGERLY)
		error = raise_eagerly(o);
	return error == EINVAL ? refuse(error) : error;
}

/* Withdraw the claim of a section that has no account yet, or no longer. */
static void give_claim(void)
{
	plf_me.claims--;
	plf_claims_lower(plf_me.claims == 0 ? 0 : plf_highest_ceiling(&plf_me, PLF_KEPT_BY_CLAIM));
	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* pairs with begin_change() in sched.c */
	if (__atomic_load_n(&plf_me.settled, __ATOMIC_RELAXED))
		return;
	if (plf_me.claims != 0)
		plf_commit(PLF_SCHEDULING_CALL);
	else
		plf_priority_renew();
}

static void give_priority(struct opening *o)
{
	if (o->kept == PLF_KEPT_EAGERLY)
		plf_priority_lower(o->ceiling);
	else if (o->kept == PLF_KEPT_BY_CLAIM)
		give_claim();
	else if (o->kept == PLF_KEPT_BY_FRAME && !plf_frame_take_off((uint32_t)o->frame))
		plf_leave_place_behind();
}

/*
 * Waits that POSIX knows only as endless: for the caller itself, in a cycle, for a thread that is
 * gone, or that fork() left behind in another process.
 */
static int end_of_wait(const struct plf_protect *m, int error, const struct plf_deadline *deadline)
{
	bool returns_it = (m->kind & PLF_KIND_TYPE) == PTHREAD_MUTEX_ERRORCHECK;

	if (error == ESRCH || error == EPERM || (error == EDEADLK && !returns_it))
		return plf_sleep_forever(m, deadline);
	return error;
}

/*
 * The lock word has made the caller the holder: give it its priority, and refuse nothing any more.
 * It gets no frame, because the next waiter's priority may have preempted a thread after its hook,
 * and that waiter may give up.
 */
static void take_priority_again(struct opening *o)
{
	o->kept = PLF_KEPT_EAGERLY;
	o->why = PLF_RAISED;
	if (may_be_lazy(o) && plf_me.may_claim)
		claim(o);
	if (o->kept == PLF_KEPT_EAGERLY && raise_eagerly(o) != 0)
		o->kept = PLF_KEPT_INHERITED;
}

/*
 * Sleep for the holder, at the caller's own priority, because the ceiling belongs to the owner.
 * Sleep without frames, because the holder may be waiting for a thread that a frame would cover.
 * With the lock word the caller holds a mutex, so it waits for no section that covers it.
 */
static int wait_for_holder(struct opening *o, const struct plf_deadline *deadline)
{
	bool inherits = o->kept == PLF_KEPT_INHERITED;
	int error = plf_check_deadline(deadline);

	if (error != 0)
		return error;
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
	} else if (plf_is_lazy(o->kept)) {
		plf_counts.locks_lazy++;
		plf_counts.system_calls_saved += o->ceiling > plf_me.priority ? 2 : 0;
	} else {
		plf_counts.locks_inherited++;
	}
}

/* A section with a frame has the account of its frame. */
static void enter_in_account(const struct opening *o)
{
	struct plf_section *section =
		o->kept == PLF_KEPT_BY_FRAME ? &plf_me.section[o->frame] : free_section();

	if (section != NULL)
		*section = (struct plf_section) { .mutex = o->m,
						  .ceiling = (uint8_t)o->ceiling,
						  .kept = (uint8_t)o->kept };
	else
		keep_beyond(o->m, o->kept, o->ceiling);
	plf_me.inside++;
}

static int try_to_open(struct opening *o, bool may_wait, const struct plf_deadline *deadline)
{
	int error;

	plf_settle_to_lock();
	o->ceiling = plf_home_ceiling(plf_home(o->m));
	error = take_priority(o);
	if (error != 0)
		return error;
	plf_robust_begin(o->m);
	error = take_lock_word(o, may_wait, deadline);
	if (error == 0 && plf_home_ceiling(plf_home(o->m)) != o->ceiling) {
		plf_lock_word_give(o->m); /* the ceiling changed before we had the lock */
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
	plf_commit_moved();
}

void plf_section_close(struct plf_protect *m)
{
	struct plf_section *section = section_of(m);
	int ceiling = section == NULL ? m->ceiling : section->ceiling;
	enum plf_kept kept = kept_of(m, section);

	if (section == NULL)
		forget_beyond(m);
	plf_robust_leave(m);
	plf_lock_word_give(m);
	plf_robust_end();
	if (kept == PLF_KEPT_EAGERLY)
		plf_priority_lower(ceiling);
	if (kept == PLF_KEPT_BY_FRAME)
		end_frame(plf_number_of(section));
	else if (section != NULL)
		section->kept = PLF_KEPT_NOT;
	if (kept == PLF_KEPT_BY_CLAIM)
		give_claim();
	plf_me.inside--;
}

int plf_section_end_first(void)
{
	plf_me.busy++;
	plf_set_published(1);
	end_frame(0);
	plf_me.busy--;
	return 0;
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
	if (kept_of(m, section) == PLF_KEPT_INHERITED)
		return 0;
	error = plf_priority_raise(ceiling);
	if (error != 0)
		return error;
	plf_priority_lower(before);
	if (section == NULL)
		m->ceiling = (uint8_t)ceiling;
	else
		section->ceiling = (uint8_t)ceiling;
	return 0;
}

static void own_in_child(struct plf_protect *m)
{
	m->lock = plf_me.tid;
	m->owner = plf_me.tid;
}

/* No thread waits in a child, so the kernel's flags are cleared. */
void plf_sections_after_fork(void)
{
	for (size_t i = 0; i < PLF_SECTIONS; i++)
		if (plf_me.section[i].kept != PLF_KEPT_NOT)
			own_in_child(plf_me.section[i].mutex);
	for (struct plf_protect *m = plf_me.beyond; m != NULL; m = m->link[0])
		own_in_child(m);
}
