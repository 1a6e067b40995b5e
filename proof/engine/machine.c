/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1, LONGEST_CALL = 10000, LONGEST_STRIDE = 10000, X86_TRAP = 2, ARM_TRAP = 4 };
static const uint32_t CLREX = 0xd5033f5f; /* clears the exclusive monitor */

/* The head of an actor's state. Its registers follow, and its memory from the stack pointer to the
 * end of its page. After its end, an actor has no registers. */
struct head {
	int32_t actor;
	int32_t monitor_size; /* 0: the monitor is clear */
	uint64_t monitor_address;
};

struct state {
	struct head head;
	uint64_t registers[MAX_REGISTERS + 2 * MAX_WIDE];
};

/* Memory that this file allocates and Unicorn maps. */
struct region {
	uint64_t address, size;
	uint8_t *at;
};

struct machine {
	struct shape shape;
	struct array regions;
	struct numbered actors, shared;

	struct state now; /* the running actor's; Unicorn reads and writes its registers */
	uint64_t pointer;
	int ids[MAX_REGISTERS + MAX_WIDE + 1];
	void *places[MAX_REGISTERS + MAX_WIDE + 1];
	uint8_t *pages[MAX_ACTORS];

	struct array pieces; /* of the shared memory; none during set-up */
	uint8_t *shared_room;

	int32_t running;		     /* the actor whose memory is in place */
	int32_t loaded_actor, loaded_shared; /* in Unicorn; NONE: unknown */
	int32_t shared_in_place;
	bool is_dirty, has_trapped, is_in_kernel;
	bool is_parted;
	struct cores cores;
	struct ran *ran;
	jmp_buf way_out;
};

/* ---- Memory ---- */

static uint8_t *memory_at(const struct machine *m, uint64_t address)
{
	const struct region *regions = m->regions.at;

	for (size_t i = 0; i < m->regions.count; i++) {
		if (address - regions[i].address < regions[i].size)
			return regions[i].at + (address - regions[i].address);
	}
	return NULL;
}

void *machine_map(struct machine *m, uint64_t address, uint64_t size, uint32_t rights)
{
	struct region *region;

	if (setjmp(m->way_out) != 0)
		return NULL;
	region = add(&m->regions, sizeof *region, m->way_out);
	*region = (struct region) { address, size, aligned_alloc(PAGE, size) };
	if (region->at == NULL)
		return NULL;
	memset(region->at, 0, size);
	if (uc_mem_map_ptr(m->shape.uc, address, size, rights, region->at) != UC_ERR_OK)
		return NULL;
	for (int32_t i = 0; i < m->shape.actors; i++) {
		if (m->shape.privates[i] == address)
			m->pages[i] = region->at;
	}
	return region->at;
}

static int32_t read_shared(struct machine *m)
{
	const struct piece *pieces = m->pieces.at;
	size_t done = 0;

	for (size_t i = 0; i < m->pieces.count; done += pieces[i++].size)
		memcpy(m->shared_room + done, memory_at(m, pieces[i].address), pieces[i].size);
	return number_of(&m->shared, (struct value) { m->shared_room, done }, m->way_out);
}

static void write_shared(struct machine *m, int32_t shared)
{
	const struct piece *pieces = m->pieces.at;
	const uint8_t *memory = value_at(&m->shared, shared).at;

	if (m->shared_in_place == shared)
		return;
	for (size_t i = 0; i < m->pieces.count; memory += pieces[i++].size)
		memcpy(memory_at(m, pieces[i].address), memory, pieces[i].size);
	m->shared_in_place = shared;
}

/* ---- States ---- */

static size_t registers_size(const struct machine *m)
{
	return (size_t)m->shape.count * 8 + (size_t)m->shape.wide * 16;
}

/* Copy a state except its memory into `now`. Return its memory, or NULL if the actor has ended. */
static struct value take(struct machine *m, int32_t actor)
{
	struct value value = value_at(&m->actors, actor);
	const uint8_t *at = value.at;
	size_t size = sizeof m->now.head;

	memcpy(&m->now.head, at, size);
	if (value.length == size)
		return (struct value) { NULL, 0 };
	memcpy(m->now.registers, at + size, registers_size(m));
	size += registers_size(m);
	return (struct value) { at + size, value.length - size };
}

/* Clear the page below the stack pointer, so that no run finds bytes of another run. */
static void fill_page(struct machine *m, struct value own)
{
	memset(m->pages[m->running], 0, PAGE - own.length);
	memcpy(m->pages[m->running] + PAGE - own.length, own.at, own.length);
}

