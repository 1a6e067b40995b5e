/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_RULES_H
#define DESIGN_RULES_H

/*
 * The rules of a world, and the printing of the way to a broken rule. The world has defined struct
 * world with a field `broken`, and RULES, which lists RULE(NAME, text) for each rule.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- The printed way ----------------------------------------------------- */

extern int readtrail; /* defined by Spin's checker: it replays a trail */
static bool is_over;  /* a rule is broken; the way ends there */

__attribute__((format(printf, 1, 2))) static inline void say(const char *format, ...)
{
	va_list values;

	if (!readtrail || is_over)
		return;
	va_start(values, format);
	fputs("| ", stdout);
	vprintf(format, values);
	putchar('\n');
	va_end(values);
}

#define RULE(name, text) BREAKS_##name,
enum rule { RULES RULES_IN_ALL };
#undef RULE

/* A bit for each rule that counts. */
#ifndef ONLY
#define ONLY ~0U
#endif

static bool asked[RULES_IN_ALL]; /* rules that the search looked at, at least once */

static inline void demand(struct world *w, bool is_so, enum rule rule)
{
#define RULE(name, text) text,
	static const char *const texts[] = { RULES };
#undef RULE

	if (!(ONLY & 1U << rule))
		return;
	asked[rule] = true;
	if (is_so || w->broken != 0)
		return;
	w->broken = (uint8_t)(1 + rule);
	say("BROKEN: %s", texts[rule]);
	is_over = true;
}

__attribute__((destructor)) static void print_asked(void)
{
#define RULE(name, text) #name,
	static const char *const names[] = { RULES };
#undef RULE

	for (unsigned rule = 0; rule < RULES_IN_ALL; rule++)
		if (asked[rule])
			printf("asked %s\n", names[rule]);
}

#endif
