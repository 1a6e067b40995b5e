/* SPDX-License-Identifier: MIT */

/*
 * Linked into a library with marks: each block stores 1 at its number. The file that PLF_MARKS
 * names has the blocks that ran in this process and its children, even if these are killed.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MARKS = 4096 };

unsigned char plf_marks[MARKS] __attribute__((aligned(4096), visibility("hidden")));

/* Runs before the library's own constructor. */
__attribute__((constructor(101))) static void share_marks(void)
{
	const char *name = getenv("PLF_MARKS");
	int file;

	if (name == NULL)
		return;
	file = open(name, O_RDWR | O_CLOEXEC);
	if (file < 0 || mmap(plf_marks, MARKS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
			     0) == MAP_FAILED)
		abort();
	close(file);
}
