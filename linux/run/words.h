/* SPDX-License-Identifier: MIT */
#ifndef RUN_WORDS_H
#define RUN_WORDS_H

/* A text file as statements: lines of words, without comments and blank lines. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct words {
	const char *path;
	FILE *file;
	unsigned line;
	char *text;
	size_t room;
	char *rest; /* of the line */
};

/* Print "plan.txt:12: ..." on stderr; return false. */
__attribute__((format(printf, 3, 4))) bool complain_at(const char *path, unsigned line,
						       const char *format, ...);
#define complain(words, ...) complain_at((words)->path, (words)->line, __VA_ARGS__)

__attribute__((warn_unused_result)) bool open_words(struct words *words, const char *path);
void close_words(struct words *words);

/*
 * The first word of the next statement. NULL: no statement is left; or, if *WRONG, an error with a
 * message.
 */
char *next_statement(struct words *words, bool *wrong);

/* The next word of the statement, or NULL. */
char *next_word(struct words *words);

/* Read the next word as a number. `what` names it in a complaint. */
__attribute__((warn_unused_result)) bool next_number(struct words *words, const char *what,
						     int64_t least, int64_t most, int64_t *number);
__attribute__((warn_unused_result)) bool to_number(struct words *words, const char *what,
						   const char *word, int64_t least, int64_t most,
						   int64_t *number);

/* Is no word left? False: a message says so. */
__attribute__((warn_unused_result)) bool statement_ends(struct words *words);

/* A word of the file, for a complaint: printable and not too long. Valid until the next call. */
const char *quoted(const char *word);

#endif
