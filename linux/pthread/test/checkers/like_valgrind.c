/* SPDX-License-Identifier: MIT */
/* A library with the name of the library that helgrind preloads. */
void plf_like_valgrind(void);

void plf_like_valgrind(void)
{
}
