/* SPDX-License-Identifier: MIT */

/*
 * plafond-post NAME [FILE]: the guest's way out. Send a file, or standard input, to the port
 * that the virtual machine writes to the host: "NAME BYTES\n", then the bytes. A port is all it
 * needs: no driver, no network. One at a time: two would mix their bytes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>

enum { PORT = 0xe9, NAME_MAX_BYTES = 200 };

static int fail(const char *what)
{
	fprintf(stderr, "post: %s: %s\n", what, strerror(errno));
	return 1;
}

/* NULL: no memory, or it cannot be read. */
static char *read_whole(FILE *file, size_t *bytes)
{
	char *content = NULL;
	FILE *copy = open_memstream(&content, bytes);
	char chunk[4096];
	size_t got;

	if (copy == NULL)
		return NULL;
	while ((got = fread(chunk, 1, sizeof(chunk), file)) > 0)
		fwrite(chunk, 1, got, copy);
	return fclose(copy) == 0 && !ferror(file) ? content : NULL;
}

static void write_to_port(const char *bytes, size_t count)
{
	__asm__ volatile("rep outsb" : "+S"(bytes), "+c"(count) : "d"(PORT) : "memory");
}

int main(int argc, char **argv)
{
	FILE *file = argc == 3 ? fopen(argv[2], "r") : stdin;
	char header[NAME_MAX_BYTES + 32];
	char *content;
	size_t bytes;

	if (argc < 2 || argc > 3 || strlen(argv[1]) > NAME_MAX_BYTES) {
		fputs("usage: plafond-post NAME [FILE]\n", stderr);
		return 2;
	}
	if (file == NULL)
		return fail(argv[2]);
	content = read_whole(file, &bytes);
	if (content == NULL)
		return fail(argc == 3 ? argv[2] : "standard input");
	if (ioperm(PORT, 1, 1) != 0)
		return fail("the port to the host");
	snprintf(header, sizeof(header), "%s %zu\n", argv[1], bytes);
	write_to_port(header, strlen(header));
	write_to_port(content, bytes);
	return 0;
}
