// SPDX-License-Identifier: GPL-2.0
/*
 * What must be so, whatever is sent: a request that was refused has changed
 * nothing and has been given reasons; who may not write gets EPERM and no more;
 * each change is one generation.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "genl.h"

#define ERRNOS		256
#define WRONGS_MAX	20	/* to be shown */
#define EVERY		64	/* messages from look to look */
#define SAMPLE		17	/* every such refusal is looked at by itself */
#define CROWD		48	/* policies that are too many to be dumped often */

/* What policies and mode are; equal if nothing has changed. */
struct look {
	uint32_t generation, mode, frozen;
	uint64_t policies;	/* a hash of their dump */
};

static struct {
	enum role role;
	struct look look;
	bool looked;		/* nothing may have changed since */
	unsigned long sent, accepted, refused, unanswered, wordless, looks;
	unsigned long by_errno[ERRNOS];
	unsigned long by_command[COMMANDS_MAX][2];
	unsigned long wrong;
} watch;

/* Asks something of a port, changes nothing of the host. */
static bool is_of_port(const struct command *command)
{
	return !strncmp(command->name, "port-", 5) ||
	       !strcmp(command->name, "incident-report");
}

static bool may_write(const struct command *command)
{
	return watch.role == ROLE_WRITER ||
	       (watch.role == ROLE_NEIGHBOUR && is_of_port(command));
}

static void wrong(const struct message *msg, const char *what,
		  const char *problem)
{
	if (watch.wrong++ >= WRONGS_MAX)
		return;
	printf("wrong: message %lu, %s, %s: %s\n", watch.sent,
	       msg ? msg->command->name : "-", what, problem);
	if (msg)
		ask_print(msg);
}

static void ask_plain(const char *command, bool dump, struct answer *answer)
{
	static struct message msg;
	const struct plan plan = { .command = table_command(command, dump) };

	message_make(&msg, &plan);
	ask(&msg, answer);
	if (answer->refused)
		die("%s is refused: %s", command, strerror(answer->err));
}

/* Changes without a request. */
static bool changes_by_itself(unsigned int number)
{
	const struct set *policy = table_set("policy");

	return number == table_attr(policy, "ports")->number ||
	       number == table_attr(policy, "confirm-left")->number;
}

static void hash_part(const struct nlmsghdr *nlh, void *arg)
{
	const uint8_t *at = (const uint8_t *)NLMSG_DATA(nlh) + GENL_HDRLEN;
	const uint8_t *end = (const uint8_t *)nlh + nlh->nlmsg_len;
	const struct nlattr *nla;
	uint64_t *hash = arg;
	unsigned int i;

	for (; at + sizeof(*nla) <= end; at += NLA_ALIGN(nla->nla_len)) {
		nla = (const struct nlattr *)at;
		if (nla->nla_len < sizeof(*nla))
			break;
		if (changes_by_itself(nla->nla_type))
			continue;
		for (i = 0; i < nla->nla_len; i++)
			*hash = (*hash ^ at[i]) * 0x100000001b3;
	}
}

static void look(struct look *look)
{
	const struct set *host = table_set("host");
	struct answer answer;

	memset(look, 0, sizeof(*look));
	ask_plain("mode-get", false, &answer);
	look->generation = answered_u32(table_attr(host, "generation"));
	look->mode = answered_u32(table_attr(host, "mode"));
	look->frozen = answered_u32(table_attr(host, "frozen"));
	look->policies = 0xcbf29ce484222325;
	each_part(hash_part, &look->policies);
	ask_plain("policy-get", true, &answer);
	each_part(NULL, NULL);
	watch.looks++;
}

/* Looks; if nobody was allowed a change since the last look, there is none. */
void watch_now(void)
{
	struct look now;

	look(&now);
	if (watch.looked && memcmp(&now, &watch.look, sizeof(now)))
		wrong(NULL, "refused requests",
		      "policies, mode or generation have changed");
	watch.look = now;
	watch.looked = true;
}

void watch_begin(enum role role)
{
	watch.role = role;
	watch_now();
}