static void load_memory(struct machine *m, int32_t actor, int32_t shared)
{
	struct value own = take(m, actor);

	m->running = m->now.head.actor;
	if (own.at != NULL)
		fill_page(m, own);
	write_shared(m, shared);
	m->loaded_actor = NONE;
}

static void write_registers(struct machine *m)
{
	int count = m->shape.count + m->shape.wide;

	m->pointer = m->shape.pointers[m->running];
	uc_reg_write_batch(m->shape.uc, m->ids, m->places, count + (m->shape.pointer != NONE));
}

/* After the memory, load the rest of `now`: the monitor and the registers. */
static void load_processor(struct machine *m)
{
	const struct head *head = &m->now.head;
	uint64_t scratch = m->shape.scratch;

	if (m->shape.has_monitor) { /* code at `scratch`: clear it; load 4 bytes by it; load 8 */
		if (head->monitor_size != 0) {
			uc_reg_write(m->shape.uc, m->ids[0], &head->monitor_address);
			scratch += head->monitor_size == 4 ? 4 : 8;
		}
		uc_emu_start(m->shape.uc, scratch, 0, 0, 1);
	}
	write_registers(m);
}

static void read_registers(struct machine *m)
{
	uc_reg_read_batch(m->shape.uc, m->ids, m->places, m->shape.count + m->shape.wide);
}

/* The number of the state in `now`, with `private_size` bytes of its page. */
static int32_t number_now(struct machine *m, size_t private_size)
{
	uint8_t room[sizeof(struct state) + PAGE];
	size_t size = sizeof m->now.head;

	memcpy(room, &m->now.head, size);
	memcpy(room + size, m->now.registers, registers_size(m));
	size += registers_size(m);
	memcpy(room + size, m->pages[m->running] + PAGE - private_size, private_size);
	size += private_size;
	return number_of(&m->actors, (struct value) { room, size }, m->way_out);
}

static void forget(struct machine *m)
{
	m->loaded_actor = m->loaded_shared = m->shared_in_place = NONE;
}

/* ---- Hooks of Unicorn ---- */

/* Note an error, unless there was an error before. */
static void note(struct machine *m, enum wrong wrong, int32_t detail, uint64_t at)
{
	if (m->ran->wrong != NOTHING)
		return;
	m->ran->wrong = (int32_t)wrong;
	m->ran->detail = detail;
	m->ran->at = at;
}

static void on_trap(uc_engine *uc, uint32_t number, void *machine)
{
	struct machine *m = machine;

	(void)number;
	m->has_trapped = true;
	uc_emu_stop(uc);
}

static void on_read(uc_engine *uc, uc_mem_type type, uint64_t at, int size, int64_t value,
		    void *machine)
{
	struct machine *m = machine;

	(void)type, (void)size, (void)value;
	for (int32_t i = 0; i < m->shape.actors; i++) {
		if (i != m->running && at - m->shape.privates[i] < PAGE) {
			note(m, READS_OTHERS, i, at);
			uc_emu_stop(uc);
		}
	}
}

/* The offset of this address in the shared memory, or NONE. */
static int32_t offset_of(const struct machine *m, uint64_t at)
{
	const struct piece *pieces = m->pieces.at;
	uint64_t offset = 0;

	for (size_t i = 0; i < m->pieces.count; offset += pieces[i++].size) {
		if (at - pieces[i].address < pieces[i].size)
			return (int32_t)(offset + at - pieces[i].address);
	}
	return NONE;
}

static bool is_shared(const struct machine *m, uint64_t at)
{
	return m->pieces.count == 0 || offset_of(m, at) != NONE;
}

static void on_access(uc_engine *uc, uc_mem_type type, uint64_t at, int size, int64_t value,
		      void *machine)
{
	struct machine *m = machine;
	int32_t offset = offset_of(m, at);

	(void)uc, (void)value;
	if (offset != NONE && !m->is_in_kernel)
		cores_touch(&m->cores, m->running, offset, size, type == UC_MEM_WRITE);
}

static void on_write(uc_engine *uc, uc_mem_type type, uint64_t at, int size, int64_t value,
		     void *machine)
{
	struct machine *m = machine;

	(void)type, (void)size, (void)value;
	if (at - m->shape.privates[m->running] < PAGE || is_shared(m, at)) {
		m->is_dirty = true;
	} else if (at - m->shape.kernel_stack >= PAGE) {
		note(m, WRITES_UNOWNED, 0, at);
		uc_emu_stop(uc);
	}
}

/* ---- Code ---- */

