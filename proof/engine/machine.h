/* SPDX-License-Identifier: MIT */
/*
 * The machine that emulator.py describes. It loads a state into Unicorn, runs it, and reads the new
 * state back. States of actors and of the shared memory are numbered.
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

/* Facts about the processor and the image. Registers are indices into `registers`. */
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
	uint64_t privates[MAX_ACTORS]; /* address of each actor's page */
	uint64_t kernel_stack, scratch, back;
	struct piece text;
};

enum wrong {
	NOTHING,
	READS_OTHERS, /* `at`: address; `detail`: owner of that memory */
	WRITES_UNOWNED,
	NO_PROGRESS,
	EXCEPTION, /* a trap that is no mark */
	LOST_STACK,
	REFUSED, /* `detail`: Unicorn's error */
	NEVER_RETURNS,
	NO_ROOM,
};

/* The result of some instructions, or of a function. */
struct ran {
	int32_t actor, shared; /* numbers */
	int32_t is_marked, mark;
	uint64_t first, second; /* arguments of the mark; `first` is a function's result */
	int32_t wrong, detail;
	uint64_t at;
	int32_t stored_from, stored; /* machine_stride(): written range of common memory */
};

struct machine;

/* Returns NULL if memory runs out or Unicorn refuses. */
struct machine *machine_create(const struct shape *shape);
void machine_destroy(struct machine *machine);

/* Map `size` bytes of memory, whole pages, at this address. Returns their contents here. */
void *machine_map(struct machine *machine, uint64_t address, uint64_t size, uint32_t rights);

/* From now on only these pieces are shared. Returns the number of their contents. */
int32_t machine_begin(struct machine *machine, const struct piece *pieces, int32_t count);

/* Run up to `limit` instructions, or to the next mark. */
void machine_run(struct machine *machine, int32_t actor, int32_t shared, int32_t limit,
		 struct ran *ran);

/* Treat the actors as cores that run at the same time. The arrays of `cores` must stay valid.
 * Returns 0 if Unicorn refuses. */
int machine_part(struct machine *machine, const struct cores *cores);

/*
 * Run to the next instruction that others may see, inclusively, or up to a mark or fence.
 * `has_interrupts`: interrupts of the core see all memory, so each access to it is a step.
 */
void machine_stride(struct machine *machine, int32_t actor, int32_t shared, bool has_interrupts,
		    struct ran *ran);

/* Run a function on the kernel's stack, with this actor's memory and the shared memory. */
void machine_call(struct machine *machine, uint64_t function, const uint64_t *arguments,
		  int32_t actor, int32_t shared, struct ran *ran);

/* The same for the set-up, with the memory as it is. */
void machine_prepare(struct machine *machine, uint64_t function, const uint64_t *arguments,
		     int32_t actor, struct ran *ran);

/* The same state after an interrupt, which clears the exclusive monitor. */
int32_t machine_interrupted(struct machine *machine, int32_t actor);

/* States as bytes: see `struct state`. -1: memory has run out. */
int32_t machine_number(struct machine *machine, int is_shared, const void *at, size_t length);
struct value machine_value(const struct machine *machine, int is_shared, int32_t number);

/* The actor whose memory is in place; whether a function runs on the kernel's stack. */
int32_t machine_running(const struct machine *machine);
int machine_is_in_kernel(const struct machine *machine);

#endif
