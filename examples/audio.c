/* SPDX-License-Identifier: MIT */
/*
 * The audio callback must not block, because 64 frames at 48 kHz are due every 1.33 ms.
 *
 * Each callback reads the parameters of a filter under a lock. The control thread has the lowest
 * priority and writes them under the same lock: a single parameter when a knob moves, and all when
 * a preset is loaded. A third thread, of a priority between, reads files ahead without the lock.
 *
 * cc -O2 audio.c -o audio -pthread
 * usage: audio none|inherit|protect [PRESETS], of 15 callbacks each
 */
#include "pthreads.h"

enum { AUDIO = 70, READ_AHEAD = 40, CONTROL = 10 }; /* priorities; a larger number is more urgent */
enum { CALLBACKS = 15, MOVES = 150, READS = 4 };    /* for each preset */
enum { PARAMETERS = 16, FRAMES = 64, RATE = 48000 };
static const int64_t preset_ns = 20 * MS;

static pthread_mutex_t lock;
static struct {
	float left, right; /* a callback must see both of the same update */
} parameters[PARAMETERS];

static int presets = 100;
static int64_t start_ns;
static struct lateness callbacks;
static int torn, moves;
static int64_t moving_ns; /* processor time of all moves */

static void set_parameter(int number, float value)
{
	pthread_mutex_lock(&lock);
	parameters[number].left = value;
	parameters[number].right = -value;
	pthread_mutex_unlock(&lock);
}

static void load_preset(float value)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < PARAMETERS; i++) {
		parameters[i].left = value;
		work(25 * US);
		parameters[i].right = -value;
	}
	pthread_mutex_unlock(&lock);
}

static void *control(void *unused)
{
	for (int preset = 0; preset < presets; preset++) {
		int64_t begun_ns;

		sleep_until(start_ns + preset * preset_ns);
		load_preset((float)preset);
		begun_ns = ns_of(CLOCK_THREAD_CPUTIME_ID);
		for (int i = 0; i < MOVES; i++, moves++)
			set_parameter(i % PARAMETERS, (float)i);
		moving_ns += ns_of(CLOCK_THREAD_CPUTIME_ID) - begun_ns;
	}
	return unused;
}

static void *read_ahead(void *unused)
{
	for (int read = 0; read < presets * READS; read++) {
		sleep_until(start_ns + 200 * US + read * preset_ns / READS);
		work(2 * MS);
	}
	return unused;
}

static void callback(int64_t release_ns)
{
	pthread_mutex_lock(&lock);
	note_wait(&callbacks, release_ns);
	for (int i = 0; i < PARAMETERS; i++)
		torn += parameters[i].left != -parameters[i].right;
	pthread_mutex_unlock(&lock);
	work(100 * US); /* the filter */
}

static void *audio(void *unused)
{
	const int64_t period_ns = (int64_t)FRAMES * S / RATE;

	for (int i = 0; i < presets * CALLBACKS; i++) {
		int64_t release_ns = start_ns + 300 * US + i * preset_ns / CALLBACKS;

		sleep_until(release_ns);
		callback(release_ns);
		note_end(&callbacks, release_ns + period_ns);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];

	if (argc > 2)
		presets = count_of(argv[2]);
	stay_on_one_cpu();
	make_mutex(&lock, argc > 1 ? argv[1] : "none", AUDIO);
	start_ns = now_ns() + 10 * MS;
	threads[0] = start(AUDIO, audio, NULL);
	threads[1] = start(READ_AHEAD, read_ahead, NULL);
	threads[2] = start(CONTROL, control, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	print_lateness("callbacks", &callbacks);
	printf("; moves %d of %lld ns, torn %d\n", moves, (long long)(moving_ns / moves), torn);
	return torn != 0;
}
