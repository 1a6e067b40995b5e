/* SPDX-License-Identifier: MIT */
/*
 * The trace as lines of text, as lab/plafond/board/console.py reads them:
 *	plafond-trace 2
 *	zero TIME
 *	event TIME KIND TASK
 *	server TIME KIND SERVER
 *	note TIME KIND TASK RESOURCE
 *	calls TASK COUNT
 *	stack TASK BYTES
 *	end WHY
 * Times are in nanoseconds since the start of the machine, and `zero` is time 0 of the run. WHY is
 * idle, limit (the time of the run was over), room (no room was left) or shutdown.
 */
#include "entry.h"
#include "port.h"
#include "recording.h"
#include "trace.h"

static const char *const event_names[PLF_TRACE_CALL] = {
	[PLF_TRACE_ARRIVAL] = "arrival", [PLF_TRACE_ACTIVATE] = "activate",
	[PLF_TRACE_REFUSED] = "refused", [PLF_TRACE_START] = "start",
	[PLF_TRACE_RESUME] = "resume",	 [PLF_TRACE_SUSPEND] = "suspend",
	[PLF_TRACE_WAIT] = "wait",	 [PLF_TRACE_WAKE] = "wake",
	[PLF_TRACE_END] = "end",	 [PLF_TRACE_SKIP] = "skip",
};

static const char *const server_event_names[] = {
	[PLF_TRACE_REPLENISH] = "replenish",
	[PLF_TRACE_DEPLETE] = "deplete",
	[PLF_TRACE_GET] = "get",
	[PLF_TRACE_LOSE] = "lose",
	[PLF_TRACE_OVERRUN] = "overrun",
	[PLF_TRACE_PAYBACK] = "payback",
	[PLF_TRACE_KEEP_OUT] = "keep-out",
};

static const char *const note_names[PLF_NOTE_KINDS] = {
	[PLF_NOTE_REQUEST] = "request",
	[PLF_NOTE_GRANT] = "grant",
	[PLF_NOTE_UNLOCK] = "unlock",
};

enum { PIECE = 4096, LONGEST_LINE = 256 };

static char piece[PIECE];
static size_t filled;

static void flush(void)
{
	plf_port_write(piece, filled);
	filled = 0;
}

/* A line has at most LONGEST_LINE bytes. Flush a piece that may not have room for it. */
static void begin_line(const char *word)
{
	if (filled > PIECE - LONGEST_LINE)
		flush();
	while (*word)
		piece[filled++] = *word++;
}

static void put_word(const char *word)
{
	piece[filled++] = ' ';
	while (*word)
		piece[filled++] = *word++;
}

static void put_number(uint64_t number)
{
	char digits[20];
	unsigned length = 0;

	do {
		digits[length++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	piece[filled++] = ' ';
	while (length)
		piece[filled++] = digits[--length];
}

static void end_line(void)
{
	piece[filled++] = '\n';
}

static void print_event(uint64_t event)
{
	bool is_of_server = PLF_SERVERS && plf_entry_kind(event) > PLF_TRACE_CALL;

	begin_line(is_of_server ? "server" : "event");
	put_number(plf_entry_time_ns(event));
	put_word((is_of_server ? server_event_names : event_names)[plf_entry_kind(event)]);
	put_word(is_of_server ? plf_server_names[plf_entry_object(event)]
			      : plf_task_config[plf_entry_object(event)].name);
	end_line();
}

/* A note may have any value, because the task wrote it. */
static void print_note(unsigned task, uint64_t note)
{
	unsigned kind = plf_entry_kind(note);
	unsigned resource = plf_entry_object(note);

	begin_line("note");
	put_number(plf_entry_time_ns(note));
	put_word(kind < PLF_NOTE_KINDS ? note_names[kind] : "garbage");
	put_word(plf_task_config[task].name);
	put_word(resource < PLF_RESOURCES + PLF_GLOBALS ? plf_resource_names[resource] : "garbage");
	end_line();
}

/* Returns whether there was room for all notes of the task. */
static bool print_notes(unsigned task)
{
	const struct plf_notes_config *config = &plf_notes_config[task];
	uint32_t noted = config->notes ? *config->noted : 0;

	for (uint32_t index = 0; index < noted && index < config->size; index++)
		print_note(task, config->notes[index]);
	return noted <= config->size;
}

static void print_head(uint64_t zero_ns)
{
	begin_line("plafond-trace 2");
	end_line();
	begin_line("zero");
	put_number(zero_ns);
	end_line();
}

_Noreturn void plf_trace_print(uint64_t zero_ns, const uint64_t *events, uint32_t count,
			       const uint32_t *calls, const char *why)
{
	bool is_whole = true;

	print_head(zero_ns);
	for (uint32_t index = 0; index < count; index++)
		if (events[index] != 0) /* a core that halted may not have filled its place */
			print_event(events[index]);
	for (unsigned task = 0; task < PLF_TASKS; task++) {
		is_whole &= print_notes(task);
		begin_line("calls");
		put_word(plf_task_config[task].name);
		put_number(calls[task]);
		end_line();
		begin_line("stack");
		put_word(plf_task_config[task].name);
		put_number(plf_stack_used(task));
		end_line();
	}
	begin_line("end");
	put_word(is_whole ? why : "room");
	end_line();
	flush();
	plf_port_end(E_OK);
}