/* The instruction at this address, or 0 outside the text. */
static uint32_t code_at(const struct machine *m, uint64_t address)
{
	uint64_t offset = address - m->shape.text.address;
	uint32_t code = 0;

	if (offset < m->shape.text.size) {
		uint64_t left = m->shape.text.size - offset;

		memcpy(&code, memory_at(m, address), left < sizeof code ? left : sizeof code);
	}
	return code;
}

static bool is_arm(const struct machine *m)
{
	return m->shape.link != NONE;
}

static uint64_t trap_size(const struct machine *m)
{
	return is_arm(m) ? ARM_TRAP : X86_TRAP;
}

/* Whether the instruction is a trap (svc, int), and which mark it reports. */
static bool is_trap(const struct machine *m, uint64_t address, int32_t *mark)
{
	uint32_t code = code_at(m, address);

	if (is_arm(m)) {
		*mark = (int32_t)(code >> 5 & 0xffff) - m->shape.first_mark;
		return (code & 0xffe0001f) == 0xd4000001;
	}
	*mark = (int32_t)(code >> 8 & 0xff) - m->shape.first_mark;
	return (code & 0xff) == 0xcd;
}

/* The head of `now` after an instruction of AArch64, with its effect on the exclusive monitor. */
static struct head monitored(const struct machine *m, uint32_t code)
{
	bool is_exclusive = (code & 0x3f000000) == 0x08000000 && (code >> 21 & 5) == 0;

	if (is_exclusive && (code >> 22 & 1) != 0)
		return (struct head) { m->now.head.actor, 1 << (code >> 30),
				       m->now.registers[code >> 5 & 31] };
	if (is_exclusive || code == CLREX)
		return (struct head) { .actor = m->now.head.actor };
	return m->now.head;
}

/* ---- Running ---- */

/* Report the mark at the program counter, and go on after it. The trap clears the monitor. */
static void pass_trap(struct machine *m, int32_t mark)
{
	uint64_t *registers = m->now.registers;

	m->ran->is_marked = true;
	m->ran->mark = mark;
	m->ran->first = registers[m->shape.arguments[0]];
	m->ran->second = registers[m->shape.arguments[1]];
	registers[m->shape.counter] += trap_size(m);
	m->now.head = (struct head) { .actor = m->now.head.actor };
}

/* Unicorn has stopped on a trap or behind it. Move the program counter to the trap, and return
 * whether it is known, with its mark. */
static bool find_trap(struct machine *m, int32_t *mark)
{
	uint64_t *counter = &m->now.registers[m->shape.counter];

	if (is_trap(m, *counter - trap_size(m), mark)) {
		*counter -= trap_size(m);
		return true;
	}
	return is_trap(m, *counter, mark);
}

/* Execute from `now`. Return whether nothing went wrong. */
static bool execute(struct machine *m, int32_t limit)
{
	uint64_t at = m->now.registers[m->shape.counter];
	struct head after = { .actor = m->now.head.actor };
	int32_t mark = 0;
	uc_err error;

	if (limit == 1 && m->shape.has_monitor)
		after = monitored(m, code_at(m, at));
	m->is_dirty = m->has_trapped = false;
	error = uc_emu_start(m->shape.uc, at, 0, 0, (size_t)limit);
	read_registers(m);
	m->now.head = after;
	if (error != UC_ERR_OK) {
		m->ran->wrong = REFUSED;
		m->ran->detail = (int32_t)error;
	} else if (m->has_trapped && !find_trap(m, &mark)) {
		note(m, EXCEPTION, 0, at);
	} else if (m->has_trapped) {
		pass_trap(m, mark);
	} else if (m->now.registers[m->shape.counter] == at) {
		note(m, NO_PROGRESS, 0, at);
	}
	return m->ran->wrong == NOTHING;
}

/* After a run: number the states that are in place. */
static void conclude(struct machine *m, int32_t shared, bool is_dirty)
{
	struct ran *ran = m->ran;
	uint64_t offset = m->now.registers[m->shape.stack] - m->shape.privates[m->running];

	ran->shared = shared;
	if (ran->wrong == NOTHING && offset >= PAGE)
		note(m, LOST_STACK, 0, 0);
	if (ran->wrong != NOTHING) {
		forget(m);
		return;
	}
	if (is_dirty)
		ran->shared = m->shared_in_place = read_shared(m);
	ran->actor = number_now(m, PAGE - offset);
	memset(m->pages[m->running], 0, offset); /* as in fill_page() */
	/* After a mark, Unicorn's monitor may be set, and its program counter may be elsewhere. */
	m->loaded_actor = ran->is_marked ? NONE : ran->actor;
	m->loaded_shared = ran->shared;
}

