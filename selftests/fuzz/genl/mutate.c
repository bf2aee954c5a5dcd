// SPDX-License-Identifier: GPL-2.0
/* What can be wrong with an attribute, with a header, and with some bytes. */
#include <string.h>
#include "genl.h"

#define NUMBERS		(1u << KIND_U32 | 1u << KIND_S32 | 1u << KIND_U64)
#define STRINGS		(1u << KIND_STRING)
#define NESTS		(1u << KIND_NEST)
#define ANY		(NUMBERS | STRINGS | NESTS | 1u << KIND_PAD)

#define MUTATION(_name) \
static void _name(struct message *msg, const struct set *set, \
		  const struct attr *attr, const struct plan *plan)
#define UNUSED ((void)set, (void)attr, (void)plan)

/* The plan, but for its mutation: what is right with the attribute. */
static void put_right(struct message *msg, const struct attr *attr,
		      const struct plan *plan)
{
	struct plan right = *plan;

	right.mutation = NULL;
	put_attr(msg, attr, &right);
}

static struct nlattr *attr_at(struct message *msg, size_t at)
{
	return (struct nlattr *)(msg->data + at);
}

/* All kinds */

MUTATION(absent)
{
	(void)msg, UNUSED;
}

MUTATION(no_payload)
{
	UNUSED;
	put(msg, attr->number, "", 0);
}

MUTATION(one_byte)
{
	UNUSED;
	put(msg, attr->number, "\1", 1);
}

MUTATION(three_bytes)
{
	UNUSED;
	put(msg, attr->number, "\1\0\0", 3);
}

MUTATION(five_bytes)
{
	UNUSED;
	put(msg, attr->number, "\1\0\0\0", 5);
}

MUTATION(sixteen_bytes)
{
	static const uint8_t bytes[16] = { 1 };

	UNUSED;
	put(msg, attr->number, bytes, sizeof(bytes));
}

/* Says another length than it has. */
static void put_length(struct message *msg, const struct attr *attr,
		       const struct plan *plan, int length)
{
	size_t at = msg->len;

	put_right(msg, attr, plan);
	attr_at(msg, at)->nla_len = length;
}

#define LENGTH(_name, _length) \
MUTATION(_name) \
{ \
	(void)set; \
	put_length(msg, attr, plan, _length); \
}

LENGTH(length_0, 0)
LENGTH(length_1, 1)
LENGTH(length_3, 3)
LENGTH(length_header, NLA_HDRLEN)
LENGTH(length_huge, 0xffff)
LENGTH(length_most, 0x7ffc)

MUTATION(length_short)
{
	size_t at = msg->len;

	(void)set;
	put_right(msg, attr, plan);
	attr_at(msg, at)->nla_len--;
}

MUTATION(length_long)
{
	size_t at = msg->len;

	(void)set;
	put_right(msg, attr, plan);
	attr_at(msg, at)->nla_len++;
}

MUTATION(huge)
{
	static uint8_t bytes[60000];

	UNUSED;
	memset(bytes, 'a', sizeof(bytes) - 1);
	put(msg, attr->number, bytes, sizeof(bytes));
}

static void put_flipped(struct message *msg, const struct attr *attr,
			const struct plan *plan, unsigned int flags)
{
	size_t at = msg->len;

	put_right(msg, attr, plan);
	attr_at(msg, at)->nla_type ^= flags;
}

MUTATION(nested_flag)
{
	(void)set;
	put_flipped(msg, attr, plan, NLA_F_NESTED);
}

MUTATION(byteorder_flag)
{
	(void)set;
	put_flipped(msg, attr, plan, NLA_F_NET_BYTEORDER);
}

MUTATION(both_flags)
{
	(void)set;
	put_flipped(msg, attr, plan, NLA_F_NESTED | NLA_F_NET_BYTEORDER);
}

static void put_times(struct message *msg, const struct attr *attr,
		      const struct plan *plan, unsigned int times)
{
	while (times--)
		put_right(msg, attr, plan);
}

MUTATION(twice)
{
	(void)set;
	put_times(msg, attr, plan, 2);
}

MUTATION(twenty_times)
{
	(void)set;
	put_times(msg, attr, plan, 20);
}

MUTATION(hundreds)
{
	(void)set;
	put_times(msg, attr, plan, 300);
}

/* The attribute is right, its neighbour is not. */
static void put_stranger(struct message *msg, const struct attr *attr,
			 const struct plan *plan, unsigned int type)
{
	put_right(msg, attr, plan);
	put(msg, type, "\1\0\0", 4);
}

MUTATION(type_0)
{
	(void)set;
	put_stranger(msg, attr, plan, 0);
}

