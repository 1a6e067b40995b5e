/* SPDX-License-Identifier: MIT */
/* Print the suite's differing expectations of the drop-in and the C library, as Markdown. */
#include "differences.h"

int main(void)
{
	print_differences();
	return 0;
}
