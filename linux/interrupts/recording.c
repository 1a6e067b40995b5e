/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "recording.h"

#include "../machine/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the numbers of the file");
_Static_assert(sizeof(struct chunk_header) == 16, "no padding");

enum { ROOM_BYTES = 1 << 20 };

static const char MAGIC[] = "PLFKREC1";

static void write_all(struct recording *recording, const char *bytes, size_t length)
{
	while (length > 0 && recording->error == 0) {
		ssize_t written = write(recording->file, bytes, length);

		if (written < 0) {
			recording->error = errno == EINTR ? 0 : errno;
			continue;
		}
		bytes += written;
		length -= (size_t)written;
	}
}

bool open_recording(struct recording *recording, const char *path)
{
	*recording = (struct recording) { .path = path };
	recording->room = malloc(ROOM_BYTES);
	recording->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (recording->room != NULL && recording->file >= 0) {
		write_all(recording, MAGIC, strlen(MAGIC));
		return true;
	}
	refuse("cannot write %s: %s", path, strerror(errno));
	free(recording->room);
	return false;
}

void flush_recording(struct recording *recording)
{
	write_all(recording, recording->room, recording->used);
	recording->used = 0;
}

void put_chunk(struct recording *recording, enum chunk_kind kind, uint32_t cpu, const void *payload,
	       size_t bytes)
{
	const struct chunk_header header = { .kind = kind, .cpu = cpu, .bytes = bytes };

	flush_recording(recording);
	write_all(recording, (const char *)&header, sizeof(header));
	write_all(recording, payload, bytes);
}

void *page_room(struct recording *recording)
{
	if (recording->used + sizeof(struct chunk_header) + MOST_PAGE_BYTES > ROOM_BYTES)
		flush_recording(recording);
	return recording->room + recording->used + sizeof(struct chunk_header);
}

void put_page(struct recording *recording, uint32_t cpu, size_t bytes)
{
	const struct chunk_header header = { .kind = CHUNK_PAGE, .cpu = cpu, .bytes = bytes };

	memcpy(recording->room + recording->used, &header, sizeof(header));
	recording->used += sizeof(header) + bytes;
}

bool close_recording(struct recording *recording)
{
	flush_recording(recording);
	if (close(recording->file) != 0 && recording->error == 0)
		recording->error = errno;
	free(recording->room);
	if (recording->error == 0)
		return true;
	fail("cannot write %s: %s", recording->path, strerror(recording->error));
	return false;
}
