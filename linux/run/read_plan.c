/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include "check_plan.h"
#include "cpus.h"
#include "reader.h"

#include <ctype.h>
#include <string.h>

/* Only ASCII letters count, because no locale is set. */
static bool is_name(const char *word)
{
	size_t length = 0;

	while (isalnum((unsigned char)word[length]) || word[length] == '_')
		length++;
	return isalpha((unsigned char)word[0]) && word[length] == '\0' && length < NAME_BYTES;
}

static bool read_name(struct words *words, const char *what, char *name)
{
	const char *word = next_word(words);

	if (word == NULL)
		return complain(words, "the name of the %s is missing", what);
	if (!is_name(word))
		return complain(words,
				"%s %s: expected a letter, then at most 31 letters, digits or _",
				what, quoted(word));
	strcpy(name, word);
	return true;
}

static bool read_priority(struct words *words, const char *what, int *priority)
{
	int64_t number;

	if (!next_number(words, what, 1, PRIORITY_HIGHEST, &number))
		return false;
	*priority = (int)number;
	return true;
}

static bool read_cpu(struct words *words, int *cpu)
{
	char allowed[256];
	int64_t number;

	if (!next_number(words, "CPU", 0, CPUS_MAX - 1, &number))
		return false;
	*cpu = (int)number;
	if (cpu_is_allowed(*cpu))
		return true;
	allowed_cpus(allowed, sizeof(allowed));
	return complain(words, "CPU %d does not exist or is not allowed here: allowed are %s", *cpu,
			allowed);
}

static bool read_protocol(struct reader *reader)
{
	const char *word = next_word(&reader->words);

	if (reader->plan->protocol != NULL)
		return complain(&reader->words, "a second protocol");
	if (word == NULL)
		return complain(&reader->words, "the protocol is missing: expected %s",
				protocol_names);
	reader->plan->protocol = find_protocol(word);
	if (reader->plan->protocol == NULL)
		return complain(&reader->words, "unknown protocol %s: expected %s", quoted(word),
				protocol_names);
	return statement_ends(&reader->words);
}

static bool read_limit(struct reader *reader)
{
	if (reader->plan->limit_ns != 0)
		return complain(&reader->words, "a second limit");
	return read_time(&reader->words, &reader->plan->limit_ns);
}

static bool read_resource(struct reader *reader)
{
	struct plan *plan = reader->plan;
	struct resource resource = { .home = NO_CPU, .server = NO_SERVER };

	if (!read_name(&reader->words, "resource", resource.name) ||
	    !read_priority(&reader->words, "ceiling", &resource.ceiling) ||
	    !statement_ends(&reader->words))
		return false;
	for (size_t i = 0; i < plan->resource_count; i++)
		if (strcmp(plan->resources[i].name, resource.name) == 0)
			return complain(&reader->words, "a second resource %s", resource.name);
	if (plan->resource_count == RESOURCES_MAX)
		return complain(&reader->words, "more than %d resources", RESOURCES_MAX);
	plan->resources = with_room(plan->resources, plan->resource_count, &plan->resource_room,
				    sizeof(resource));
	plan->resources[plan->resource_count++] = resource;
	return true;
}

static bool read_overrun(struct words *words, bool *skips)
{
	const char *word = next_word(words);

	if (word == NULL)
		return complain(words, "queue or skip is missing");
	*skips = strcmp(word, "skip") == 0;
	if (*skips || strcmp(word, "queue") == 0)
		return true;
	return complain(words, "unknown word %s: expected queue or skip", quoted(word));
}

static int find_server(const struct plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->server_count; i++)
		if (strcmp(plan->servers[i].name, name) == 0)
			return (int)i;
	return NO_SERVER;
}

