/* SPDX-License-Identifier: MIT */
/* Print the expectations in which the drop-in and the C library differ, as Markdown. */
#include "differences.h"

int main(void)
{
	print_differences();
	return 0;
}
