/* SPDX-License-Identifier: MIT */
#ifndef RUN_SECTION_H
#define RUN_SECTION_H

/*
 * Critical sections that run in the kernel. From an outermost lock of a body to its unlock, a
 * section is a single call of the driver of linux/module/example.
 */
#include "log.h"
#include "pace.h"

#include <immpc_driver.h>

struct section {
	const struct step *steps;
	size_t step_count;
	uint32_t number; /* its number in the driver */
	struct immpc_event *events;
};

/* Does the driver accept all sections of the plan? False: a message says why not. */
__attribute__((warn_unused_result)) bool check_sections(const struct plan *plan);

/*
 * Make a task's sections, each at the index of its first step. Returns 0 or an errno value.
 * EDEADLK: they lock in another order than earlier sections.
 */
__attribute__((warn_unused_result)) int make_sections(struct section **sections,
						      const struct task *task,
						      const union lock *locks,
						      const struct pace *pace, size_t gap_room);

/* Execute the section, and log its events. Returns 0 or an errno value. */
__attribute__((warn_unused_result)) int run_section(struct section *section, struct log *log);

#endif
