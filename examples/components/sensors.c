/* SPDX-License-Identifier: MIT */
/* The sensors. Their data are in the memory of the application SENSORS. */
#include <os.h>

static uint64_t values[4] = { 20, 21, 22, 23 };
static uint64_t readings;

/* It does not check the channel, as it should. */
uint64_t FUNCTION_READ(uint64_t channel, uint64_t scale, uint64_t c, uint64_t d)
{
	(void)c, (void)d;
	readings++;
	return values[channel] * scale + readings;
}
