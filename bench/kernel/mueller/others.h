/* SPDX-License-Identifier: MIT */
#ifndef BENCH_OTHERS_H
#define BENCH_OTHERS_H

/*
 * All further tasks of a system that grows are the same function. A description names some of them.
 * Include this in a single source of a program.
 */
__asm__(".altmacro\n"
	".macro plf_other_task number\n"
	".globl plf_task_OTHER_\\number\n"
	".type plf_task_OTHER_\\number, %function\n"
	"plf_task_OTHER_\\number:\n"
	".endm\n"
	".pushsection .text.plf_task_OTHER, \"ax\"\n"
	".set number, 0\n"
	".rept 245\n"
	"plf_other_task %number\n"
	".set number, number + 1\n"
	".endr\n"
	"	udf #0\n" /* none of them is activated */
	".popsection\n"
	".noaltmacro\n");

#endif
