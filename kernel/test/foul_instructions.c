/* SPDX-License-Identifier: MIT */
/*
 * Instructions that user mode must not execute, each in a function. Registers without a name here
 * belong to the interrupt controller.
 */
#include "foul_faults.h"

#define INSTRUCTIONS(X)                                                                            \
	X(msr_daifset, "msr daifset, #2")                                                          \
	X(msr_daifclr, "msr daifclr, #2")                                                          \
	X(mrs_daif, "mrs x0, daif")                                                                \
	X(msr_daif, "msr daif, xzr")                                                               \
	X(msr_spsel, "msr spsel, #0")                                                              \
	X(mrs_currentel, "mrs x0, currentel")                                                      \
	X(msr_vbar, "msr vbar_el1, xzr")                                                           \
	X(msr_ttbr0, "msr ttbr0_el1, xzr")                                                         \
	X(msr_ttbr1, "msr ttbr1_el1, xzr")                                                         \
	X(msr_tcr, "msr tcr_el1, xzr")                                                             \
	X(mrs_sctlr, "mrs x0, sctlr_el1")                                                          \
	X(msr_sctlr, "msr sctlr_el1, xzr")                                                         \
	X(msr_cpacr, "msr cpacr_el1, xzr")                                                         \
	X(msr_elr, "msr elr_el1, xzr")                                                             \
	X(mrs_spsr, "mrs x0, spsr_el1")                                                            \
	X(msr_spsr, "msr spsr_el1, xzr")                                                           \
	X(mrs_sp_el0, "mrs x0, sp_el0")                                                            \
	X(msr_tpidr_el1, "msr tpidr_el1, xzr")                                                     \
	X(msr_tpidrro, "msr tpidrro_el0, xzr")                                                     \
	X(mrs_midr, "mrs x0, midr_el1")                                                            \
	X(mrs_ctr, "mrs x0, ctr_el0")                                                              \
	X(msr_contextidr, "msr contextidr_el1, xzr")                                               \
	X(tlbi, "tlbi vmalle1")                                                                    \
	X(at_kernel, "at s1e1r, x0")                                                               \
	X(ic_all, "ic iallu")                                                                      \
	X(ic_line, "mov x0, sp\n\tic ivau, x0")                                                    \
	X(dc_clean, "mov x0, sp\n\tdc cvac, x0")                                                   \
	X(dc_clean_invalidate, "mov x0, sp\n\tdc civac, x0")                                       \
	X(dc_invalidate, "mov x0, sp\n\tdc ivac, x0")                                              \
	X(dc_zero, "mov x0, sp\n\tdc zva, x0")                                                     \
	X(dc_set_way, "dc isw, xzr")                                                               \
	X(eret, "eret")                                                                            \
	X(drps, "drps")                                                                            \
	X(hvc, "hvc #0")                                                                           \
	X(smc, "smc #0")                                                                           \
	X(brk, "brk #1")                                                                           \
	X(semihosting_exit, "mov x0, #0x18\n\tmov x1, xzr\n\thlt #0xf000")                         \
	X(hlt, "hlt #1")                                                                           \
	X(dcps1, "dcps1")                                                                          \
	X(dcps2, "dcps2")                                                                          \
	X(dcps3, "dcps3")                                                                          \
	X(undefined, ".inst 0")                                                                    \
	X(wfi, "wfi")                                                                              \
	X(mrs_cntpct, "mrs x0, cntpct_el0")                                                        \
	X(msr_cntv_ctl, "msr cntv_ctl_el0, xzr")                                                   \
	X(mrs_cntv_cval, "mrs x0, cntv_cval_el0")                                                  \
	X(msr_cntp_ctl, "msr cntp_ctl_el0, xzr")                                                   \
	X(msr_cntkctl, "msr cntkctl_el1, xzr")                                                     \
	X(msr_cntfrq, "msr cntfrq_el0, xzr")                                                       \
	X(msr_pmcr, "msr pmcr_el0, xzr")                                                           \
	X(msr_pmccntr, "msr pmccntr_el0, xzr")                                                     \
	X(msr_pmcntenclr, "msr pmcntenclr_el0, xzr")                                               \
	X(msr_pmuserenr, "msr pmuserenr_el0, xzr")                                                 \
	X(msr_mdscr, "msr mdscr_el1, xzr")                                                         \
	X(msr_oslar, "msr oslar_el1, xzr")                                                         \
	X(msr_icc_pmr, "msr s3_0_c4_c6_0, xzr")                                                    \
	X(mrs_icc_iar1, "mrs x0, s3_0_c12_c12_0")                                                  \
	X(msr_icc_eoir1, "msr s3_0_c12_c12_1, xzr")                                                \
	X(msr_icc_sgi1r, "msr s3_0_c12_c11_5, xzr")                                                \
	X(msr_icc_igrpen1, "msr s3_0_c12_c12_7, xzr")                                              \
	X(fp_move, "fmov d0, xzr")                                                                 \
	X(fp_load, "ldr q0, [sp]")                                                                 \
	X(fp_status, "mrs x0, fpcr")

#define DEFINE(name, code)                                                                         \
	static void do_##name(void)                                                                \
	{                                                                                          \
		__asm__ volatile(code ::: "x0", "x1", "memory");                                   \
	}
INSTRUCTIONS(DEFINE)

#define ENTRY(name, code) { #name, do_##name, E_OS_PROTECTION_EXCEPTION },
const struct attempt other_attempts[] = {
	INSTRUCTIONS(ENTRY) { NULL, NULL, E_OK },
};
