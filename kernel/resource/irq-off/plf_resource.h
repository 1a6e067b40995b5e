/* SPDX-License-Identifier: MIT */
#ifndef PLF_RESOURCE_H
#define PLF_RESOURCE_H

/*
 * The pragmatic way of Zuepke 2014, Section V.A, for comparison. A section masks interrupts in user
 * mode, if the processor allows that (PLF_USER_MASKS_INTERRUPTS). It must not contain a system
 * call.
 */
#include "os_types.h"
#include "plf_find.h"
#include "plf_irq.h"
#include "plf_words.h"

static inline StatusType GetResource(ResourceType resource)
{
	plf_find_page()->resources[resource].saved = (uint32_t)plf_mask_irq();
	return E_OK;
}

static inline StatusType ReleaseResource(ResourceType resource)
{
	plf_restore_irq(plf_find_page()->resources[resource].saved);
	return E_OK;
}

#endif
