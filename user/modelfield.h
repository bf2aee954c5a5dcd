/* SPDX-License-Identifier: GPL-2.0 */
/* Attributes to members of structs, by tables: between the model's files. */
#ifndef RG_MODELFIELD_H
#define RG_MODELFIELD_H

#include <stddef.h>
#include <stdint.h>

#include "model.h"
#include "nl.h"

/*
 * How one attribute becomes one member: a table for each object instead of a
 * line for each attribute. @flag is the offset of the bool that says the
 * attribute was there, 0 for none: no object begins with such a bool.
 */
enum field_type { FIELD_U32, FIELD_S32, FIELD_U64, FIELD_BOOL, FIELD_TEXT };

struct field {
	uint16_t attr;
	uint8_t type;
	uint16_t offset;
	uint16_t size;
	uint16_t flag;
};

#define FIELD(_object, _attr, _type, _member)				\
	{ .attr = (_attr), .type = FIELD_##_type,			\
	  .offset = offsetof(struct _object, _member),			\
	  .size = sizeof(((struct _object *)NULL)->_member) }
#define FIELD_FLAG(_object, _attr, _type, _member, _flag)		\
	{ .attr = (_attr), .type = FIELD_##_type,			\
	  .offset = offsetof(struct _object, _member),			\
	  .size = sizeof(((struct _object *)NULL)->_member),		\
	  .flag = offsetof(struct _object, _flag) }

#define attr_for_each(pos, head, len, rem)				\
	for (pos = (head), rem = (len); nla_ok(pos, rem);		\
	     pos = nla_next(pos, &rem))

/* Each returns 0, or -EBADMSG if an attribute is too short for its member. */
int fields_read(const struct field *table, size_t n,
		const struct nlattr *attr, void *object);
int object_read(const struct field *table, size_t n, struct nlattr *attrs,
		int len, void *object);
int nest_read(const struct field *table, size_t n, struct nlattr *nest,
	      void *object);

#endif /* RG_MODELFIELD_H */
