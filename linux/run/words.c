/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char BLANKS[] = " \t\r\n";

bool complain_at(const char *path, unsigned line, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fprintf(stderr, "%s:%u: %s\n", path, line, text);
	return false;
}

bool open_words(struct words *words, const char *path)
{
	*words = (struct words) { .path = path, .file = fopen(path, "re") };
	if (words->file != NULL)
		return true;
	fprintf(stderr, "plafond-run: cannot read %s: %s\n", path, strerror(errno));
	return false;
}

void close_words(struct words *words)
{
	fclose(words->file);
	free(words->text);
}

const char *quoted(const char *word)
{
	static char text[48];
	size_t i;

	text[0] = '"';
	for (i = 0; word[i] != '\0' && i < sizeof(text) - 6; i++)
		text[i + 1] = word[i] > ' ' && word[i] < 127 ? word[i] : '?';
	strcpy(text + i + 1, word[i] == '\0' ? "\"" : "...\"");
	return text;
}

static char *read_failed(struct words *words, bool *wrong)
{
	*wrong = ferror(words->file) != 0;
	if (*wrong)
		fprintf(stderr, "plafond-run: cannot read %s: %s\n", words->path, strerror(errno));
	return NULL;
}

char *next_statement(struct words *words, bool *wrong)
{
	char *word;

	*wrong = false;
	do {
		ssize_t length = getline(&words->text, &words->room, words->file);

		words->line++;
		if (length < 0)
			return read_failed(words, wrong);
		if (strlen(words->text) != (size_t)length) {
			*wrong = !complain(words, "a NUL byte: this is not a text file");
			return NULL;
		}
		words->text[strcspn(words->text, "#")] = '\0';
		words->rest = words->text;
		word = next_word(words);
	} while (word == NULL);
	return word;
}

char *next_word(struct words *words)
{
	char *word = words->rest + strspn(words->rest, BLANKS);
	char *end = word + strcspn(word, BLANKS);

	if (word == end)
		return NULL;
	words->rest = *end == '\0' ? end : end + 1;
	*end = '\0';
	return word;
}

/* Read digits only, without sign, blank or base. -1: something else, or too large a number. */
static int64_t digits(const char *word)
{
	size_t length = strspn(word, "0123456789");
	long long value;

	if (length == 0 || word[length] != '\0')
		return -1;
	errno = 0;
	value = strtoll(word, NULL, 10);
	return errno == 0 ? value : -1;
}

bool to_number(struct words *words, const char *what, const char *word, int64_t least, int64_t most,
	       int64_t *number)
{
	*number = digits(word);
	if (*number >= least && *number <= most)
		return true;
	return complain(words, "%s %s: expected a number from %" PRId64 " to %" PRId64, what,
			quoted(word), least, most);
}

bool next_number(struct words *words, const char *what, int64_t least, int64_t most,
		 int64_t *number)
{
	const char *word = next_word(words);

	if (word != NULL)
		return to_number(words, what, word, least, most, number);
	return complain(words, "%s is missing: expected a number from %" PRId64 " to %" PRId64,
			what, least, most);
}

bool statement_ends(struct words *words)
{
	const char *word = next_word(words);

	return word == NULL ||
	       complain(words, "unexpected %s: the statement is complete", quoted(word));
}
