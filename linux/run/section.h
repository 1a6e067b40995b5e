/* SPDX-License-Identifier: MIT */
#ifndef RUN_SECTION_H
#define RUN_SECTION_H

/*
 * Critical sections that run in the kernel: from an outermost lock of a body to its
 * unlock, each is one call of the driver of linux/module/example.
 */
#include "log.h"
#include "pace.h"

#include <immpc_driver.h>

struct section {
	const struct step *steps;
	size_t step_count;
	uint32_t number; /* the driver's */
	struct immpc_event *events;
};

/* Whether the driver takes all sections of the plan. False: it said why not. */
__attribute__((warn_unused_result)) bool check_sections(const struct plan *plan);

/* Make the sections of a task, in the place of their first steps. 0 or an errno value. EDEADLK:
 * they lock in another order than those made before. */
__attribute__((warn_unused_result)) int make_sections(struct section **sections,
						      const struct task *task,
						      const union lock *locks,
						      const struct pace *pace, size_t gap_room);

/* Execute it and log its events. 0 or an errno value. */
__attribute__((warn_unused_result)) int run_section(struct section *section, struct log *log);

#endif
