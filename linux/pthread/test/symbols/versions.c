/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Condition variables of a library, named by the argument, that asks for no versions. */
#include "../../../real_time/test/patience.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

int main(int argc, char **argv)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	int (*use)(pthread_cond_t *, pthread_mutex_t *);
	pthread_cond_t cond;
	void *library;

	plf_end_if_hung();
	library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (library == NULL) {
		fprintf(stderr, "%s\n", argc == 2 ? dlerror() : "expected a library");
		return 1;
	}
	use = (__typeof__(use))dlsym(library, "use_cond");
	memset(&cond, 0xff, sizeof(cond)); /* a stack may contain anything */
	return use(&cond, &mutex);
}
