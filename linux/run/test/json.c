/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <stddef.h>
#include <string.h>

/*
 * Each function takes its element off the front. Returns the rest, or NULL if the element is
 * missing.
 */
static const char *value(const char *text);

static const char *blanks(const char *text)
{
	return text == NULL ? NULL : text + strspn(text, " \t\r\n");
}

static const char *word(const char *text, const char *expected)
{
	size_t length = strlen(expected);

	return text != NULL && strncmp(text, expected, length) == 0 ? text + length : NULL;
}

static const char *digits(const char *text)
{
	size_t length = text == NULL ? 0 : strspn(text, "0123456789");

	return length == 0 ? NULL : text + length;
}

static const char *number(const char *text)
{
	text = digits(*text == '-' ? text + 1 : text);
	if (text != NULL && *text == '.')
		text = digits(text + 1);
	if (text != NULL && (*text == 'e' || *text == 'E'))
		text = digits(text + 1 + (text[1] == '-' || text[1] == '+'));
	return text;
}

static const char *string(const char *text)
{
	for (text = word(text, "\""); text != NULL && *text != '"'; text++) {
		if ((unsigned char)*text < ' ')
			return NULL;
		if (*text != '\\')
			continue;
		if (*++text == '\0' || strchr("\"\\/bfnrtu", *text) == NULL)
			return NULL;
	}
	return text == NULL ? NULL : text + 1;
}

static const char *member(const char *text)
{
	return value(word(blanks(string(text)), ":"));
}

static const char *list(const char *text, const char *close, const char *(*element)(const char *))
{
	const char *empty = word(blanks(text), close);

	if (empty != NULL)
		return empty;
	for (;;) {
		const char *end;

		text = blanks(element(blanks(text)));
		end = word(text, close);
		if (text == NULL || end != NULL)
			return end;
		text = word(text, ",");
		if (text == NULL)
			return NULL;
	}
}

static const char *value(const char *text)
{
	text = blanks(text);
	if (text == NULL)
		return NULL;
	switch (*text) {
	case '{':
		return list(text + 1, "}", member);
	case '[':
		return list(text + 1, "]", value);
	case '"':
		return string(text);
	case 't':
		return word(text, "true");
	case 'f':
		return word(text, "false");
	case 'n':
		return word(text, "null");
	default:
		return number(text);
	}
}

bool json_is_valid(const char *text)
{
	text = blanks(value(text));
	return text != NULL && *text == '\0';
}