/* Names of the policies that there are, one after the other. */
struct names {
	char name[CROWD * 8][WORD_MAX];
	unsigned int n;
};

static void name_part(const struct nlmsghdr *nlh, void *arg)
{
	const struct nlattr *nla;
	struct names *names = arg;

	nla = (const struct nlattr *)((const uint8_t *)NLMSG_DATA(nlh) +
				      GENL_HDRLEN);
	if (names->n < ARRAY_SIZE(names->name))
		snprintf(names->name[names->n++], WORD_MAX, "%s",
			 (const char *)(nla + 1));
}

static void tell_policy(const char *command, const char *name)
{
	static struct message msg;
	struct answer answer;

	message_begin(&msg, table_command(command, false));
	put(&msg, 1, name, strlen(name) + 1);
	message_end(&msg);
	ask(&msg, &answer);
	/* It may have been one that nobody confirmed. */
	if (answer.refused && answer.err != ENOENT)
		die("%s of %s: %s", command, name, answer.words);
}

/* policy-del or policy-confirm of all that there are */
static void tell_policies(const char *command)
{
	static struct names names;
	struct answer answer;
	unsigned int i;

	names.n = 0;
	each_part(name_part, &names);
	ask_plain("policy-get", true, &answer);
	each_part(NULL, NULL);
	for (i = 0; i < names.n; i++)
		tell_policy(command, names.name[i]);
}

static void thin_out(void)
{
	struct answer answer;

	if (watch.role != ROLE_WRITER)
		return;
	ask_plain("mode-get", false, &answer);
	if (answered_u32(table_attr(table_set("host"), "policies")) < CROWD)
		return;
	tell_policies("policy-del");
	watch.looked = false;
	watch_now();
}

/* It would go by itself, at a time of its own. */
static void confirm(const struct message *msg)
{
	if (strcmp(msg->command->name, "policy-set") ||
	    !answer_has(table_attr(msg->command->set, "confirm-left")))
		return;
	tell_policies("policy-confirm");
	watch.looked = false;
	watch_now();
}

/* Each command that changes something answers with the generation it began. */
static void check_generation(const struct message *msg, const char *what)
{
	uint32_t generation;

	if (is_of_port(msg->command) ||
	    !strcmp(msg->command->name, "policy-confirm") ||
	    !strcmp(msg->command->name, "delegate-report"))
		return;
	generation = answered_u32(table_attr(msg->command->set, "generation"));
	if (generation != watch.look.generation + 1)
		wrong(msg, what, "other than one generation since the last one");
	watch.look.generation = generation;
	watch.looked = false;
}

static void check_accepted(const struct message *msg, const char *what)
{
	if (!msg->command->admin)
		return;
	if (!may_write(msg->command))
		wrong(msg, what, "somebody without the right has written");
	check_generation(msg, what);
	confirm(msg);
}

static bool needs_words(const struct message *msg, const struct answer *answer)
{
	return !msg->core && answer->err != EOPNOTSUPP && answer->err != EPERM;
}

static void check_refused(const struct message *msg, const char *what,
			  const struct answer *answer)
{
	if (answer->err <= 0 || answer->err >= ERRNOS)
		wrong(msg, what, "an errno that is none");
	if (!answer->words[0])
		watch.wordless++;
	if (!answer->words[0] && needs_words(msg, answer))
		wrong(msg, what, "refused without words");
	if (watch.role == ROLE_STRANGER && msg->command->admin && !msg->core &&
	    answer->err != EPERM)
		wrong(msg, what, "refused, but not with EPERM");
}

static void count(const struct message *msg, const struct answer *answer)
{
	watch.sent++;
	if (!answer->answered) {
		watch.unanswered++;
		return;
	}
	watch.accepted += !answer->refused;
	watch.refused += answer->refused;
	if (answer->err > 0 && answer->err < ERRNOS)
		watch.by_errno[answer->err]++;
	if (!msg->core && !msg->unsound)
		watch.by_command[msg->command - table.command][answer->refused]++;
}

/* What is no single message may have been a right one all the same. */
static void check_unsound(void)
{
	if (watch.role == ROLE_WRITER)
		watch.looked = false;
	watch_now();
}

