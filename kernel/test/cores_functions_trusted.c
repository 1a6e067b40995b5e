/* SPDX-License-Identifier: MIT */
#include "cores_functions.h"

void TRUSTED_OF_HERE(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters);
void TRUSTED_OF_THERE(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters);
void TRUSTED_MEETS(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters);

void TRUSTED_OF_HERE(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters)
{
	uint32_t *calls = parameters;

	EXPECT(index, OF_HERE);
	EXPECT(GetCoreID(), OS_CORE_ID_0);
	EXPECT(GetCurrentApplicationID(), HERE);
	++*calls;
}

void TRUSTED_OF_THERE(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters)
{
	uint32_t *calls = parameters;

	EXPECT(index, OF_THERE);
	EXPECT(GetCoreID(), OS_CORE_ID_1);
	EXPECT(GetCurrentApplicationID(), THERE);
	++*calls;
}

/*
 * A function of an application on all cores. It runs on both cores at once, and neither call
 * changes the other core's application.
 */
void TRUSTED_MEETS(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters)
{
	struct meeting *meeting = parameters;

	EXPECT(index, MEETS);
	__atomic_store_n(meeting->mine, *meeting->mine + 1, __ATOMIC_RELEASE);
	EXPECT(GetCurrentApplicationID(), ANYWHERE);
	meeting->caller = GetApplicationID();
}