static void run(struct machine *m, int32_t actor, int32_t shared, int32_t limit)
{
	bool is_loaded = m->loaded_actor == actor && m->loaded_shared == shared;
	bool is_dirty = false;
	int32_t mark;

	if (!is_loaded)
		load_memory(m, actor, shared);
	if (is_trap(m, m->now.registers[m->shape.counter], &mark)) {
		pass_trap(m, mark);
	} else {
		if (!is_loaded)
			load_processor(m);
		is_dirty = execute(m, limit) && m->is_dirty;
	}
	conclude(m, shared, is_dirty);
}

void machine_run(struct machine *m, int32_t actor, int32_t shared, int32_t limit, struct ran *ran)
{
	*ran = (struct ran) { .wrong = NOTHING };
	m->ran = ran;
	if (setjmp(m->way_out) == 0)
		run(m, actor, shared, limit);
	else
		ran->wrong = NO_ROOM;
}

static bool is_fence(const struct machine *m, uint64_t at)
{
	uint64_t offset = at - m->shape.text.address;

	return offset < m->shape.text.size && m->cores.is_fence[offset];
}

/* Execute a stride, as machine_stride() declares. Return whether it wrote memory. */
static bool go_on(struct machine *m, bool has_interrupts)
{
	const uint64_t *counter = &m->now.registers[m->shape.counter];
	bool is_dirty = false;
	int32_t mark;

	m->cores.stored = 0;
	for (int32_t count = 0; count < LONGEST_STRIDE; count++) {
		bool is_step = is_fence(m, *counter);

		m->cores.has_met = m->cores.has_touched = false;
		m->ran->at = *counter;
		if (!execute(m, 1))
			return is_dirty;
		is_dirty |= m->is_dirty;
		if (m->cores.has_met || (has_interrupts && m->cores.has_touched) || is_step ||
		    is_fence(m, *counter) || is_trap(m, *counter, &mark))
			return is_dirty;
	}
	note(m, NEVER_RETURNS, 0, 0);
	return is_dirty;
}

static void stride(struct machine *m, int32_t actor, int32_t shared, bool has_interrupts)
{
	bool is_dirty = false;
	int32_t mark;

	load_memory(m, actor, shared);
	m->ran->at = m->now.registers[m->shape.counter];
	if (is_trap(m, m->ran->at, &mark)) {
		pass_trap(m, mark);
	} else {
		load_processor(m);
		is_dirty = go_on(m, has_interrupts);
		m->ran->stored_from = m->cores.stored_from;
		m->ran->stored = m->cores.stored;
	}
	conclude(m, shared, is_dirty);
}

void machine_stride(struct machine *m, int32_t actor, int32_t shared, bool has_interrupts,
		    struct ran *ran)
{
	*ran = (struct ran) { .wrong = NOTHING };
	m->ran = ran;
	if (setjmp(m->way_out) == 0)
		stride(m, actor, shared, has_interrupts);
	else
		ran->wrong = NO_ROOM;
}

int machine_part(struct machine *m, const struct cores *cores)
{
	uc_hook number;

	m->cores = *cores;
	if (!m->is_parted)
		m->is_parted =
			uc_hook_add(m->shape.uc, &number, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE,
				    (void *)on_access, m, 1, 0) == UC_ERR_OK;
	return m->is_parted;
}

/* Run a function to its end on the kernel's stack. The state in `now` is lost. */
static void call(struct machine *m, uint64_t function, const uint64_t *arguments)
{
	uint64_t *registers = m->now.registers;
	uint64_t stack = m->shape.kernel_stack + PAGE - 64;
	uc_err error;

	memset(registers, 0, registers_size(m));
	if (is_arm(m)) {
		registers[m->shape.link] = m->shape.back;
	} else {
		stack -= sizeof m->shape.back;
		memcpy(memory_at(m, stack), &m->shape.back, sizeof m->shape.back);
	}
	registers[m->shape.stack] = stack;
	for (size_t i = 0; i < ARGUMENTS; i++)
		registers[m->shape.arguments[i]] = arguments[i];
	write_registers(m);
	m->loaded_actor = NONE;
	m->is_dirty = false;
	m->is_in_kernel = true;
	error = uc_emu_start(m->shape.uc, function, m->shape.back, 0, LONGEST_CALL);
	m->is_in_kernel = false;
	read_registers(m);
	m->ran->first = registers[m->shape.result];
	if (error != UC_ERR_OK) {
		m->ran->wrong = REFUSED;
		m->ran->detail = (int32_t)error;
	} else if (registers[m->shape.counter] != m->shape.back) {
		note(m, NEVER_RETURNS, 0, 0);
	}
	if (m->ran->wrong != NOTHING)
		forget(m);
}