/* Read the last words of a server, which may be missing. */
static bool read_policy(struct reader *reader, struct server *server)
{
	static const char *const names[] = {
		[PLF_SERVER_SKIP] = "skip",
		[PLF_SERVER_OVERRUN] = "overrun",
		[PLF_SERVER_PAYBACK] = "overrun-payback",
	};
	const char *word = next_word(&reader->words);

	if (word == NULL)
		return true;
	for (int i = PLF_SERVER_SKIP; i <= PLF_SERVER_PAYBACK; i++)
		if (strcmp(word, names[i]) == 0)
			server->policy = i;
	if (server->policy == PLF_SERVER_IDLING)
		return complain(&reader->words,
				"unknown word %s: expected skip, overrun or overrun-payback",
				quoted(word));
	return next_number(&reader->words, "time", 1, server->budget_ns, &server->hold_ns) &&
	       statement_ends(&reader->words);
}

static bool read_server(struct reader *reader)
{
	struct plan *plan = reader->plan;
	struct server server = { .line = reader->words.line };

	if (!read_name(&reader->words, "server", server.name) ||
	    !read_priority(&reader->words, "priority", &server.priority) ||
	    !read_cpu(&reader->words, &server.cpu) ||
	    !next_number(&reader->words, "period", PLF_SERVER_PERIOD_MIN_NS,
			 (int64_t)PLF_SERVER_PERIOD_MAX_NS, &server.period_ns) ||
	    !next_number(&reader->words, "budget", 1, server.period_ns, &server.budget_ns) ||
	    !read_policy(reader, &server))
		return false;
	if (find_server(plan, server.name) != NO_SERVER)
		return complain(&reader->words, "a second server %s", server.name);
	if (plan->server_count == SERVERS_MAX)
		return complain(&reader->words, "more than %d servers", SERVERS_MAX);
	plan->servers =
		with_room(plan->servers, plan->server_count, &plan->server_room, sizeof(server));
	plan->servers[plan->server_count++] = server;
	return true;
}

static bool read_shared(struct reader *reader, struct share *share)
{
	struct plan *plan = reader->plan;
	const char *word = next_word(&reader->words);

	if (word == NULL)
		return complain(&reader->words, "the resource is missing");
	for (size_t i = 0; i < plan->resource_count; i++)
		if (strcmp(plan->resources[i].name, word) == 0) {
			share->resource = i;
			return true;
		}
	return complain(&reader->words, "unknown resource %s", quoted(word));
}

static bool read_sharer(struct reader *reader, struct share *share)
{
	const char *word = next_word(&reader->words);

	if (word == NULL)
		return complain(&reader->words, "the server is missing");
	share->server = find_server(reader->plan, word);
	if (share->server == NO_SERVER)
		return complain(&reader->words, "unknown server %s", quoted(word));
	if (reader->plan->servers[share->server].policy == PLF_SERVER_IDLING)
		return complain(&reader->words, "server %s has no policy to share resources", word);
	return true;
}

static bool read_share(struct reader *reader)
{
	struct plan *plan = reader->plan;
	struct share share;

	if (!read_shared(reader, &share) || !read_sharer(reader, &share) ||
	    !read_priority(&reader->words, "ceiling", &share.ceiling) ||
	    !statement_ends(&reader->words))
		return false;
	if (has_share(plan, share.resource, share.server))
		return complain(&reader->words, "a second share of %s of server %s",
				plan->resources[share.resource].name,
				plan->servers[share.server].name);
	plan->resources[share.resource].is_shared = true;
	plan->shares = with_room(plan->shares, plan->share_count, &plan->share_room, sizeof(share));
	plan->shares[plan->share_count++] = share;
	return true;
}

/* Read the last word of a task, which may be missing. */
static bool read_server_of(struct reader *reader, int *server)
{
	const char *word = next_word(&reader->words);

	*server = NO_SERVER;
	if (word == NULL)
		return true;
	*server = find_server(reader->plan, word);
	if (*server == NO_SERVER)
		return complain(&reader->words, "unknown server %s", quoted(word));
	return statement_ends(&reader->words);
}

