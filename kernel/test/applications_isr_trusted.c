/* SPDX-License-Identifier: MIT */
#include "check.h"

ISR(LOCKS)
{
	mark('l');
	(void)GetResource(R);
	(void)ReleaseResource(R);
}

ISR(COMES)
{
	mark('c');
}

ISR(BESIDE)
{
	mark('b');
}

ISR(STAYS)
{
	mark('o');
}
