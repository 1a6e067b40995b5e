/* SPDX-License-Identifier: MIT */
/* words.c and memory.c alone: statements of a file, numbers, sizes, and a touched stack. */
#define _GNU_SOURCE
#include "memory.h"
#include "words.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/plafond-words-XXXXXX";

static void open_text(struct words *words, const char *text, size_t length)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
	assert_true(open_words(words, path));
}

static void expect_statement(struct words *words, const char *first, unsigned line)
{
	bool wrong = true;
	const char *word = next_statement(words, &wrong);

	assert_false(wrong);
	assert_int_equal(words->line, line);
	if (first == NULL)
		assert_null(word);
	else
		assert_string_equal(word, first);
}

static void lines_are_statements_of_words(void **state)
{
	static const char TEXT[] = "# one\n\n \t\r\nfirst 1\t 2 # three\n#\n  second\r\nlast";
	struct words words;

	(void)state;
	open_text(&words, TEXT, sizeof(TEXT) - 1);
	expect_statement(&words, "first", 4);
	assert_string_equal(next_word(&words), "1");
	assert_string_equal(next_word(&words), "2");
	assert_null(next_word(&words));
	assert_null(next_word(&words));
	assert_true(statement_ends(&words));
	expect_statement(&words, "second", 6);
	assert_true(statement_ends(&words));
	expect_statement(&words, "last", 7);
	assert_true(statement_ends(&words));
	expect_statement(&words, NULL, 8);
	close_words(&words);
}

static void a_nul_byte_is_wrong_wherever_it_is(void **state)
{
	static const char TEXT[] = "first\nsecond\0 more\n";
	struct words words;
	bool wrong = false;

	(void)state;
	open_text(&words, TEXT, sizeof(TEXT) - 1);
	expect_statement(&words, "first", 1);
	assert_null(next_statement(&words, &wrong));
	assert_true(wrong);
	close_words(&words);
}

static void numbers_have_a_least_and_a_most(void **state)
{
	static const char TEXT[] =
		"x 5 9 4 10 +7 7a -7 9223372036854775807 9223372036854775808 07\n";
	struct words words;
	int64_t number;

	(void)state;
	open_text(&words, TEXT, sizeof(TEXT) - 1);
	expect_statement(&words, "x", 1);
	assert_true(next_number(&words, "n", 5, 9, &number));
	assert_int_equal(number, 5);
	assert_true(next_number(&words, "n", 5, 9, &number));
	assert_int_equal(number, 9);
	for (int i = 0; i < 5; i++)
		assert_false(next_number(&words, "n", 5, 9, &number));
	assert_true(next_number(&words, "n", 0, INT64_MAX, &number));
	assert_true(number == INT64_MAX);
	assert_false(next_number(&words, "n", 0, INT64_MAX, &number));
	assert_false(statement_ends(&words)); /* this takes the word */
	assert_false(next_number(&words, "n", 0, 9, &number));
	close_words(&words);
}

static void words_are_quoted_as_far_as_they_are_short_and_printable(void **state)
{
	static const char LONGEST[] = "123456789012345678901234567890123456789012";
	char word[64];

	(void)state;
	assert_string_equal(quoted("a\x01\x7f~\xc3"), "\"a??~?\"");
	assert_string_equal(quoted(""), "\"\"");
	snprintf(word, sizeof(word), "\"%s\"", LONGEST);
	assert_string_equal(quoted(LONGEST), word);
	assert_string_equal(quoted("1234567890123456789012345678901234567890123"),
			    "\"123456789012345678901234567890123456789012...\"");
}

static void sizes_are_rounded_up(void **state)
{
	static const struct {
		size_t bytes;
		const char *text;
	} sizes[] = {
		{ 0, "0 B" },
		{ 10239, "10239 B" },
		{ 10240, "10 KiB" },
		{ 10241, "11 KiB" },
		{ (size_t)10240 << 10, "10 MiB" },
		{ ((size_t)10240 << 20) + 1, "11 GiB" },
		{ (size_t)20480 << 40, "20480 TiB" },
	};
	char text[SIZE_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		assert_string_equal(size_text(text, sizes[i].bytes), sizes[i].text);
}

static long faults(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_THREAD, &usage), 0);
	return usage.ru_minflt;
}

/* Use the stack as deep as touch_stack(), less the stack of the calls on the way. */
static __attribute__((noinline, no_sanitize("address"))) void use_stack(void)
{
	volatile char depth[STACK_BYTES / 2 - 8192];

	for (size_t i = 0; i < sizeof(depth); i += 1024)
		depth[i] = 1;
}

static void *touches(void *found)
{
	long before = faults();

	touch_stack();
	before = faults();
	use_stack();
	*(long *)found = faults() - before;
	return NULL;
}

static void a_touched_stack_does_not_fault(void **state)
{
	pthread_t thread;
	long found = -1;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, touches, &found), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(found, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_statements_of_words),
		cmocka_unit_test(a_nul_byte_is_wrong_wherever_it_is),
		cmocka_unit_test(numbers_have_a_least_and_a_most),
		cmocka_unit_test(words_are_quoted_as_far_as_they_are_short_and_printable),
		cmocka_unit_test(sizes_are_rounded_up),
		cmocka_unit_test(a_touched_stack_does_not_fault),
	};
	int file = mkstemp(path), failed;

	if (file < 0)
		return 1;
	close(file);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