MUTATION(type_next)
{
	put_stranger(msg, attr, plan, set->attr[set->n - 1].number + 1);
}

MUTATION(type_most)
{
	(void)set;
	put_stranger(msg, attr, plan, NLA_TYPE_MASK);
}

MUTATION(garbage_behind)
{
	(void)set;
	put_right(msg, attr, plan);
	put_bytes(msg, "\xff\xff\xff", 1 + random_below(3));
}

/* As if it were the first of two, of which the second is cut off. */
MUTATION(cut_off)
{
	(void)set;
	put_right(msg, attr, plan);
	put(msg, attr->number, "\1\0\0", 4);
	msg->len -= 4;
}

/* A nest where a value should be, and nests that never end. */

MUTATION(a_nest)
{
	size_t at = nest_begin(msg, attr->number | NLA_F_NESTED);

	UNUSED;
	put(msg, 1, "\1\0\0", 4);
	put(msg, 2, "a", 2);
	nest_end(msg, at);
}

MUTATION(itself)
{
	size_t at = nest_begin(msg, attr->number | NLA_F_NESTED);

	(void)set;
	put_right(msg, attr, plan);
	nest_end(msg, at);
}

MUTATION(deep)
{
	size_t at[64];
	int i;

	UNUSED;
	for (i = 0; i < 64; i++)
		at[i] = nest_begin(msg, attr->number | NLA_F_NESTED);
	while (i--)
		nest_end(msg, at[i]);
}

/* Nests */

MUTATION(empty_nest)
{
	UNUSED;
	nest_end(msg, nest_begin(msg, attr->number | NLA_F_NESTED));
}

MUTATION(a_value)
{
	UNUSED;
	put(msg, attr->number, "\10\0\0", 4);
}

static void put_end(struct message *msg, const struct attr *attr,
		    const struct plan *plan, const void *bytes, size_t len)
{
	size_t at = msg->len;

	put_right(msg, attr, plan);
	put_bytes(msg, bytes, len);
	nest_end(msg, at);
}

MUTATION(garbage_within)
{
	(void)set;
	put_end(msg, attr, plan, "\xff\xff\xff", 1 + random_below(3));
}

MUTATION(longer_than_nest)
{
	static const struct nlattr nla = { .nla_len = 200, .nla_type = 1 };

	(void)set;
	put_end(msg, attr, plan, &nla, sizeof(nla));
}

MUTATION(unknown_within)
{
	static const uint32_t nla[] = { 8 | 1000 << 16, 1 };

	(void)set;
	put_end(msg, attr, plan, nla, sizeof(nla));
}

/* Numbers */

#define NUMBER(_name, _value) \
MUTATION(_name) \
{ \
	UNUSED; \
	put_number(msg, attr, _value); \
}

NUMBER(zero, 0)
NUMBER(one, 1)
NUMBER(least, attr->min)
NUMBER(below_least, attr->min - 1)
NUMBER(greatest, attr->max)
NUMBER(above_greatest, attr->max + 1)
NUMBER(all_ones, ~0ull)
NUMBER(sign, 1ull << (attr->kind == KIND_U64 ? 63 : 31))
NUMBER(above_byte, attr->min + 256)
NUMBER(above_half, attr->min + 65536)
NUMBER(by_chance, random_u64())

/* Strings */

static void put_letters(struct message *msg, const struct attr *attr,
			size_t n, bool terminated)
{
	char text[5000];

	memset(text, 'a', sizeof(text));
	text[n] = '\0';
	put(msg, attr->number, text, n + terminated);
}

#define LETTERS(_name, _n, _terminated) \
MUTATION(_name) \
{ \
	UNUSED; \
	put_letters(msg, attr, _n, _terminated); \
}

LETTERS(empty, 0, true)
LETTERS(unterminated, 3, false)
LETTERS(longest, attr->max, true)
LETTERS(longest_unterminated, attr->max, false)
LETTERS(too_long, attr->max + 1, true)
LETTERS(too_long_unterminated, attr->max + 1, false)
LETTERS(far_too_long, 4500, true)

MUTATION(binary)
{
	uint8_t bytes[17];
	size_t i;

	UNUSED;
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = random_u64();
	bytes[sizeof(bytes) - 1] = '\0';
	put(msg, attr->number, bytes, sizeof(bytes));
}

MUTATION(nul_within)
{
	UNUSED;
	put(msg, attr->number, "a\0b", 4);
}

MUTATION(only_nuls)
{
	UNUSED;
	put(msg, attr->number, "\0\0\0\0\0\0\0", 8);
}

MUTATION(control_bytes)
{
	UNUSED;
	put(msg, attr->number, "a\n\t\x1b[2J\x7f", 9);
}

