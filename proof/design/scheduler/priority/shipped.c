/* SPDX-License-Identifier: MIT */
#include "shipped.h"

#include "plf_schedule.h"

#include "configuration.h"

#include "schedule.c"

static struct plf_urgency_config of_urgency(uint64_t base)
{
	return (struct plf_urgency_config) { .base = (uint8_t)base, .internal = (uint8_t)base };
}

#include "common.h"
