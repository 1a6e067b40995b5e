/* SPDX-License-Identifier: MIT */
/* Print what the suite expects of the drop-in otherwise than of the C library, as Markdown. */
#include "differences.h"

int main(void)
{
	print_differences();
	return 0;
}