MUTATION(path)
{
	UNUSED;
	put(msg, attr->number, "../../a", 8);
}

MUTATION(format)
{
	UNUSED;
	put(msg, attr->number, "%n%s%p", 7);
}

MUTATION(glob)
{
	UNUSED;
	put(msg, attr->number, "*?*?*?*?*[!a-]*", 16);
}

MUTATION(foreign_letters)
{
	UNUSED;
	put(msg, attr->number, "r\xc3\xb6" "ce\xff", 7);
}

#define ENTRY(_kinds, _name) { #_name, _kinds, _name }

const struct mutation mutations[] = {
	ENTRY(ANY, absent),
	ENTRY(ANY, no_payload),
	ENTRY(ANY, one_byte),
	ENTRY(ANY, three_bytes),
	ENTRY(ANY, five_bytes),
	ENTRY(ANY, sixteen_bytes),
	ENTRY(ANY, length_0),
	ENTRY(ANY, length_1),
	ENTRY(ANY, length_3),
	ENTRY(ANY, length_header),
	ENTRY(ANY, length_huge),
	ENTRY(ANY, length_most),
	ENTRY(ANY, length_short),
	ENTRY(ANY, length_long),
	ENTRY(ANY, huge),
	ENTRY(ANY, nested_flag),
	ENTRY(ANY, byteorder_flag),
	ENTRY(ANY, both_flags),
	ENTRY(ANY, twice),
	ENTRY(ANY, twenty_times),
	ENTRY(ANY, hundreds),
	ENTRY(ANY, type_0),
	ENTRY(ANY, type_next),
	ENTRY(ANY, type_most),
	ENTRY(ANY, garbage_behind),
	ENTRY(ANY, cut_off),
	ENTRY(ANY, a_nest),
	ENTRY(ANY, itself),
	ENTRY(ANY, deep),
	ENTRY(NESTS, empty_nest),
	ENTRY(NESTS, a_value),
	ENTRY(NESTS, garbage_within),
	ENTRY(NESTS, longer_than_nest),
	ENTRY(NESTS, unknown_within),
	ENTRY(NUMBERS, zero),
	ENTRY(NUMBERS, one),
	ENTRY(NUMBERS, least),
	ENTRY(NUMBERS, below_least),
	ENTRY(NUMBERS, greatest),
	ENTRY(NUMBERS, above_greatest),
	ENTRY(NUMBERS, all_ones),
	ENTRY(NUMBERS, sign),
	ENTRY(NUMBERS, above_byte),
	ENTRY(NUMBERS, above_half),
	ENTRY(NUMBERS, by_chance),
	ENTRY(STRINGS, empty),
	ENTRY(STRINGS, unterminated),
	ENTRY(STRINGS, longest),
	ENTRY(STRINGS, longest_unterminated),
	ENTRY(STRINGS, too_long),
	ENTRY(STRINGS, too_long_unterminated),
	ENTRY(STRINGS, far_too_long),
	ENTRY(STRINGS, binary),
	ENTRY(STRINGS, nul_within),
	ENTRY(STRINGS, only_nuls),
	ENTRY(STRINGS, control_bytes),
	ENTRY(STRINGS, path),
	ENTRY(STRINGS, format),
	ENTRY(STRINGS, glob),
	ENTRY(STRINGS, foreign_letters),
};
const size_t n_mutations = ARRAY_SIZE(mutations);

/* Headers. What the core refuses before any of ours, it need not explain. */

#define GENL(_name, _field, _value) \
static void _name(struct message *msg) \
{ \
	message_genl(msg)->_field = _value; \
	msg->core = true; \
}

#define FLAGS(_name, _op, _flags) \
static void _name(struct message *msg) \
{ \
	message_header(msg)->nlmsg_flags _op _flags; \
	msg->core = true; \
}

#define UNSOUND(_name, _op, _value) \
static void _name(struct message *msg) \
{ \
	message_header(msg)->nlmsg_len _op _value; \
	msg->unsound = true; \
}

#define TYPE(_name, _type) \
static void _name(struct message *msg) \
{ \
	message_header(msg)->nlmsg_type = _type; \
	msg->unsound = true; \
}

GENL(version_0, version, 0)
GENL(version_next, version, table.version + 1)
GENL(version_most, version, 255)
GENL(reserved, reserved, 1)
GENL(command_0, cmd, 0)
GENL(command_next, cmd, table.command[table.n_commands - 1].number + 1)
GENL(command_most, cmd, 255)

