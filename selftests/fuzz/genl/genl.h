/* SPDX-License-Identifier: GPL-2.0 */
/* Fuzzer of a generic netlink family by its spec. */
#ifndef FUZZ_GENL_H
#define FUZZ_GENL_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORD_MAX	64
#define SETS_MAX	64
#define ATTRS_MAX	64	/* of a set: they are bits of a mask */
#define COMMANDS_MAX	32
#define MESSAGE_MAX	(1 << 17)

#define ARRAY_SIZE(_a)	(sizeof(_a) / sizeof((_a)[0]))

/* table.c: what the spec says */

enum kind {
	KIND_U32, KIND_S32, KIND_U64, KIND_STRING, KIND_NEST, KIND_PAD, KIND_BINARY
};

struct attr {
	char name[WORD_MAX];
	char nested[WORD_MAX];
	char hint[WORD_MAX];	/* a value that makes sense, or "" */
	enum kind kind;
	unsigned int number;
	uint64_t min, max;
};

struct set {
	char name[WORD_MAX];
	struct attr attr[ATTRS_MAX];
	unsigned int n;
};

struct command {
	char name[WORD_MAX];
	const struct set *set;
	unsigned int number;
	uint64_t attrs;		/* those of a request, a bit for each of the set */
	bool dump, event, admin;
};

struct table {
	char family[WORD_MAX];
	unsigned int version;
	uint16_t id;		/* of the family in this kernel */
	struct set set[SETS_MAX];
	unsigned int n_sets;
	struct command command[COMMANDS_MAX];
	unsigned int n_commands;
};

extern struct table table;

void table_read(const char *file);
void table_hint(const char *set_attr_value);
const struct set *table_set(const char *name);
const struct attr *table_attr(const struct set *set, const char *name);
const struct command *table_command(const char *name, bool dump);

/* random.c */

void random_begin(uint64_t seed);
uint64_t random_u64(void);
unsigned int random_below(unsigned int n);

/* message.c: what is sent */

struct message {
	uint8_t data[MESSAGE_MAX];
	size_t len;
	const struct command *command;
	bool unsound;	/* not one message to this family, as the core counts */
	bool core;	/* the core of generic netlink has reason to refuse it */
};

struct mutation;

/**
 * struct plan - a message to be made
 * @command: its command
 * @attrs: which attributes, as a mask of the command's set
 * @inner: a set below, of which not all is to be there; or NULL
 * @inner_attrs: what of it is
 * @target: the attribute that @mutation is for
 * @wild: values by chance, where they would be those of the hints
 */
struct plan {
	const struct command *command;
	uint64_t attrs;
	const struct set *inner;
	uint64_t inner_attrs;
	const struct attr *target;
	const struct mutation *mutation;
	bool wild;
};

void message_make(struct message *msg, const struct plan *plan);
void message_begin(struct message *msg, const struct command *command);
void message_end(struct message *msg);
struct nlmsghdr *message_header(struct message *msg);
struct genlmsghdr *message_genl(struct message *msg);
void put(struct message *msg, unsigned int type, const void *data, size_t len);
void put_bytes(struct message *msg, const void *data, size_t len);
size_t nest_begin(struct message *msg, unsigned int type);
void nest_end(struct message *msg, size_t at);
void put_set(struct message *msg, const struct set *set, uint64_t attrs,
	     const struct plan *plan);
void put_attr(struct message *msg, const struct attr *attr,
	      const struct plan *plan);
void put_number(struct message *msg, const struct attr *attr, uint64_t value);
uint64_t attr_bit(unsigned int i);
uint64_t all_attrs(const struct set *set);

/* mutate.c: what is wrong with it */

struct mutation {
	const char *name;
	uint32_t kinds;		/* for which it is, a bit for each */
	void (*put)(struct message *msg, const struct set *set,
		    const struct attr *attr, const struct plan *plan);
};

struct header_mutation {
	const char *name;
	void (*apply)(struct message *msg);
};

extern const struct mutation mutations[];
extern const size_t n_mutations;
extern const struct header_mutation header_mutations[];
extern const size_t n_header_mutations;

void mutate_bytes(struct message *msg);

/* ask.c: what the kernel answers */

struct answer {
	bool refused, answered;
	int err;
	char words[160];
	unsigned int parts;	/* messages before the last one */
};

void ask_open(void);
void ask(struct message *msg, struct answer *answer);
bool answer_has(const struct attr *attr);
uint32_t answered_u32(const struct attr *attr);
void each_part(void (*fn)(const struct nlmsghdr *nlh, void *arg), void *arg);
void ask_print(const struct message *msg);

/* watch.c: what must be so, whatever is sent */

enum role {
	ROLE_WRITER,	/* root of the host */
	ROLE_NEIGHBOUR,	/* root, in another network namespace */
	ROLE_STRANGER,	/* anybody else */
};

void watch_begin(enum role role);
void watch_ask(struct message *msg, const char *what);
void watch_now(void);
int watch_end(void);

void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif /* FUZZ_GENL_H */
