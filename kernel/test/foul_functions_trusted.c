/* SPDX-License-Identifier: MIT */
/*
 * A correct trusted function: it checks memory before it reads it, and uses a copy of the
 * parameters.
 */
#include "foul_functions.h"

void TRUSTED_COPY(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters);
void TRUSTED_TRUST(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters);

static AccessType access_to(const volatile void *address, size_t size)
{
	TaskType task;

	EXPECT(GetTaskID(&task), E_OK);
	return CheckTaskMemoryAccess(task, address, size);
}

static enum answer copy(const void *parameters)
{
	struct copy copy;

	if (!OSMEMORY_IS_READABLE(access_to(parameters, sizeof(copy))))
		return NO_REQUEST;
	copy = *(const struct copy *)parameters;
	if (!OSMEMORY_IS_READABLE(access_to(copy.from, copy.size)))
		return NO_SOURCE;
	if (!OSMEMORY_IS_WRITEABLE(access_to(copy.to, copy.size)))
		return NO_TARGET;
	for (size_t i = 0; i < copy.size; i++)
		((volatile char *)copy.to)[i] = ((const volatile char *)copy.from)[i];
	return COPIED;
}

void TRUSTED_COPY(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters)
{
	EXPECT(index, COPY);
	answered = copy(parameters);
}

/* An incorrect function, which does not check. */
void TRUSTED_TRUST(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters)
{
	EXPECT(index, TRUST);
	*(volatile char *)parameters = 0;
}