FLAGS(dump_flipped, ^=, NLM_F_DUMP)
FLAGS(root_flipped, ^=, NLM_F_ROOT)
FLAGS(match_flipped, ^=, NLM_F_MATCH)
FLAGS(atomic, |=, NLM_F_ATOMIC)
FLAGS(create, |=, NLM_F_CREATE | NLM_F_EXCL | NLM_F_APPEND)
FLAGS(all_flags, =, 0xffff)

UNSOUND(says_0, =, 0)
UNSOUND(says_less_than_header, =, 15)
UNSOUND(says_header, =, 16)
UNSOUND(says_half_genl, =, 18)
UNSOUND(says_genl, =, 20)
UNSOUND(says_a_byte_less, -=, 1)
UNSOUND(says_four_less, -=, 4)
UNSOUND(says_a_byte_more, +=, 1)
UNSOUND(says_more, +=, 400)
UNSOUND(says_most, =, ~0u)
UNSOUND(says_negative, =, 1u << 31)

TYPE(type_noop, NLMSG_NOOP)
TYPE(type_error, NLMSG_ERROR)
TYPE(type_done, NLMSG_DONE)
TYPE(type_unknown, 0xffff)
TYPE(type_control, GENL_ID_CTRL)

static void no_request(struct message *msg)
{
	message_header(msg)->nlmsg_flags &= ~NLM_F_REQUEST;
	msg->unsound = true;
}

static void no_ack(struct message *msg)
{
	message_header(msg)->nlmsg_flags &= ~NLM_F_ACK;
	msg->unsound = true;
}

static void bytes_behind(struct message *msg)
{
	put_bytes(msg, "\xff\xff\xff", 3);
	message_end(msg);
}

static void zeros_behind(struct message *msg)
{
	put_bytes(msg, "\0\0\0\0\0\0\0", 8);
	message_end(msg);
}

static void two_in_one(struct message *msg)
{
	size_t len = msg->len;

	put_bytes(msg, msg->data, len);
	msg->unsound = true;
}

#define HEADER(_name) { #_name, _name }

const struct header_mutation header_mutations[] = {
	HEADER(version_0),
	HEADER(version_next),
	HEADER(version_most),
	HEADER(reserved),
	HEADER(command_0),
	HEADER(command_next),
	HEADER(command_most),
	HEADER(dump_flipped),
	HEADER(root_flipped),
	HEADER(match_flipped),
	HEADER(atomic),
	HEADER(create),
	HEADER(all_flags),
	HEADER(says_0),
	HEADER(says_less_than_header),
	HEADER(says_header),
	HEADER(says_half_genl),
	HEADER(says_genl),
	HEADER(says_a_byte_less),
	HEADER(says_four_less),
	HEADER(says_a_byte_more),
	HEADER(says_more),
	HEADER(says_most),
	HEADER(says_negative),
	HEADER(type_noop),
	HEADER(type_error),
	HEADER(type_done),
	HEADER(type_unknown),
	HEADER(type_control),
	HEADER(no_request),
	HEADER(no_ack),
	HEADER(bytes_behind),
	HEADER(zeros_behind),
	HEADER(two_in_one),
};
const size_t n_header_mutations = ARRAY_SIZE(header_mutations);

/* Bytes behind the headers */

static void flip(uint8_t *body, size_t len)
{
	body[random_below(len)] ^= 1u << random_below(8);
}

static void overwrite(uint8_t *body, size_t len)
{
	static const uint8_t bytes[] = { 0, 1, 4, 7, 8, 64, 127, 128, 255 };

	body[random_below(len)] = bytes[random_below(sizeof(bytes))];
}

/* Where attributes begin, a length is near. */
static void overwrite_half(uint8_t *body, size_t len)
{
	uint16_t half = random_below(2) ? random_below(64) : random_u64();

	if (len >= NLA_ALIGNTO)
		memcpy(body + random_below(len / NLA_ALIGNTO) * NLA_ALIGNTO,
		       &half, sizeof(half));
}

static void copy(uint8_t *body, size_t len)
{
	size_t n = NLA_ALIGN(1 + random_below(len)) / 2;

	memmove(body + random_below(len - n + 1), body + random_below(len - n + 1),
		n);
}

void mutate_bytes(struct message *msg)
{
	static void (*const ways[])(uint8_t *body, size_t len) = {
		flip, overwrite, overwrite_half, copy,
	};
	uint8_t *body = msg->data + NLMSG_HDRLEN + GENL_HDRLEN;
	size_t len = msg->len - NLMSG_HDRLEN - GENL_HDRLEN;
	unsigned int n = 1 + random_below(4);

	if (len < 8)
		return;
	while (n--)
		ways[random_below(ARRAY_SIZE(ways))](body, len);
	if (!random_below(4))
		msg->len -= random_below(len);
	message_end(msg);
}
