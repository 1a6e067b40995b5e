/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/* Ceilings are read from a file, and wrong lines are reported. */
#include "ceilings.h"
#include "here.h"
#include "site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In each text SITE is this program's site, and MANY is more lines than there is room for. */
static const struct {
	const char *text;
	int first, second;  /* ceilings of orders 1 and 2 */
	const char *output; /* "": nothing */
} cases[] = {
	{ "", 0, 0, "" },
	{ "# nothing\n\n   \t\n", 0, 0, "" },
	{ "SITE 1 50\nSITE 2 51\n", 50, 51, "" },
	{ "\t SITE\t1  99   # why\r\nSITE 2 1", 99, 1, "" },
	{ "other 0x10 1 5\nSITE 2 7\nwith a blank 0x10 1 5\n", 0, 7, "" },
	{ "SITE 1\nSITE 2 7\n", 0, 7, ":1: expected 'module offset order ceiling'" },
	{ "SITE 2 inherit\nSITE 1 inherit # why\n", PLF_TO_INHERIT, PLF_TO_INHERIT, "" },
	{ "SITE 1 inherited\nSITE 2 7\n", 0, 7,
	  ":1: expected a ceiling from 1 to 99 at the end, or" },
	{ "# x\nSITE 1 0\nSITE 2 7\n", 0, 7, ":2: expected a ceiling from 1 to 99 at the end" },
	{ "SITE 1 100\n", 0, 0, ":1: expected a ceiling from 1 to 99" },
	{ "SITE 1 -5\n", 0, 0, ":1: expected a ceiling from 1 to 99" },
	{ "SITE 1 5x\n", 0, 0, ":1: expected a ceiling from 1 to 99" },
	{ "SITE -1 5\n", 0, 0, ":1: expected an order from 0" },
	{ "SITE 4294967297 5\n", 0, 0, ":1: expected an order from 0" },
	{ "app 0xyz 1 5\n", 0, 0, ":1: expected an offset such as 0x12ab" },
	{ "SITE 1 5\nSITE 1 6\n", 5, 0, ":2: expected one ceiling for each mutex" },
	{ "bad\nSITE 1 5\nworse\nworst\n", 5, 0,
	  ":1: expected 'module offset order ceiling', "
	  "as in 'app 0x12ab 1 50': line ignored, and 2 more" },
	{ "SITE 1 5\nMANY", 5, 0,
	  ":4097: expected at most 4096 ceilings: line ignored, and 3 more" },
	{ "LONG\nSITE 1 5\n", 5, 0, ":1: expected a line shorter than 512 characters" },
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static const char PATH[] = "ceilings_file.table";

static void write_word(FILE *file, const char *word)
{
	struct plf_site site;

	if (strncmp(word, "SITE", 4) == 0) {
		plf_site_of(HERE, &site);
		fprintf(file, "%s 0x%llx", site.module, (unsigned long long)site.offset);
	} else if (strncmp(word, "MANY", 4) == 0) {
		for (int order = 1; order < PLF_CEILINGS + 4; order++)
			fprintf(file, "many 0x10 %d 5\n", order);
	} else {
		fprintf(file, "%0600d", 0);
	}
}

static void write_file(const char *text)
{
	FILE *file = fopen(PATH, "we");

	assert_non_null(file);
	for (; *text != '\0'; text++) {
		if (strncmp(text, "SITE", 4) != 0 && strncmp(text, "MANY", 4) != 0 &&
		    strncmp(text, "LONG", 4) != 0) {
			fputc(*text, file);
			continue;
		}
		write_word(file, text);
		text += 3;
	}
	assert_int_equal(fclose(file), 0);
}

/* In a child, because a process reads the table once. */
static void read_it(int first, int second)
{
	plf_ceilings_start(PATH);
	if (plf_ceiling_for(HERE, 0, 1) != first || plf_ceiling_for(HERE, 0, 2) != second)
		_exit(1);
	if (plf_ceiling_for(HERE, 0, 3) != 0 || plf_ceiling_for((const char *)HERE + 1, 0, 1) != 0)
		_exit(2);
	if (plf_ceilings_at_locks)
		_exit(3);
	_exit(plf_ceilings_known || (first == 0 && second == 0) ? 0 : 3);
}

static int read_in_child(size_t number, char *output, size_t room)
{
	size_t length = 0;
	ssize_t size;
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		read_it(cases[number].first, cases[number].second);
	}
	close(ends[1]);
	while ((size = read(ends[0], output + length, room - 1 - length)) > 0)
		length += (size_t)size;
	output[length] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void check(size_t number)
{
	char output[1024];

	write_file(cases[number].text);
	if (read_in_child(number, output, sizeof(output)) != 0)
		fail_msg("case %zu: other ceilings than expected; output: %s", number, output);
	if (cases[number].output[0] == '\0') {
		assert_string_equal(output, "");
		return;
	}
	if (strstr(output, cases[number].output) == NULL)
		fail_msg("case %zu: output '%s', not '%s'", number, output, cases[number].output);
	assert_memory_equal(output, "plafond: ceilings_file.table:", 29);
	assert_ptr_equal(strchr(output, '\n'), output + strlen(output) - 1); /* one line */
}

static void each_line_is_read_or_reported(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASES; i++)
		check(i);
	unlink(PATH);
}

/* Only then must each first lock be looked at. */
static void order_0_is_of_mutexes_that_no_call_makes(void **state)
{
	int status;
	pid_t child;

	(void)state;
	write_file("SITE 0 inherit\nSITE 1 5\n");
	child = fork();
	if (child == 0) {
		plf_ceilings_start(PATH);
		_exit(plf_ceilings_at_locks &&
				      plf_ceiling_for(HERE, 0, PLF_ORDER_NONE) == PLF_TO_INHERIT &&
				      plf_ceiling_for(HERE, 0, 1) == 5
			      ? 0
			      : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	unlink(PATH);
}

static void a_missing_file_is_reported(void **state)
{
	char output[1024];

	(void)state;
	unlink(PATH);
	assert_int_equal(read_in_child(0, output, sizeof(output)), 0);
	assert_string_equal(output, "plafond: cannot read the ceilings ceilings_file.table: "
				    "No such file or directory\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_is_read_or_reported),
		cmocka_unit_test(order_0_is_of_mutexes_that_no_call_makes),
		cmocka_unit_test(a_missing_file_is_reported),
	};

	plf_site_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
