// SPDX-License-Identifier: GPL-2.0
/* One attribute to one member. */
#include <errno.h>
#include <string.h>

#include "modelfield.h"

/* The shortest payload that a type may have. */
static const int field_length[] = {
	[FIELD_U32] = 4, [FIELD_S32] = 4, [FIELD_U64] = 8, [FIELD_BOOL] = 4,
	[FIELD_TEXT] = 0,
};

static int field_read(const struct field *f, const struct nlattr *attr,
		      char *object)
{
	char *to = object + f->offset;
	uint64_t wide;
	uint32_t value;

	if (nla_len(attr) < field_length[f->type])
		return -EBADMSG;
	switch (f->type) {
	case FIELD_TEXT:
		/* Strings need not end in NUL on the wire. */
		nla_strlcpy(to, attr, f->size);
		break;
	case FIELD_U64:
		wide = nla_get_u64(attr);
		memcpy(to, &wide, sizeof(wide));
		break;
	case FIELD_BOOL:
		*(bool *)to = nla_get_u32(attr);
		break;
	default:
		value = nla_get_u32(attr);
		memcpy(to, &value, sizeof(value));
		break;
	}
	if (f->flag)
		*(bool *)(object + f->flag) = true;
	return 0;
}

/* Attributes that are in no table are of a newer kernel and passed over. */
int fields_read(const struct field *table, size_t n,
		const struct nlattr *attr, void *object)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (table[i].attr == nla_type(attr))
			return field_read(&table[i], attr, object);
	return 0;
}

int object_read(const struct field *table, size_t n, struct nlattr *attrs,
		int len, void *object)
{
	struct nlattr *pos;
	int rem, err;

	attr_for_each(pos, attrs, len, rem) {
		err = fields_read(table, n, pos, object);
		if (err)
			return err;
	}
	return 0;
}

int nest_read(const struct field *table, size_t n, struct nlattr *nest,
	      void *object)
{
	return object_read(table, n, nla_data(nest), nla_len(nest), object);
}