static bool read_task(struct reader *reader)
{
	struct plan *plan = reader->plan;
	struct task task = { .line = reader->words.line };

	if (!read_name(&reader->words, "task", task.name) ||
	    !read_priority(&reader->words, "priority", &task.priority) ||
	    !read_cpu(&reader->words, &task.cpu) || !read_overrun(&reader->words, &task.skips) ||
	    !read_server_of(reader, &task.server))
		return false;
	for (size_t i = 0; i < plan->task_count; i++)
		if (strcmp(plan->tasks[i].name, task.name) == 0)
			return complain(&reader->words, "a second task %s", task.name);
	if (plan->task_count == TASKS_MAX)
		return complain(&reader->words, "more than %d tasks", TASKS_MAX);
	plan->tasks = with_room(plan->tasks, plan->task_count, &plan->task_room, sizeof(task));
	reader->task = &plan->tasks[plan->task_count++];
	*reader->task = task;
	return true;
}

static bool read_spare(struct reader *reader)
{
	struct spare *spare = &reader->plan->spare;

	if (spare->priority > 0)
		return complain(&reader->words, "a second spare");
	spare->line = reader->words.line;
	return read_priority(&reader->words, "priority", &spare->priority) &&
	       read_cpu(&reader->words, &spare->cpu) && read_time(&reader->words, &spare->time_ns);
}

static bool read_end(struct reader *reader)
{
	struct plan *plan = reader->plan;

	if (plan->protocol == NULL)
		return complain(&reader->words, "the plan names no protocol");
	if (plan->limit_ns == 0)
		return complain(&reader->words, "the plan has no limit");
	if (plan->task_count == 0)
		return complain(&reader->words, "the plan has no task");
	reader->is_complete = true;
	return statement_ends(&reader->words);
}

static const struct statement statements[] = {
	{ "protocol", read_protocol }, { "limit", read_limit }, { "resource", read_resource },
	{ "server", read_server },     { "share", read_share }, { "task", read_task },
	{ "spare", read_spare },       { "end", read_end },	{ 0 },
};

static bool read_statement(struct reader *reader, const char *word)
{
	const struct statement *statement = find_statement(statements, word);

	if (reader->is_complete)
		return complain(&reader->words, "unexpected %s after the end", quoted(word));
	if (statement != NULL)
		return (reader->task == NULL || end_body(reader)) && statement->read(reader);
	statement = find_statement(body_statements, word);
	if (statement != NULL && reader->task != NULL)
		return statement->read(reader);
	if (statement != NULL)
		return complain(&reader->words, "%s outside a task", word);
	if (reader->task != NULL)
		return complain(&reader->words,
				"unknown step %s: expected run, lock, unlock or sleep",
				quoted(word));
	return complain(&reader->words,
			"unknown statement %s: expected protocol, limit, resource, server, share, "
			"task, spare or end",
			quoted(word));
}

static bool read_heading(struct reader *reader)
{
	bool wrong;
	const char *word = next_statement(&reader->words, &wrong);
	const char *version = word == NULL ? NULL : next_word(&reader->words);

	if (wrong)
		return false;
	if (version == NULL || strcmp(word, "plafond-plan") != 0)
		return complain(&reader->words, "not a plan: expected \"plafond-plan 1\" first");
	if (strcmp(version, "1") != 0)
		return complain(&reader->words, "plan version %s: this program reads version 1",
				quoted(version));
	return statement_ends(&reader->words);
}

static bool read_all(struct reader *reader)
{
	const char *word;
	bool wrong;

	if (!read_heading(reader))
		return false;
	while ((word = next_statement(&reader->words, &wrong)) != NULL)
		if (!read_statement(reader, word))
			return false;
	if (wrong)
		return false;
	return reader->is_complete || complain(&reader->words, "the file stops before \"end\"");
}

bool read_plan(struct plan *plan, const char *path)
{
	struct reader reader = { .plan = plan };
	bool is_right;

	*plan = (struct plan) { .path = path };
	if (!open_words(&reader.words, path))
		return false;
	is_right = read_all(&reader);
	close_words(&reader.words);
	return is_right && check_plan(plan);
}