void machine_call(struct machine *m, uint64_t function, const uint64_t *arguments, int32_t actor,
		  int32_t shared, struct ran *ran)
{
	*ran = (struct ran) { .actor = actor, .shared = shared };
	m->ran = ran;
	if (setjmp(m->way_out) != 0) {
		ran->wrong = NO_ROOM;
		return;
	}
	load_memory(m, actor, shared);
	call(m, function, arguments);
	if (ran->wrong == NOTHING && m->is_dirty) {
		struct value own = take(m, actor);

		ran->shared = m->shared_in_place = read_shared(m);
		if (own.at != NULL)
			ran->actor = number_now(m, own.length);
	}
}

void machine_prepare(struct machine *m, uint64_t function, const uint64_t *arguments, int32_t actor,
		     struct ran *ran)
{
	*ran = (struct ran) { .wrong = NOTHING };
	m->ran = ran;
	m->running = actor;
	call(m, function, arguments);
}

int32_t machine_interrupted(struct machine *m, int32_t actor)
{
	struct value value = value_at(&m->actors, actor);
	uint8_t room[sizeof(struct state) + PAGE];
	struct head head;

	memcpy(&head, value.at, sizeof head);
	if (head.monitor_size == 0)
		return actor;
	head = (struct head) { .actor = head.actor };
	memcpy(room, value.at, value.length);
	memcpy(room, &head, sizeof head);
	return machine_number(m, false, room, value.length);
}

/* ---- For Python ---- */

int32_t machine_number(struct machine *m, int is_shared_one, const void *at, size_t length)
{
	struct numbered *numbered = is_shared_one ? &m->shared : &m->actors;

	if (setjmp(m->way_out) != 0)
		return NONE;
	return number_of(numbered, (struct value) { at, length }, m->way_out);
}

struct value machine_value(const struct machine *m, int is_shared_one, int32_t number)
{
	return value_at(is_shared_one ? &m->shared : &m->actors, number);
}

static bool take_pieces(struct machine *m, const struct piece *pieces, int32_t count)
{
	size_t size = 0;

	for (int32_t i = 0; i < count; i++) {
		*(struct piece *)add(&m->pieces, sizeof *pieces, m->way_out) = pieces[i];
		size += pieces[i].size;
	}
	m->shared_room = malloc(size);
	return m->shared_room != NULL;
}

int32_t machine_begin(struct machine *m, const struct piece *pieces, int32_t count)
{
	if (setjmp(m->way_out) != 0 || !take_pieces(m, pieces, count))
		return NONE;
	return m->shared_in_place = read_shared(m);
}

int32_t machine_running(const struct machine *m)
{
	return m->running;
}

int machine_is_in_kernel(const struct machine *m)
{
	return m->is_in_kernel;
}

static void place_registers(struct machine *m)
{
	int32_t count = m->shape.count, wide = m->shape.wide;

	memcpy(m->ids, m->shape.registers, sizeof m->shape.registers);
	for (int32_t i = 0; i < count + wide; i++)
		m->places[i] = &m->now.registers[i < count ? i : 2 * i - count];
	m->ids[count + wide] = m->shape.pointer;
	m->places[count + wide] = &m->pointer;
}

/* Whether Unicorn takes the hooks. */
static bool hook(struct machine *m)
{
	uc_engine *uc = m->shape.uc;
	uc_hook number;
	bool is_done =
		uc_hook_add(uc, &number, UC_HOOK_INTR, (void *)on_trap, m, 1, 0) == UC_ERR_OK &&
		uc_hook_add(uc, &number, UC_HOOK_MEM_WRITE, (void *)on_write, m, 1, 0) == UC_ERR_OK;

	for (int32_t i = 0; i < m->shape.actors; i++) {
		uint64_t page = m->shape.privates[i];

		is_done = is_done && uc_hook_add(uc, &number, UC_HOOK_MEM_READ, (void *)on_read, m,
						 page, page + PAGE - 1) == UC_ERR_OK;
	}
	return is_done;
}

struct machine *machine_create(const struct shape *shape)
{
	struct machine *m = calloc(1, sizeof *m);

	if (m == NULL)
		return NULL;
	m->shape = *shape;
	place_registers(m);
	forget(m);
	if (hook(m))
		return m;
	machine_destroy(m);
	return NULL;
}

void machine_destroy(struct machine *m)
{
	for (size_t i = 0; i < m->regions.count; i++)
		free(((struct region *)m->regions.at)[i].at);
	free(m->regions.at);
	free(m->pieces.at);
	free(m->shared_room);
	numbered_free(&m->actors);
	numbered_free(&m->shared);
	free(m);
}