static uint64_t attrs_named(const struct set *set, const char *const *names,
			    size_t n)
{
	uint64_t attrs = 0;
	size_t i;

	for (i = 0; i < n; i++)
		attrs |= attr_bit(table_attr(set, names[i]) - set->attr);
	return attrs;
}

static void ask_right(const char *name, const char *const *attrs, size_t n)
{
	static struct message msg;
	struct plan plan = { .command = table_command(name, false) };
	struct answer answer;

	plan.attrs = attrs_named(plan.command->set, attrs, n);
	message_make(&msg, &plan);
	ask(&msg, &answer);
	if (answer.refused)
		die("a plain %s is refused: %s", name, answer.words);
}

static void need_a_policy(void)
{
	static const char *const attrs[] = { "name", "pfc", "confirm-within" };

	ask_right("policy-set", attrs, ARRAY_SIZE(attrs));
}

static void need_a_free_port(void)
{
	static const char *const attrs[] = { "mode", "frozen" };

	ask_right("mode-set", attrs, ARRAY_SIZE(attrs));
	tell_policies("policy-del");
}

/* Without these next to all such requests were refused for one reason alone. */
static const struct need {
	const char *command;
	void (*provide)(void);
} needs[] = {
	{ "policy-del", need_a_policy },
	{ "policy-confirm", need_a_policy },
	{ "port-restore", need_a_free_port },
};

static void provide(const struct command *command)
{
	size_t i;

	if (watch.role != ROLE_WRITER || command->dump)
		return;
	for (i = 0; i < ARRAY_SIZE(needs); i++) {
		if (strcmp(needs[i].command, command->name))
			continue;
		needs[i].provide();
		watch.looked = false;
		watch_now();
	}
}

/* Sends, and checks what came of it. */
void watch_ask(struct message *msg, const char *what)
{
	struct answer answer;

	provide(msg->command);
	ask(msg, &answer);
	count(msg, &answer);
	if (msg->unsound) {
		check_unsound();
		return;
	}
	if (!answer.answered)
		wrong(msg, what, "no answer");
	else if (!answer.refused && !msg->core)
		check_accepted(msg, what);
	else if (!answer.refused)
		check_unsound();
	else
		check_refused(msg, what, &answer);
	if (watch.sent % EVERY == 0 ||
	    (answer.refused && watch.refused % SAMPLE == 0 && watch.looked))
		watch_now();
	if (watch.sent % (4 * EVERY) == 0)
		thin_out();
	if (watch.sent % 5000 == 0)
		fprintf(stderr, "%lu messages\n", watch.sent);
}

static void count_print(void)
{
	int i;

	printf("%lu messages sent, %lu accepted, %lu refused, %lu that need no answer; %lu looks\n",
	       watch.sent, watch.accepted, watch.refused, watch.unanswered,
	       watch.looks);
	printf("refused:");
	for (i = 0; i < ERRNOS; i++)
		if (watch.by_errno[i])
			printf(" %s %lu", strerrorname_np(i), watch.by_errno[i]);
	printf("; without words, by the core: %lu\n", watch.wordless);
}

/* A fuzzer that never gets in, or is never kept out, tests little. */
static void check_reach(void)
{
	const struct command *command;
	unsigned int i;

	printf("accepted/refused:");
	for (i = 0; i < table.n_commands; i++) {
		command = &table.command[i];
		if (command->event)
			continue;
		printf(" %s%s %lu/%lu", command->name, command->dump ? "*" : "",
		       watch.by_command[i][0], watch.by_command[i][1]);
		if (!watch.by_command[i][1])
			wrong(NULL, command->name, "it was never refused");
		if (!watch.by_command[i][0] &&
		    !(command->admin && !may_write(command)))
			wrong(NULL, command->name, "it was never accepted");
	}
	printf(" (* dump)\n");
}

/* Return: the exit status. */
int watch_end(void)
{
	watch_now();
	if (watch.role == ROLE_WRITER)
		tell_policies("policy-del");
	count_print();
	check_reach();
	printf("%lu wrong\n", watch.wrong);
	return watch.wrong != 0;
}
