/* SPDX-License-Identifier: MIT */
/*
 * The machine that emulator.py describes: it puts a state into Unicorn, runs it, and takes the
 * state that it has become out again. States of actors and of the shared memory are numbered.
 */
#ifndef PLAFOND_PROOF_MACHINE_H
#define PLAFOND_PROOF_MACHINE_H

#include "cores.h"
#include "numbered.h"

#include <stdint.h>
#include <unicorn/unicorn.h>

enum {
	PAGE = 0x1000,
	MAX_REGISTERS = 40,
	MAX_WIDE = 32,
	MAX_ACTORS = 8,
	ARGUMENTS = 6,
};

struct piece {
	uint64_t address, size;
};

/* What emulator.py says of the processor and the image. Registers are indices into `registers`. */
struct shape {
	uc_engine *uc;
	int32_t count, wide; /* registers of 8 bytes, and of 16 behind them */
	int32_t registers[MAX_REGISTERS + MAX_WIDE];
	int32_t stack, counter, link, result; /* `link` -1: a return address is pushed */
	int32_t arguments[ARGUMENTS];
	int32_t pointer; /* Unicorn's number of a register that holds `pointers`, or -1 */
	uint64_t pointers[MAX_ACTORS];
	int32_t actors;
	int32_t has_monitor, first_mark;
	uint64_t privates[MAX_ACTORS]; /* where each actor's page is */
	uint64_t kernel_stack, scratch, back;
	struct piece text;
};

/* What went wrong. */
enum wrong {
	NOTHING,
	READS_OTHERS, /* `at`; `detail`: whose memory */
	WRITES_UNOWNED,
	NO_PROGRESS,
	EXCEPTION, /* `detail`: its number */
	LOST_STACK,
	REFUSED, /* `detail`: Unicorn's error */
	NEVER_RETURNS,
	NO_ROOM,
};

/* What a run of instructions, or of a function, led to. */
struct ran {
	int32_t actor, shared; /* numbers */
	int32_t is_marked, mark;
	uint64_t first, second; /* arguments of the mark; `first` is a function's result */
	int32_t wrong, detail;
	uint64_t at;
	int32_t stored_from, stored; /* machine_stride(): of common memory */
};

struct machine;

/* NULL: there is no memory, or Unicorn refuses. */
struct machine *machine_create(const struct shape *shape);
void machine_destroy(struct machine *machine);

/* Map `size` bytes of memory, whole pages, at that address: what it holds. */
void *machine_map(struct machine *machine, uint64_t address, uint64_t size, uint32_t rights);

/* From here on only the pieces are shared. The number of what they hold. */
int32_t machine_begin(struct machine *machine, const struct piece *pieces, int32_t count);

/* Run up to `limit` instructions, or to the next mark. */
void machine_run(struct machine *machine, int32_t actor, int32_t shared, int32_t limit,
		 struct ran *ran);

/* The actors are cores from now on: at the same time. What `cores` points to stays where it is. */
int machine_part(struct machine *machine, const struct cores *cores);

/*
 * Run to behind the next instruction that others may see, or to before the next mark or fence.
 * `has_interrupts`: the core's own interrupts see all memory, so each access to it is a step.
 */
void machine_stride(struct machine *machine, int32_t actor, int32_t shared, bool has_interrupts,
		    struct ran *ran);

/* Run a function on the kernel's stack, with the memory of that actor and the shared one. */
void machine_call(struct machine *machine, uint64_t function, const uint64_t *arguments,
		  int32_t actor, int32_t shared, struct ran *ran);

/* The same to set things up, with the memory as it is. */
void machine_prepare(struct machine *machine, uint64_t function, const uint64_t *arguments,
		     int32_t actor, struct ran *ran);

/* The same state after an interrupt, which clears the exclusive monitor. */
int32_t machine_interrupted(struct machine *machine, int32_t actor);

/* States as bytes: see `struct state`. -1: there is no memory. */
int32_t machine_number(struct machine *machine, int is_shared, const void *at, size_t length);
struct value machine_value(const struct machine *machine, int is_shared, int32_t number);

/* Whose memory is in place, and whether a function runs on the kernel's stack. */
int32_t machine_running(const struct machine *machine);
int machine_is_in_kernel(const struct machine *machine);

#endif
